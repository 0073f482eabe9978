import { type Approve, ModelError, type SavedSession } from '@unloop/agent'
import { render } from 'ink'
import { openConfig } from '../config/load.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { type Host, toOutput } from '../host.js'
import { settle } from '../trust/settle.js'
import { whyHeld } from '../trust/words.js'
import { createChat } from './chat.js'
import { exitCodeOf } from './exit-code-of.js'
import { holdTerminal } from './hold-terminal.js'
import { type Keyboard, openKeyboard } from './input/keyboard.js'
import { createKeys } from './keys.js'
import { onSignal } from './on-signal.js'
import { isEmbedded, modelOf, openAgent } from './open-agent.js'
import { type ChatOptions, partsUsed } from './options.js'
import {
  createLazyLog,
  findSession,
  listSessions,
  newSession,
  sessionFolder,
  sessionPath,
} from './sessions.js'
import { App } from './ui/app.js'
import { createScreen, type Screen } from './ui/screen.js'

/** A chat in the terminal, until the person leaves. */
export async function runTerminal(host: Host, options: ChatOptions): Promise<ExitCode> {
  const { held, ...loaded } = await openConfig(host, options, partsUsed(options))
  let { config } = loaded
  const isSaving = options.save !== false
  const resumed = options.resume === undefined ? undefined : findSession(host, options.resume)

  let current = { id: '', release: () => {} }
  let ignoreSignals = () => {}
  let giveBack = () => {}
  let keyboard: Keyboard | undefined
  let screen: Screen | undefined
  let code: ExitCode = EXIT.quiet

  async function open(approve: Approve, tell: (text: string) => void, saved?: SavedSession) {
    const session = saved ?? newSession(host, modelOf(options, config))
    const { id } = session.header
    const unsaved = (message: string) => tell(`nothing is saved from here on: ${message}`)
    // the same conversation, opened again: what is claimed for it next must not be released with the old one
    if (id === current.id) current.release()
    const log = isSaving ? createLazyLog(sessionPath(host, id), session, unsaved) : undefined
    if (saved) log?.open()
    try {
      const agent = await openAgent({ host, options, config, attended: true, approve, saved, log })
      if (id !== current.id) current.release()
      current = { id, release: () => log?.release() }
      return agent
    } catch (error) {
      log?.release()
      throw error
    }
  }

  try {
    const chat = await createChat({
      open,
      saved: resumed,
      isEmbedded,
      hasJudge: () => config.judge !== undefined,
      held: held && {
        question: whyHeld(held, held.trust),
        async settle(isTrusted) {
          const settled = await settle(host, held, isTrusted)
          config = settled.config
          return settled.tell
        },
      },
      listSessions: () => listSessions(host, current.id),
      banner: [
        'unloop chat: ask something, or /stuck failing to see a loop stopped; /help lists the rest',
        ...(loaded.path === undefined || held ? [] : [`configured by ${loaded.path}`]),
        isSaving ? `conversations are saved in ${sessionFolder(host)}` : 'nothing is saved',
      ],
    })
    ignoreSignals = onSignal(host, (signalled) => {
      code = signalled
      chat.leave()
    })
    let unmount = () => {}
    giveBack = holdTerminal(host, () => unmount())
    keyboard = await openKeyboard(host.stdin)
    chat.submitAll(keyboard.typedAhead)
    keyboard.listen(createKeys(chat), chat.leave)
    const isColoured = toOutput(host.stdout, host.env).isColoured
    screen = createScreen(host.stdout)
    const app = <App chat={chat} screen={screen} isColoured={isColoured} />
    // Ink draws; keys are read by us, since it does not survive all that terminals send
    const ink = render(app, {
      stdin: host.stdin,
      stdout: screen.stdout,
      stderr: host.stderr,
      exitOnCtrlC: false,
    })
    unmount = ink.unmount
    chat.done.then(unmount)
    await ink.waitUntilExit()
    return code
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const err = toOutput(host.stderr, host.env)
    err.line(`unloop: ${error.message}`)
    if (error.advice) err.line(error.advice)
    return exitCodeOf({ type: 'error', kind: error.kind, message: '', advice: '' }) ?? EXIT.misuse
  } finally {
    ignoreSignals()
    keyboard?.close()
    screen?.close()
    current.release()
    giveBack()
  }
}

import { type Approve, ModelError, type SavedSession } from '@unloop/agent'
import { render } from 'ink'
import { loadConfig } from '../config/load.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { type Host, toOutput } from '../host.js'
import { createChat } from './chat.js'
import { exitCodeOf } from './exit-code-of.js'
import { onSignal } from './on-signal.js'
import { isEmbedded, modelOf, openAgent } from './open-agent.js'
import type { ChatOptions } from './options.js'
import {
  createLazyLog,
  findSession,
  listSessions,
  newSession,
  sessionFolder,
  sessionPath,
} from './sessions.js'
import { takeTypedAhead } from './typed-ahead.js'
import { App } from './ui/app.js'
import { createScreen, type Screen } from './ui/screen.js'

/** A chat in the terminal, until the person leaves. */
export async function runTerminal(host: Host, options: ChatOptions): Promise<ExitCode> {
  const { config, path } = await loadConfig(host, options.config)
  const isSaving = options.save !== false
  const resumed = options.resume === undefined ? undefined : findSession(host, options.resume)

  let current = { id: '', release: () => {} }
  let ignoreSignals = () => {}
  let screen: Screen | undefined
  let code: ExitCode = EXIT.quiet

  async function open(approve: Approve, tell: (text: string) => void, saved?: SavedSession) {
    const session = saved ?? newSession(host, modelOf(options, config))
    const { id } = session.header
    const unsaved = (message: string) => tell(`from here on nothing is saved: ${message}`)
    const log = isSaving ? createLazyLog(sessionPath(host, id), session, unsaved) : undefined
    if (saved) log?.open()
    try {
      const agent = await openAgent({ host, options, config, attended: true, approve, saved, log })
      current.release()
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
      hasJudge: config.judge !== undefined,
      listSessions: () => listSessions(host, current.id),
      banner: [
        'unloop chat: ask something, or /stuck failing to see a loop stopped; /help lists the rest',
        ...(path === undefined ? [] : [`configured by ${path}`]),
        isSaving ? `conversations are saved in ${sessionFolder(host)}` : 'nothing is saved',
      ],
    })
    ignoreSignals = onSignal(host, (signalled) => {
      code = signalled
      chat.leave()
    })
    chat.submitAll(await takeTypedAhead(host.stdin))
    const isColoured = toOutput(host.stdout, host.env).isColoured
    // begins on the line on which the terminal has shown what was typed ahead, and asks it to mark pasted text, so
    // that its line ends do not send it
    host.stdout.write('\r\x1b[K\x1b[?2004h')
    screen = createScreen(host.stdout)
    const app = <App chat={chat} screen={screen} isColoured={isColoured} />
    const { unmount, waitUntilExit } = render(app, {
      stdin: host.stdin,
      stdout: screen.stdout,
      stderr: host.stderr,
      exitOnCtrlC: false,
    })
    chat.done.then(() => unmount())
    await waitUntilExit()
    return code
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const err = toOutput(host.stderr, host.env)
    err.line(`unloop: ${error.message}`)
    if (error.advice) err.line(error.advice)
    return exitCodeOf({ type: 'error', kind: error.kind, message: '', advice: '' }) ?? EXIT.misuse
  } finally {
    ignoreSignals()
    screen?.close()
    current.release()
    host.stdout.write('\x1b[?2004l')
  }
}

import { ModelError } from '@unloop/agent'
import { EXIT, type ExitCode } from '../exit-code.js'
import { type Host, toOutput } from '../host.js'
import { exitCodeOf } from './exit-code-of.js'
import { holdTerminal } from './hold-terminal.js'
import { type Keyboard, openKeyboard } from './input/keyboard.js'
import { createKeys } from './keys.js'
import { onSignal } from './on-signal.js'
import { type OpenedChat, openChat } from './open-chat.js'
import type { ChatOptions } from './options.js'
import { suspend } from './suspend.js'
import { openView, type View } from './ui/view.js'

/** A chat in the terminal, until the person leaves. */
export async function runTerminal(host: Host, options: ChatOptions): Promise<ExitCode> {
  let opened: OpenedChat | undefined
  let keyboard: Keyboard | undefined
  let view: View | undefined
  let ignoreSignals = () => {}
  let giveBack = () => {}
  let code: ExitCode = EXIT.quiet
  try {
    opened = await openChat(host, options)
    const { chat } = opened
    ignoreSignals = onSignal(host, (signalled) => {
      code = signalled
      chat.leave()
    })
    giveBack = holdTerminal(host, () => view?.close())
    keyboard = await openKeyboard(host.stdin)
    chat.submitAll(keyboard.typedAhead)
    const keys = createKeys(chat, { onSuspend: () => view && suspend(host, view) })
    keyboard.listen(keys, chat.leave)
    view = openView(chat, {
      stdin: host.stdin,
      stdout: host.stdout,
      env: host.env,
      isColoured: toOutput(host.stdout, host.env).isColoured,
    })
    await chat.done
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
    giveBack()
    opened?.close()
  }
}

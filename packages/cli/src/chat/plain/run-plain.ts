import { createInterface } from 'node:readline'
import { EXIT, type ExitCode } from '../../exit-code.js'
import { type Host, toOutput } from '../../host.js'
import { openDialog } from '../dialog.js'
import { failed } from '../failed.js'
import { onSignal } from '../on-signal.js'
import { type OpenedChat, openChat } from '../open-chat.js'
import type { ChatOptions } from '../options.js'
import { createPlainView } from './plain-view.js'

/** A chat line by line, for terminals that cannot move their cursor. */
export async function runPlain(host: Host, options: ChatOptions): Promise<ExitCode> {
  const out = toOutput(host.stdout, host.env)
  let opened: OpenedChat | undefined
  let code: ExitCode = EXIT.quiet
  let ignoreSignals = () => {}
  const lines = createInterface({ input: host.stdin, terminal: false })
  try {
    out.line('this terminal cannot move its cursor, so the chat works line by line')
    opened = await openChat(host, options)
    const { chat } = opened
    const view = createPlainView(chat, out)
    ignoreSignals = onSignal(host, (signalled) => {
      if (signalled === INTERRUPTED && !view.interrupt()) return
      code = signalled
      chat.leave()
    })
    lines.on('line', (line) => view.read(line))
    lines.on('close', () => {
      // what was piped in is answered first
      const { isRunning, queued } = chat.store.get()
      if ((!isRunning && queued.length === 0) || openDialog(chat.store.get())) chat.leave()
      else chat.submitAll(['/exit'])
    })
    await chat.done
    return code
  } catch (error) {
    return failed(error, host)
  } finally {
    ignoreSignals()
    lines.close()
    opened?.close()
  }
}

const INTERRUPTED = 130

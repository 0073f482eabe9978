import type { ClientEvent } from '@unloop/agent'
import type { Output } from '../host.js'
import { never } from '../never.js'
import { printable } from '../printable.js'
import { costOf, oneLine, plural } from '../words.js'

/** Prints events for people: the answer to `out` as it streams, what happens beside it to `err`. */
export function createPrinter(out: Output, err: Output): (event: ClientEvent) => void {
  let isLineOpen = false
  return (event) => {
    if (event.type === 'text' && event.text !== '') isLineOpen = !event.text.endsWith('\n')
    else if (isLineOpen && endsLine(event)) {
      out.line()
      isLineOpen = false
    }
    print(event, out, err)
  }
}

/** Whether what comes with this event must not stand on the line of the answer. */
const endsLine = ({ type }: ClientEvent) =>
  type !== 'text' && type !== 'reasoning' && type !== 'usage'

function print(event: ClientEvent, out: Output, err: Output): void {
  switch (event.type) {
    case 'text':
      return out.write(out.isTerminal ? printable(event.text) : event.text)
    case 'tool-call':
      return err.line(
        `› ${oneLine(event.name, 60)} ${oneLine(JSON.stringify(event.args) ?? '', 120)}`,
      )
    case 'tool-result':
      if (event.isError) err.line(`  failed: ${oneLine(event.output, 160)}`)
      return
    case 'handoff':
      return err.line(`› handed to ${event.to}: ${oneLine(event.text, 120)}`)
    case 'retry':
      return err.line(`the model is asked again: ${event.reason}`)
    case 'compaction':
      return err.line(`the history was shortened to ${event.kept} of ${event.messages} messages`)
    case 'loop_warning':
      return err.line(`a loop, ${event.finding.action}: ${event.finding.detail}`)
    case 'loop_detected':
      err.line(`stopped by a loop: ${event.finding.detail}`)
      return err.line(`it cost ${costOf(event.finding)}`)
    case 'turn-limit':
      return err.line(`ended after ${plural(event.turns, 'turn')}, which is the limit`)
    case 'error':
      err.line(`the model failed: ${event.message}`)
      if (event.advice) err.line(event.advice)
      return
    case 'finished':
      if (event.reason !== 'done') err.line(`not finished: ${REASONS[event.reason]}`)
      return
    case 'prompt':
    case 'turn-start':
    case 'turn-end':
    case 'reasoning':
    case 'usage':
      return
    default:
      return never(event)
  }
}

const REASONS = {
  length: 'the answer is longer than the model may write',
  refused: 'the model refused to answer',
  aborted: 'it was stopped',
}

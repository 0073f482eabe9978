import type { ClientEvent } from '@unloop/agent'
import type { Finding } from 'unloop'
import { plural } from 'unloop/words'
import type { Output } from '../host.js'
import { never } from '../never.js'
import { printable } from '../printable.js'
import { redactSample } from '../scan/redact.js'
import { costOf, oneLine, STATES } from '../words.js'

/**
 * Prints events for people: the answer to `out`, what happens beside it to `err`. Into a terminal it streams; elsewhere
 * a turn is printed once it is over, because what is retried is not part of the answer.
 */
export function createPrinter(out: Output, err: Output): (event: ClientEvent) => void {
  let isLineOpen = false
  let held: ClientEvent[] = []

  function printNow(event: ClientEvent) {
    if (event.type === 'text' && event.text !== '') isLineOpen = !event.text.endsWith('\n')
    else if (isLineOpen && endsLine(event)) {
      out.line()
      isLineOpen = false
    }
    print(event, out, err)
  }

  return (event) => {
    if (out.isTerminal) return printNow(event)
    if (event.type === 'retry')
      held = held.filter(({ type }) => type === 'loop_warning' || type === 'fault')
    held.push(event)
    if (isWithinTurn(event)) return
    for (const each of held.splice(0)) printNow(each)
  }
}

/** Whether more of the same turn will follow. */
const isWithinTurn = ({ type }: ClientEvent) =>
  type === 'text' ||
  type === 'reasoning' ||
  type === 'usage' ||
  type === 'tool-call' ||
  type === 'handoff' ||
  type === 'fault' ||
  type === 'loop_warning'

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
      return err.line(`asking the model again: ${event.reason}`)
    case 'compaction':
      return err.line(`the history was shortened to ${event.kept} of ${event.messages} messages`)
    case 'fault':
      return err.line(`part of the guard failed: ${event.part}: ${oneLine(event.message, 160)}`)
    case 'loop_warning':
      return err.line(toWarning(event.finding))
    case 'loop_detected':
      err.line(`stopped by a loop: ${redactSample(event.finding.detail)}`)
      return err.line(`it cost ${costOf(event.finding)}`)
    case 'turn-limit':
      return err.line(`ended after ${plural(event.turns, 'turn')}, the limit`)
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

/** What was found and what is done about it; of what is only likely, the model is told and nothing else. */
const toWarning = ({ certainty, action, detail }: Finding) =>
  certainty === 'likely'
    ? `${STATES.likely}, the model was told: ${redactSample(detail)}`
    : `${STATES.certain}, ${action}: ${redactSample(detail)}`

const REASONS = {
  length: "the answer reached the model's length limit",
  refused: 'the model refused to answer',
  aborted: 'it was stopped',
}

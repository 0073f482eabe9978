import type { ClientEvent } from '@unloop/agent'
import type { Finding } from 'unloop'
import { describeCost, describeOutcome, describeState } from 'unloop/words'
import type { Output } from '../host.js'
import { never } from '../never.js'
import { printable } from '../printable.js'
import { redactSample } from '../scan/redact.js'
import { oneLine } from '../words.js'
import { describeCall } from './describe-call.js'
import { describeLimit } from './describe-limit.js'
import { fateOf } from './reduce-event.js'

/**
 * Prints events for people: the answer to `out`, what happens beside it to `err`. Into a terminal it streams; elsewhere
 * a turn is printed once it is over, because what is retried is not part of the answer.
 */
export function createPrinter(out: Output, err: Output): (event: ClientEvent) => void {
  let isLineOpen = false
  let isSaid = false
  let isSilent = false
  let held: ClientEvent[] = []

  function printNow(event: ClientEvent) {
    if (event.type === 'text' && event.text !== '') isLineOpen = !event.text.endsWith('\n')
    else if (isLineOpen && endsLine(event)) {
      out.line()
      isLineOpen = false
    }
    if (event.type === 'turn-start' || event.type === 'turn-end') isSaid = event.type === 'turn-end'
    if (event.type === 'turn-start' || event.type === 'retry') isSilent = true
    if (event.type === 'tool-call' || (event.type === 'text' && event.text.trim() !== ''))
      isSilent = false
    if (event.type === 'finished' && event.reason === 'done' && isSilent)
      err.line('the model sent an empty answer')
    if (event.type === 'loop_warning') err.line(toWarning(event.finding, isSaid))
    else print(event, out, err)
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

type Printed = Exclude<ClientEvent, { type: 'loop_warning' }>

function print(event: Printed, out: Output, err: Output): void {
  switch (event.type) {
    case 'text':
      return out.write(out.isTerminal ? printable(event.text) : event.text)
    case 'tool-call':
      return err.line(
        `› ${oneLine(event.name, 60)} ${oneLine(JSON.stringify(event.args) ?? '', 120)}`,
      )
    case 'tool-result':
      return printResult(event, err)
    case 'handoff':
      return err.line(`› handed to ${event.to}: ${oneLine(event.text, 120)}`)
    case 'retry':
      return err.line(`asking the model again: ${event.reason}`)
    case 'compaction':
      return err.line(`the history was shortened to ${event.kept} of ${event.messages} messages`)
    case 'fault':
      return err.line(`part of the guard failed: ${event.part}: ${oneLine(event.message, 160)}`)
    case 'loop_detected':
      err.line(`stopped by a loop: ${redactSample(event.finding.detail)}`)
      return err.line(`it cost ${describeCost(event.finding.wasted)}`)
    case 'turn-limit':
      return err.line(describeLimit(event))
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

function printResult(result: Extract<ClientEvent, { type: 'tool-result' }>, err: Output): void {
  const words = result.outcome === 'declined' ? NOBODY_ASKED : describeCall(result)
  if (words !== undefined) err.line(`  ${words}`)
  else if (result.isError) err.line(`  failed: ${oneLine(result.output, 160)}`)
}

const NOBODY_ASKED = 'not run: it needs permission, and nobody could be asked; --yes allows it'

/** `stuck, the message was cut: …` */
const toWarning = (finding: Finding, isSaid: boolean) =>
  `${describeState(finding)}, ${describeOutcome(finding, fateOf(finding, { isSaid }))}: ${redactSample(finding.detail)}`

const REASONS = {
  length: "the answer reached the model's length limit",
  refused: 'the model refused to answer',
  aborted: 'it was stopped',
}

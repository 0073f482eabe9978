import { describeCost, describeOutcome, describeState, plural } from 'unloop/words'
import { never } from '../../never.js'
import { printable } from '../../printable.js'
import { oneLine } from '../../words.js'
import { describeCall } from '../describe-call.js'
import type { Item } from '../state.js'
import { answerRows } from './markdown/answer-rows.js'
import { type Row, type Style, span, TONES } from './row.js'
import { wrap } from './wrap.js'

export interface ItemOptions {
  columns: number
  /** output and thoughts are shown whole */
  isExpanded: boolean
}

/** One item of the transcript, as rows. */
export function itemRows(item: Item, options: ItemOptions): Row[] {
  const { columns } = options
  const line = (mark: string, text: string, style?: Style) =>
    marked(mark, printable(text), columns, style)
  switch (item.type) {
    case 'person':
      return [[], ...line('>', shortened(item.text), TONES.person)]
    case 'answer': {
      const rows = item.isBroken
        ? wrap([span(printable(item.text).trimEnd(), TONES.quiet)], columns)
        : answerRows(item.text, columns)
      return item.isJoined ? rows : [[], ...rows]
    }
    case 'thought':
      return line('~', foldable(item.text, options), TONES.quiet)
    case 'call':
      return [
        ...line('›', foldable(`${item.name} ${item.args}`, options)),
        ...resultRows(item, options),
      ]
    case 'warning': {
      const { detail, advice, certainty } = item.finding
      if (certainty === 'likely') {
        const text = `${describeState(item.finding)}, the model was told: ${detail}`
        return line('·', oneLine(text, columns - 4), TONES.quiet)
      }
      const outcome = describeOutcome(item.finding)
      return [
        ...line('!', `${describeState(item.finding)}, ${outcome}: ${detail}`, TONES.warn),
        ...line(' ', `the model was told: ${advice}`, TONES.quiet),
      ]
    }
    case 'observed': {
      const { certainty, detail } = item.finding
      const style = certainty === 'likely' ? TONES.quiet : TONES.warn
      return line('!', `observed, ${describeState(item.finding)}: ${detail}`, style)
    }
    case 'loop': {
      const { detail, wasted } = item.finding
      return line('■', `stopped by a loop: ${detail} (${describeCost(wasted)})`, TONES.bad)
    }
    case 'choice':
      return line('→', item.text, TONES.person)
    case 'notice':
      return line('·', item.text, TONES.quiet)
    case 'error':
      return line('×', [item.message, item.advice].filter(Boolean).join('\n'), TONES.bad)
    default:
      return never(item)
  }
}

function marked(mark: string, text: string, columns: number, style?: Style): Row[] {
  const margin = { first: [span(`${mark} `, style)], rest: [span('  ')] }
  return wrap([span(text, style)], columns, margin)
}

/** What became of a call: its answer, or why there is none. */
function resultRows(item: Item & { type: 'call' }, options: ItemOptions): Row[] {
  const fate = describeCall(item)
  if (fate !== undefined) return marked(' ', fate, options.columns, TONES.warn)
  const style = item.isError ? TONES.bad : TONES.quiet
  const output = printable(item.output ?? '')
  const shown = options.isExpanded ? output : withExitCode(output)
  return marked(' ', foldable(shown, options), options.columns, style)
}

/** What a command wrote, after its exit code on the same line. */
const withExitCode = (output: string) =>
  output.replace(/^(exit code \d{1,10})\n\s{0,1000}(?=\S)/, '$1: ')

/** The first line, and how much more there is; all of it where that is wanted. */
function foldable(text: string, { columns, isExpanded }: ItemOptions): string {
  const whole = text.trimEnd()
  if (isExpanded) return shortened(whole)
  const lines = countLines(whole)
  const more = lines > 1 ? ` (+${plural(lines - 1, 'line')})` : ''
  const end = whole.indexOf('\n')
  const first = end < 0 ? whole : whole.slice(0, end)
  return `${oneLine(first, Math.max(10, columns - 4 - more.length))}${more}`
}

function countLines(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

// some screens of text; nobody reads more of it in a terminal
const MAX_SHOWN = 20_000

function shortened(text: string): string {
  if (text.length <= MAX_SHOWN) return text
  return `${text.slice(0, MAX_SHOWN)}\n… ${plural(text.length - MAX_SHOWN, 'character')} more`
}

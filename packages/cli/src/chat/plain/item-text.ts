import { describeCost, describeOutcome, describeState } from 'unloop/words'
import { never } from '../../never.js'
import { oneLine } from '../../words.js'
import { describeCall } from '../describe-call.js'
import type { Item } from '../state.js'

// a line or two of a terminal
const LENGTH = 160

/** An item of the transcript as text without any commands to a terminal. */
export function itemText(item: Item): string {
  switch (item.type) {
    case 'person':
      return `> ${item.text}`
    case 'answer':
      return item.text.trimEnd()
    case 'thought':
      return `~ ${oneLine(item.text, LENGTH)}`
    case 'call': {
      const result = describeCall(item) ?? oneLine(item.output ?? '', LENGTH)
      return `› ${oneLine(`${item.name} ${item.args}`, LENGTH)}\n  ${result}`
    }
    case 'warning': {
      const { detail } = item.finding
      return `! ${describeState(item.finding)}, ${describeOutcome(item.finding, item)}: ${detail}`
    }
    case 'observed':
      return `! observed, ${describeState(item.finding)}: ${item.finding.detail}`
    case 'loop': {
      const { detail, wasted } = item.finding
      return `■ stopped by a loop: ${detail} (${describeCost(wasted)})`
    }
    case 'choice':
      return `→ ${item.text}`
    case 'notice':
      return `· ${item.text}`
    case 'error':
      return `× ${[item.message, item.advice].filter(Boolean).join('\n')}`
    default:
      return never(item)
  }
}

import { describeState } from 'unloop/words'
import { never } from '../../never.js'
import { printable } from '../../printable.js'
import { type DialogOption, optionsOf } from '../dialog.js'
import { evidenceOf } from '../evidence.js'
import type { Dialog } from '../state.js'

/** A question as lines, with what to type for each answer. */
export function dialogText(dialog: Dialog, now: number): string {
  const options = optionsOf(dialog, now).map(
    (option, index) => `  ${keyOf(option, index)}  ${option.label}: ${withoutKeys(option.note)}`,
  )
  return [...titleOf(dialog), ...options].join('\n')
}

/** Without keys that a terminal which is read by lines does not have. */
const withoutKeys = (note: string) => note.replace(' (Esc)', '')

/** The answer that was typed: a key, or the number of a line. */
export const answerOf = (dialog: Dialog, line: string, now: number): DialogOption | undefined =>
  optionsOf(dialog, now).find((option, index) => keyOf(option, index) === line.trim().toLowerCase())

const keyOf = ({ key }: DialogOption, index: number) => key ?? `${index + 1}`

function titleOf(dialog: Dialog): string[] {
  switch (dialog.type) {
    case 'loop':
      return [
        `The agent is ${describeState(dialog.finding)}. What now?`,
        ...evidenceOf(dialog.finding, dialog.since).map(
          ({ label, value }) => `  ${label.padEnd(7)} ${value}`,
        ),
      ]
    case 'hint':
      return ['Your hint to the model; an empty line goes back:']
    case 'approval':
      return [printable(dialog.approval.question)]
    case 'sessions':
      return ['Which conversation? An empty line: none']
    case 'models':
      return ['Which model? An empty line: the same as now']
    case 'trust':
      return ['Do you trust the configuration above? It came with this folder.']
    default:
      return never(dialog)
  }
}

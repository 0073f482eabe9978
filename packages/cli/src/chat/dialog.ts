import type { Choice } from '@unloop/agent'
import type { Finding } from 'unloop'
import { never } from '../never.js'
import { printable } from '../printable.js'
import { oneLine } from '../words.js'
import { duration } from './evidence.js'
import type { ChatState, Dialog, Item, Since } from './state.js'

/** One line of a dialog to choose from. */
export interface DialogOption {
  label: string
  /** what it does, in a few words */
  note: string
  value: DialogValue
}

/** What a chosen line means. */
export type DialogValue =
  | { type: 'choice'; choice: Choice }
  | { type: 'ask-for-hint' }
  | { type: 'approve'; answer: 'yes' | 'no' | 'always' }
  | { type: 'session'; index: number }

/** The dialog that is on the screen: a loop is decided about once its run has ended. */
export const openDialog = ({ dialog, isRunning }: ChatState): Dialog | undefined =>
  dialog?.type === 'loop' && isRunning ? undefined : dialog

/** The dialog about a loop, after what stands in the transcript. */
export function loopDialog(items: readonly Item[], finding: Finding, since?: Since): Dialog {
  const tool = toolOf(items, finding)
  return {
    type: 'loop',
    finding,
    ...(since && { since }),
    ...(tool !== undefined && { tool }),
    selected: 0,
  }
}

/** The tool of a loop, unless others take part in it: to allow the one would end with the call of the next. */
function toolOf(items: readonly Item[], { tool, kind, count, period }: Finding) {
  const begun = items.findLastIndex(({ type }) => type === 'person')
  const calls = items.slice(begun + 1).filter((item) => item.type === 'call' && item.name === tool)
  // each lap of a cycle has all its calls; the last call may have been stopped before it was seen
  const expected = kind === 'cycle' ? count * period : count
  return calls.length + 1 >= expected ? tool : undefined
}

/** The lines of a dialog; the first is what Esc does in that of a loop. */
export function optionsOf(dialog: Dialog, now: number): DialogOption[] {
  switch (dialog.type) {
    case 'loop':
      return loopOptions(dialog.tool)
    case 'hint':
      return []
    case 'approval':
      return [
        option('yes', 'run it', { type: 'approve', answer: 'yes' }),
        option('no', 'refuse it', { type: 'approve', answer: 'no' }),
        option('always', `run ${dialog.approval.call.name} without asking in this session`, {
          type: 'approve',
          answer: 'always',
        }),
      ]
    case 'sessions':
      return dialog.sessions.map(({ title, messages, changedAt }, index) =>
        option(title, `${messages} messages, ${duration(now - changedAt)} ago`, {
          type: 'session',
          index,
        }),
      )
    default:
      return never(dialog)
  }
}

function loopOptions(tool: string | undefined): DialogOption[] {
  const choose = (choice: Choice): DialogValue => ({ type: 'choice', choice })
  return [
    option('stop', 'the prompt ends here (Esc)', choose({ type: 'stop' })),
    option('continue once', 'let this loop pass one more time', choose({ type: 'continue-once' })),
    ...(tool === undefined
      ? []
      : [option(`allow ${tool}`, 'its repeats are no loop', choose({ type: 'allow-tool' }))]),
    option('send a hint', 'tell the model something', { type: 'ask-for-hint' }),
    option('go back and retry', 'remove the loop from the history', choose({ type: 'go-back' })),
    option(
      'disable for this session',
      'nothing is looked for; the same request goes on',
      choose({ type: 'disable' }),
    ),
  ]
}

const option = (label: string, note: string, value: DialogValue): DialogOption => ({
  // names of tools and titles are somebody else's words
  label: oneLine(printable(label), 60),
  note: oneLine(printable(note), 120),
  value,
})

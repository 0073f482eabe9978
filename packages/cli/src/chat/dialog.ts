import type { Approval, Choice } from '@unloop/agent'
import type { Finding } from 'unloop'
import { type ChoiceName, choicesOf, plural } from 'unloop/words'
import { never } from '../never.js'
import { printable } from '../printable.js'
import { ago } from '../sessions/words.js'
import { oneLine } from '../words.js'
import { loopCalls } from './loop-calls.js'
import type { ChatState, Dialog, Item, Since } from './state.js'

/** One line of a dialog to choose from. */
export interface DialogOption {
  /** what chooses it at once, and means the same in every dialog; what is typed in a list filters it */
  key?: string
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
  | { type: 'session'; id: string }
  | { type: 'model'; name: string }
  | { type: 'trust'; isTrusted: boolean }

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
    calls: loopCalls(items, finding),
    selected: 0,
  }
}

/** The tool of a loop, unless others take part in it: to allow the one would end with the call of the next. */
function toolOf(items: readonly Item[], { tool, kind, count, period }: Finding) {
  const begun = items.findLastIndex(({ type }) => type === 'person')
  const name = printable(tool ?? '')
  const calls = items.slice(begun + 1).filter((item) => item.type === 'call' && item.name === name)
  // each lap of a cycle has all its calls; the last call may have been stopped before it was seen
  const expected = kind === 'cycle' ? count * period : count
  return calls.length + 1 >= expected ? tool : undefined
}

/** Asks before a tool runs; what is safe is selected. */
export const approvalDialog = (approval: Approval): Dialog => ({
  type: 'approval',
  approval,
  scopes: approval.scopes,
  selected: 1,
})

/** Asks before a configuration that needs trust takes effect; what is safe is selected. */
export const TRUST_DIALOG: Dialog = { type: 'trust', selected: 1 }

const trust = (isTrusted: boolean): DialogValue => ({ type: 'trust', isTrusted })

/** The lines of a dialog; the first is what Esc does in that of a loop. */
export function optionsOf(dialog: Dialog, now: number): DialogOption[] {
  switch (dialog.type) {
    case 'loop':
      return loopOptions(dialog)
    case 'hint':
      return []
    case 'approval':
      return [
        approve('yes', 'yes', 'run it'),
        approve('no', 'no', 'refuse it (Esc)'),
        approve('always', `always: ${dialog.scopes.join(', ')}`, 'do not ask again in this chat'),
      ]
    case 'sessions':
      return dialog.sessions.map(({ id, name, title, messages, changedAt }) =>
        option(
          name ?? title,
          [
            plural(messages, 'message'),
            ago(changedAt, now),
            ...(name === undefined ? [] : [title]),
          ].join(', '),
          { type: 'session', id },
        ),
      )
    case 'models':
      return dialog.models.map((name) => option(name, '', { type: 'model', name }))
    case 'trust':
      return [
        { ...option('yes', 'use it, and remember my answer', trust(true)), key: 'y' },
        {
          ...option('no', 'continue without it (Esc); unloop trust shows the file', trust(false)),
          key: 'n',
        },
      ]
    default:
      return never(dialog)
  }
}

const loopOptions = ({ tool, finding }: { tool?: string; finding: Finding }): DialogOption[] =>
  choicesOf({ tool, isBudget: finding.detector === 'budget' }).map(
    ({ name, key, label, effect }) => ({ ...option(label, effect, answerFor(name)), key }),
  )

const answerFor = (name: ChoiceName): DialogValue =>
  name === 'hint' ? { type: 'ask-for-hint' } : { type: 'choice', choice: { type: name } }

const approve = (answer: 'yes' | 'no' | 'always', label: string, note: string): DialogOption => ({
  ...option(label, note, { type: 'approve', answer }),
  key: answer.charAt(0),
})

const option = (label: string, note: string, value: DialogValue): DialogOption => ({
  // names of tools and titles come from outside
  label: oneLine(printable(label), 60),
  note: oneLine(printable(note), 120),
  value,
})

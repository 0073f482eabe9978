import type { Approval, Choice } from '@unloop/agent'
import type { Finding } from 'unloop'
import { plural } from 'unloop/words'
import { never } from '../never.js'
import { printable } from '../printable.js'
import { oneLine } from '../words.js'
import { showAgo } from './evidence.js'
import type { ChatState, Dialog, Item, Since } from './state.js'

/** Everything there is to choose, with its key: no key means two things, in whatever dialog. */
export const KEYS = {
  stop: '1',
  'continue-once': '2',
  allow: '3',
  hint: '4',
  'go-back': '5',
  disable: '6',
  yes: 'y',
  no: 'n',
  always: 'a',
} as const

/** One line of a dialog to choose from. */
export interface DialogOption {
  /** what chooses it at once; conversations have none, since there may be any number of them */
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
  | { type: 'session'; index: number }
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

/** Asks before a tool runs; what is safe is selected. */
export const approvalDialog = (approval: Approval): Dialog => ({
  type: 'approval',
  approval,
  selected: 1,
})

/** Asks before a configuration that needs trust takes effect; what is safe is selected. */
export const TRUST_DIALOG: Dialog = { type: 'trust', selected: 1 }

const trust = (isTrusted: boolean): DialogValue => ({ type: 'trust', isTrusted })

/** The lines of a dialog; the first is what Esc does in that of a loop. */
export function optionsOf(dialog: Dialog, now: number): DialogOption[] {
  switch (dialog.type) {
    case 'loop':
      return loopOptions(dialog.tool)
    case 'hint':
      return []
    case 'approval':
      return [
        approve('yes', 'run it'),
        approve('no', 'refuse it (Esc)'),
        approve('always', `run ${dialog.approval.call.name} without asking in this session`),
      ]
    case 'sessions':
      return dialog.sessions.map(({ title, messages, changedAt }, index) =>
        option(title, `${plural(messages, 'message')}, ${showAgo(now - changedAt)}`, {
          type: 'session',
          index,
        }),
      )
    case 'trust':
      return [
        { ...option('yes', 'use it, and remember my answer', trust(true)), key: KEYS.yes },
        {
          ...option('no', 'continue without it (Esc); unloop trust shows the file', trust(false)),
          key: KEYS.no,
        },
      ]
    default:
      return never(dialog)
  }
}

const loopOptions = (tool: string | undefined): DialogOption[] => [
  choose({ type: 'stop' }, 'stop', 'the prompt ends here (Esc)'),
  choose({ type: 'continue-once' }, 'continue once', 'ignore the next report of this loop'),
  ...(tool === undefined
    ? []
    : [choose({ type: 'allow' }, `allow ${tool}`, 'do not report its repeats')]),
  {
    ...option('send a hint', 'tell the model something', { type: 'ask-for-hint' }),
    key: KEYS.hint,
  },
  choose({ type: 'go-back' }, 'go back and retry', 'remove the loop from the history'),
  choose(
    { type: 'disable' },
    'disable for this session',
    'stop looking for loops; the request continues',
  ),
]

const choose = (choice: Choice, label: string, note: string): DialogOption => ({
  ...option(label, note, { type: 'choice', choice }),
  key: KEYS[choice.type],
})

const approve = (answer: 'yes' | 'no' | 'always', note: string): DialogOption => ({
  ...option(answer, note, { type: 'approve', answer }),
  key: KEYS[answer],
})

const option = (label: string, note: string, value: DialogValue): DialogOption => ({
  // names of tools and titles come from outside
  label: oneLine(printable(label), 60),
  note: oneLine(printable(note), 120),
  value,
})

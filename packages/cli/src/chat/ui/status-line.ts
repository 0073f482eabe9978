import { showCost, showCount } from 'unloop/words'
import { printable } from '../../printable.js'
import { oneLine } from '../../words.js'
import { openDialog } from '../dialog.js'
import type { ChatState } from '../state.js'
import { cut, widthOf } from './columns.js'
import { type Row, span, TONES } from './row.js'

/** Model, turns, tokens, guard; an early sign when a loop may be building up; and what failed in the guard. */
export function statusRows(state: ChatState, columns: number): Row[] {
  const { status, isRunning, fault } = state
  const { sign, dollars, name } = status
  const building =
    sign && isRunning
      ? ` · building up? ${sign.detector} ${showCount(Math.min(sign.count, sign.limit))} of ${showCount(sign.limit)}`
      : ''
  const keys = ` · ${keysOf(state)}`
  const facts = [
    ...(name === undefined ? [] : [name]),
    status.model,
    `turn ${status.turn}`,
    `${showCount(status.tokens)} tokens`,
    ...(dollars ? [showCost(dollars)] : []),
    `guard ${status.guard}`,
  ].map((fact) => oneLine(printable(fact), MAX_FACT))
  // one row, however narrow: what matters least goes first
  while (facts.length > 1 && widthOf(facts.join(' · ') + building + keys) > columns) facts.shift()
  const row = [
    span(facts.join(' · '), TONES.quiet),
    span(building, TONES.warn),
    span(keys, TONES.quiet),
  ]
  return [...(fault === undefined ? [] : [faultRow(fault, columns)]), cut(row, columns)]
}

const MAX_FACT = 60
// enough to tell which part it is
const MIN_FAULT = 20
const FAULT_ADVICE = ': the guard continues without it; please report this'

function faultRow(fault: string, columns: number): Row {
  const room = Math.max(MIN_FAULT, columns - FAULT_ADVICE.length - 3)
  return cut([span(`! ${oneLine(printable(fault), room)}${FAULT_ADVICE}`, TONES.bad)], columns)
}

function keysOf(state: ChatState): string {
  const { isLeaving, isRunning, asked, completion, search } = state
  const dialog = openDialog(state)
  if (isLeaving) return 'Ctrl+C again to leave'
  if (dialog?.type === 'hint') return 'Enter sends, Esc goes back'
  if (dialog && !asked.isListening) return 'one moment'
  switch (dialog?.type) {
    case 'loop':
      return '1 to 6, or arrows and Enter'
    case 'approval':
      return 'y n a, or arrows and Enter'
    case 'trust':
      return 'y n, or arrows and Enter'
    case 'sessions':
    case 'models':
      return 'type to filter, arrows and Enter, Esc: none'
  }
  if (search) return 'Enter sends it, Esc edits it, Ctrl+R the one before, Ctrl+G: none'
  if (completion) return 'Tab takes it, arrows choose, Esc: none'
  return isRunning ? 'Esc stops' : '/help'
}

import { Box } from 'ink'
import { showCount } from 'unloop/words'
import { printable } from '../../printable.js'
import { oneLine } from '../../words.js'
import { openDialog } from '../dialog.js'
import type { ChatState } from '../state.js'
import { Tone } from './tone.js'

/** Model, turns, tokens, guard; and an early sign when a loop may be building up. */
export function StatusLine({ state, columns }: { state: ChatState; columns: number }) {
  const { status, isRunning, fault } = state
  const { model, turn, tokens, guard, sign } = status
  const building = sign && isRunning ? ` · building up? ${sign.detector} ${signCount(sign)}` : ''
  const keys = ` · ${keysOf(state)}`
  const facts = [model, `turn ${turn}`, `${showCount(tokens)} tokens`, `guard ${guard}`].map(
    printable,
  )
  // one row, however narrow: what matters least goes first
  while (facts.length > 1 && (facts.join(' · ') + building + keys).length > columns) facts.shift()
  return (
    <Box flexDirection="column">
      {fault !== undefined && (
        <Tone tone="bad" wrap="truncate">
          {`! ${oneLine(fault, Math.max(MIN_FAULT, columns - FAULT_ADVICE.length - 3))}${FAULT_ADVICE}`}
        </Tone>
      )}
      <Tone tone="quiet" wrap="truncate">
        {facts.join(' · ')}
        {building !== '' && <Tone tone="warn">{building}</Tone>}
        {keys}
      </Tone>
    </Box>
  )
}

// enough to tell which part it is
const MIN_FAULT = 20
const FAULT_ADVICE = ': the guard continues without it; please report this'

const signCount = ({ count, limit }: { count: number; limit: number }) =>
  `${showCount(count)} of ${showCount(limit)}`

function keysOf(state: ChatState): string {
  const { isLeaving, isRunning, asked } = state
  const dialog = openDialog(state)
  if (isLeaving) return 'Ctrl+C again to leave'
  if (dialog?.type === 'hint') return 'Enter sends, Esc goes back'
  if (dialog && !asked.isListening) return 'one moment'
  if (dialog?.type === 'loop') return '1 to 6, or arrows and Enter'
  if (dialog?.type === 'approval') return 'y n a, or arrows and Enter'
  if (dialog?.type === 'trust') return 'y n, or arrows and Enter'
  if (dialog) return 'arrows and Enter'
  return isRunning ? 'Esc stops' : '/help'
}

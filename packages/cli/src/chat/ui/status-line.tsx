import { Box } from 'ink'
import { printable } from '../../printable.js'
import { number } from '../../words.js'
import type { ChatState } from '../state.js'
import { Tone } from './tone.js'

/** Model, turns, tokens, guard; and an early sign when a loop may be building up. */
export function StatusLine({ state, columns }: { state: ChatState; columns: number }) {
  const { status, isRunning } = state
  const { model, turn, tokens, guard, sign } = status
  const building = sign && isRunning ? ` · building up? ${sign.detector} ${signCount(sign)}` : ''
  const keys = ` · ${keysOf(state)}`
  const facts = [model, `turn ${turn}`, `${number(tokens)} tokens`, `guard ${guard}`].map(printable)
  // one row, however narrow: what matters least goes first
  while (facts.length > 1 && (facts.join(' · ') + building + keys).length > columns) facts.shift()
  return (
    <Box>
      <Tone tone="quiet" wrap="truncate">
        {facts.join(' · ')}
        {building !== '' && <Tone tone="warn">{building}</Tone>}
        {keys}
      </Tone>
    </Box>
  )
}

const signCount = ({ count, limit }: { count: number; limit: number }) =>
  `${number(count)} of ${number(limit)}`

function keysOf({ isLeaving, isRunning, dialog }: ChatState): string {
  if (isLeaving) return 'Ctrl+C again to leave'
  if (dialog?.type === 'hint') return 'Enter sends, Esc goes back'
  if (dialog) return 'a number, or arrows and Enter'
  return isRunning ? 'Esc stops' : '/help'
}

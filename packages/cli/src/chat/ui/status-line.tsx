import { Box } from 'ink'
import { printable } from '../../printable.js'
import { number } from '../../words.js'
import type { ChatState } from '../state.js'
import { Tone } from './tone.js'

/** Model, turns, tokens, guard; and an early sign when a loop may be building up. */
export function StatusLine({ state }: { state: ChatState }) {
  const { status, isRunning } = state
  const { model, turn, tokens, guard, sign } = status
  const facts = [model, `turn ${turn}`, `${number(tokens)} tokens`, `guard ${guard}`]
  return (
    <Box>
      <Tone tone="quiet">
        {printable(facts.join(' · '))}
        {sign && isRunning && (
          <Tone tone="warn">{` · building up? ${sign.detector} ${signCount(sign)}`}</Tone>
        )}
        {` · ${keysOf(state)}`}
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

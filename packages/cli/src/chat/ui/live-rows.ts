import { plural, showMs } from 'unloop/words'
import { printable } from '../../printable.js'
import { oneLine } from '../../words.js'
import type { ChatState } from '../state.js'
import { cut } from './columns.js'
import { answerRows } from './markdown/answer-rows.js'
import { type Row, span, TONES } from './row.js'

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
/** How long one picture of the spinner stands. */
export const SPIN_MS = 120

/** What is going on: the last rows of it, as many as there is room for, and for how long it has been going on. */
export function liveRows(state: ChatState, columns: number, room: number, now: number): Row[] {
  if (room < 1) return []
  const { live } = state
  const working = workingRow(state, now)
  const space = room - working.length
  const shown = live.calls.slice(-Math.max(1, space - 2))
  const more = live.calls.length - shown.length
  const calls = [
    ...shown.map(({ name, args }) =>
      cut([span(`› ${oneLine(`${name} ${args}`, columns)} …`)], columns),
    ),
    ...(more > 0 ? [[span(`  and ${plural(more, 'call')} more`, TONES.quiet)]] : []),
  ]
  const thought =
    live.reasoning === ''
      ? []
      : [
          [
            span(
              `~ ${oneLine(printable(live.reasoning.slice(-columns)), columns - 4)}`,
              TONES.quiet,
            ),
          ],
        ]
  const text = live.text === '' ? [] : answerRows(live.text, columns)
  const answer = text.length === 0 || live.isJoined ? text : [[], ...text]
  const above = [...thought, ...answer, ...calls]
  return [...(space > 0 ? above.slice(-space) : []), ...working]
}

/** A sign of life, and the time; while a question waits it is the person who is waited for. */
function workingRow({ isRunning, startedAt, dialog }: ChatState, now: number): Row[] {
  if (!isRunning || startedAt === undefined || dialog) return []
  const picture = SPINNER[Math.floor(now / SPIN_MS) % SPINNER.length]
  return [[span(`${picture} working, ${showMs(now - startedAt)}`, TONES.quiet)]]
}

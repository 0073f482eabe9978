import type { Finding } from 'unloop'
import type { CallState, ChatItem, ItemOf } from './item.js'

/** A call of a loop, short enough to be compared with the one above it. */
export interface LapCall {
  name: string
  args: string
  answer: string
  state: CallState
}

// two laps of three calls, or three of two; a card has no room for more
const SHOWN = 6
const MAX_CHARACTERS = 200

/** The last calls that a loop is made of, in their order. */
export const lastCallsOf = (
  items: readonly ChatItem[],
  { firstEvent, lastEvent }: Pick<Finding, 'firstEvent' | 'lastEvent'>,
): LapCall[] =>
  items
    .filter((item): item is ItemOf<'call'> => item.type === 'call')
    .filter(({ numbers: [at] = [-1] }) => at >= firstEvent && at <= lastEvent)
    .slice(-SHOWN)
    .map(({ name, args, output, state }) => ({
      ...{ name, state },
      ...{ args: toLine(args), answer: toLine(output) },
    }))

function toLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line
}

import type { TranscriptItem } from '@unloop/transcripts'
import { isMoment } from './amounts.js'

/** One call, or one answer without a call, and what it took. */
export interface Entry {
  /** number of the event */
  event: number
  /** the same for a copy of it in another transcript; 0 if that cannot be told */
  key: number
  at?: number
  model?: string
  tool?: string
  turns: number
  calls: number
  results: number
  errors: number
  input: number
  cached: number
  cacheWrite: number
  cacheWriteHour: number
  output: number
  /** dollars; unknown where the model has no price */
  cost?: number
  isRecorded?: true
}

export function startEntry({ event, run, number }: TranscriptItem): Entry {
  return {
    event: number,
    key: 0,
    ...(isMoment(event.at) && { at: event.at }),
    ...(run.model !== undefined && { model: run.model }),
    turns: 0,
    calls: 0,
    results: 0,
    errors: 0,
    input: 0,
    cached: 0,
    cacheWrite: 0,
    cacheWriteHour: 0,
    output: 0,
  }
}

/** All tokens, read and written. */
export const tokensOf = ({ input, output }: Pick<Entry, 'input' | 'output'>): number =>
  input + output

const AMOUNTS = ['input', 'cached', 'cacheWrite', 'cacheWriteHour', 'output'] as const

/** Shares what an answer took evenly among its calls; what does not divide is with the first. */
export function share(answer: Entry, calls: readonly Entry[]): void {
  const { length } = calls
  for (const [index, call] of calls.entries()) {
    for (const name of AMOUNTS) {
      const part = Math.floor(answer[name] / length)
      call[name] += index === 0 ? answer[name] - part * (length - 1) : part
    }
    if (answer.cost !== undefined) call.cost = (call.cost ?? 0) + answer.cost / length
    if (answer.model !== undefined) call.model = answer.model
    if (answer.isRecorded) call.isRecorded = true
  }
}

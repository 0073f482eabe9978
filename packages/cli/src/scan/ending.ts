import type { Run, TranscriptItem } from '@unloop/transcripts'
import { type AgentEvent, callKey } from 'unloop'
import type { Ending } from './run-report.js'

/** The course of a run, as far as it is needed to say how the run ended. */
export interface Course {
  add(item: TranscriptItem): void
  /** How it ended, if these are its loops. */
  endingOf(loops: readonly Stretch[]): Ending
}

/** From the first to the last event of a loop. */
interface Stretch {
  agent?: string
  from: number
  to: number
}

/** A call, a request, or something that was said; the same has the same key. */
interface Deed {
  key: string
  number: number
  agent: string | undefined
  id?: string | undefined
  isDone: boolean
}

// detectors look back 120 rounds
const DEEDS = 128

/** Nothing done yet. */
export function createCourse(): Course {
  const deeds: Deed[] = []
  const words: Deed[] = []
  let run: Run | undefined
  let last: AgentEvent['type'] | undefined
  let isTurnOver = false
  /** the last event that is not text, and the last of those before the last word */
  let pause = -1
  let pauseBefore = -1

  /** Whether something came after a loop that was no part of it: other work, a last word, a new request. */
  function isOver({ agent, from, to }: Stretch): boolean {
    // the main agent got over what a helper of it did, not the other way round
    const isMeant = (deed: Deed) => deed.agent === agent || deed.agent === run?.agent
    const isWithin = ({ number }: Deed) => number >= from && number <= to
    const known = new Set([...deeds, ...words].filter(isWithin).map(({ key }) => key))
    const isOther = (deed: Deed) =>
      deed.number > to && deed.isDone && isMeant(deed) && !known.has(deed.key)
    // what follows a chant without a pause belongs to it
    const word = last === 'text' && pauseBefore >= to ? words.at(-1) : undefined
    return (word && isOther(word)) || deeds.some(isOther)
  }

  return {
    add(item) {
      const { event, number } = item
      const { agent } = event
      run = item.run
      if (event.type === 'text') {
        remember(words, { key: event.text.slice(0, 200), number, agent, isDone: true })
        pauseBefore = pause
      } else if (event.type !== 'reasoning') pause = number
      if (event.type === 'prompt') {
        // two requests are never the same
        remember(deeds, { key: `prompt ${number}`, number, agent, isDone: true })
      }
      if (event.type === 'tool-call') {
        const { id, name, args } = event
        // arguments that were not recorded are never the same
        const key = args === undefined ? `${name} ${number}` : callKey(name, args)
        remember(deeds, { key, number, agent, id, isDone: false })
      }
      if (event.type === 'tool-result') {
        const { id } = event
        const call = deeds.findLast(
          (deed) => !deed.isDone && deed.id === id && deed.agent === agent,
        )
        if (call) call.isDone = true
      }
      if (event.type === 'turn-end') isTurnOver = true
      if (SILENT.has(event.type)) return
      isTurnOver = false
      last = event.type
    },
    endingOf(loops) {
      // a program that ends a run at a limit does not know that it was in a loop
      if (!loops.every(isOver)) return 'in-loop'
      if (run?.outcome) return run.outcome.kind
      return !last || isTurnOver || last === 'text' ? 'finished' : 'broke-off'
    },
  }
}

/** What tells nothing of what the agent does. */
const SILENT = new Set<AgentEvent['type']>([
  'turn-start',
  'turn-end',
  'usage',
  'retry',
  'compaction',
])

function remember(deeds: Deed[], deed: Deed): void {
  deeds.push(deed)
  if (deeds.length > DEEDS) deeds.shift()
}

import type { TranscriptItem } from '@unloop/transcripts'
import type { AgentEvent } from 'unloop'
import { costOf, type Price, type PriceList } from 'unloop/prices'
import { type Entry, share, startEntry } from './entry.js'
import { createEntryKeys, type EntryKeys } from './entry-key.js'
import { type Settlement, settle, shareTotal } from './settlement.js'

/** Writes down what each call of a run took. */
export interface Ledger {
  add(item: TranscriptItem): void
  /** All there is, up to now. */
  entries(): readonly Entry[]
}

// calls that are not answered yet
const MAX_OPEN = 1024

/** An empty ledger. */
export function createLedger(prices: PriceList): Ledger {
  const entries: Entry[] = []
  const speakers = new Map<string, Speaker>()
  const unanswered = new Map<string, Entry>()
  const settlements: Settlement[] = []
  const priceOf = createPriceFinder(prices)
  let hasTurns = false

  function speakerOf(agent: string): Speaker {
    const known = speakers.get(agent)
    if (known) return known
    const speaker = { keys: createEntryKeys(), step: startStep() }
    speakers.set(agent, speaker)
    return speaker
  }

  /** Ends an answer: what it took is shared among its calls. */
  function close(speaker: Speaker): void {
    const { answer, calls } = speaker.step
    speaker.step = startStep()
    if (!answer) return
    const [first] = calls
    if (first) {
      for (const one of calls) if (one.key === 0) one.key = speaker.keys.ofNameless(answer)
      first.turns += answer.turns
      return share(answer, calls)
    }
    answer.key = speaker.keys.ofAnswer(answer)
    entries.push(answer)
  }

  function spend(item: TranscriptItem, usage: Usage, { step }: Speaker): void {
    const { inputTokens = 0, outputTokens = 0, cost: recorded } = usage
    if (inputTokens + outputTokens === 0 && recorded !== undefined) {
      settlements.push({ at: startEntry(item), cost: recorded })
      return
    }
    step.isPaid = true
    step.answer ??= startEntry(item)
    const { answer } = step
    const model = usage.model ?? item.run.model
    if (model !== undefined) answer.model = model
    const price = recorded === undefined ? priceOf(model) : undefined
    const cost = recorded ?? (price && costOf(usage, price))
    if (cost !== undefined) answer.cost = (answer.cost ?? 0) + cost
    if (recorded !== undefined) answer.isRecorded = true
    answer.input += inputTokens
    answer.cached += usage.cachedTokens ?? 0
    answer.cacheWrite += usage.cacheWriteTokens ?? 0
    answer.cacheWriteHour += usage.cacheWriteHourTokens ?? 0
    answer.output += outputTokens
  }

  function call(item: TranscriptItem, { id, name }: Call, speaker: Speaker): void {
    const entry: Entry = { ...startEntry(item), tool: name, calls: 1 }
    entry.key = speaker.keys.ofCall(entry, id, item.run)
    entries.push(entry)
    speaker.step.calls.push(entry)
    if (id === undefined) return
    unanswered.set(`${item.event.agent} ${id}`, entry)
    if (unanswered.size > MAX_OPEN) unanswered.delete(unanswered.keys().next().value as string)
  }

  function answer(item: TranscriptItem, { id, name, isError }: Result, { step }: Speaker): void {
    step.isAnswered = true
    const named = `${item.event.agent} ${id}`
    const known =
      id === undefined ? step.calls.find(({ results }) => results === 0) : unanswered.get(named)
    unanswered.delete(named)
    const entry = known ?? { ...startEntry(item), ...(name !== undefined && { tool: name }) }
    if (!known) entries.push(entry)
    entry.results++
    if (isError) entry.errors++
  }

  return {
    add(item) {
      const { event } = item
      const speaker = speakerOf(event.agent ?? '')
      const { step } = speaker
      switch (event.type) {
        case 'turn-start':
          hasTurns = true
          close(speaker)
          speaker.step.answer = { ...startEntry(item), turns: 1 }
          return
        case 'prompt':
        case 'turn-end':
          return close(speaker)
        case 'usage':
          // where turns are not told, the next count of tokens is that of the next answer
          if (!hasTurns && step.isPaid) close(speaker)
          return spend(item, credible(event), speaker)
        case 'tool-call':
          if (!hasTurns && step.isAnswered) close(speaker)
          return call(item, event, speaker)
        case 'tool-result':
          return answer(item, event, speaker)
      }
    },
    entries() {
      for (const speaker of speakers.values()) close(speaker)
      shareTotal(entries)
      for (const one of settlements.splice(0)) settle(entries, one)
      return entries
    },
  }
}

/** One agent of a run, and the answer it is at. */
interface Speaker {
  keys: EntryKeys
  step: Step
}

/** An answer of the model with its calls, as long as it may go on. */
interface Step {
  answer: Entry | undefined
  calls: Entry[]
  isPaid: boolean
  isAnswered: boolean
}

type Usage = Extract<AgentEvent, { type: 'usage' }>
type Call = Extract<AgentEvent, { type: 'tool-call' }>
type Result = Extract<AgentEvent, { type: 'tool-result' }>

// a mistake of a program, which would drown all that is right
const MAX_AMOUNT = 1e12

/** What was used, without amounts that cannot be. */
function credible(usage: Usage): Usage {
  if (AMOUNTS.every((name) => (usage[name] ?? 0) <= MAX_AMOUNT)) return usage
  const kept = { ...usage }
  for (const name of AMOUNTS) if ((kept[name] ?? 0) > MAX_AMOUNT) delete kept[name]
  return kept
}

const AMOUNTS = [
  ...(['inputTokens', 'outputTokens', 'cachedTokens', 'cost'] as const),
  ...(['cacheWriteTokens', 'cacheWriteHourTokens', 'contextTokens'] as const),
] as const

const startStep = (): Step => ({ answer: undefined, calls: [], isPaid: false, isAnswered: false })

/** The price of a model; most answers are of the same one as the answer before. */
function createPriceFinder(prices: PriceList) {
  let last: string | undefined
  let price: Price | undefined
  return (model: string | undefined): Price | undefined => {
    if (model !== last) {
      last = model
      price = model === undefined ? undefined : prices.priceOf(model)
    }
    return price
  }
}

import { askForText } from './ask-for-text.js'
import { type Entry, isRequest } from './history.js'
import type { Message } from './message.js'
import { type Model, ModelError, type TokenUsage } from './model.js'
import { isWaitedFor, waitBeforeRetry } from './retry.js'
import { CHARACTERS_PER_TOKEN, estimateTokens } from './usage.js'

/** Who sums up, and how. */
export interface Summarizer {
  model: Model
  signal: AbortSignal
  /** how often a model that failed is asked again */
  retries: number
  onUsage(usage: TokenUsage): void
}

/** The tokens of the history up to an entry, as the model counted them. */
export interface Measure {
  tokens: number
  upTo: Entry
}

// a long answer and the results of a round of calls still fit into the last fifth
const FULL = 0.8
// what stays word for word; with the summary the history is then at most half full
const KEPT = 0.3
// the last round is what the model has asked for and not read yet, so it stays even if it is longer
const LAST_ROUND = 0.6

/** The system prompt for a summary. */
export const NOTES_PROMPT = `You keep the notes of an assistant whose conversation has become too long. Write what it needs to go on
without the messages below: what the person asked for, what was found out (names, paths, numbers), what was changed, what
was tried and did not work, and what is left to do. Plain sentences, no greeting.`

/** The tokens of the history: as the model counted them, and a guess for what came since. */
export function sizeOf(entries: readonly Entry[], measured: Measure | undefined): number {
  const index = measured ? entries.lastIndexOf(measured.upTo) : -1
  return (index < 0 ? 0 : (measured?.tokens ?? 0)) + estimateAll(entries.slice(index + 1))
}

/** Whether a history of this size has to be shortened before the model is asked again. */
export const isFull = (size: number, { contextTokens }: Model): boolean =>
  size > FULL * contextTokens

const estimateAll = (entries: readonly Entry[]) =>
  estimateTokens(entries.map(({ message }) => message))

/**
 * The entries with the older part told in a few words; the person's current request is kept, and so much of the end as a
 * context of `room` tokens has place for. Throws a `ModelError` if nobody could tell it, or the reason of the signal.
 */
export async function compact(
  entries: readonly Entry[],
  size: number,
  summarizer: Summarizer,
  room = summarizer.model.contextTokens,
): Promise<Entry[]> {
  const { contextTokens } = summarizer.model
  // the model's own count has the system prompt and the tools in it, and its tokenizer
  const scale = Math.max(1, size / estimateAll(entries))
  const start = firstKept(entries, room / scale)
  const kept = entries.slice(start)
  const request = entries.findLast(({ message }) => isRequest(message))
  const old = entries.slice(0, start).filter((entry) => entry !== request)
  // a summary takes the place of one message
  if (old.length < 2 || old.every(isSummary)) return [...entries]
  const summary = await summarize(
    entries.slice(0, start),
    (FULL * contextTokens) / scale,
    summarizer,
  )
  const told: Entry = {
    message: {
      role: 'user',
      content: `What happened before, in short:\n${summary}`,
      from: 'summary',
    },
    first: entries[0]?.first ?? 0,
    // a cut that goes back behind the summary must not take it away: there is nothing else left
    last: entries[0]?.first ?? 0,
  }
  return [told, ...(request && !kept.includes(request) ? [request] : []), ...kept]
}

const isSummary = ({ message }: Entry) => message.role === 'user' && message.from === 'summary'

/** The index from which on everything stays; never between a call and its result. */
function firstKept(entries: readonly Entry[], tokens: number): number {
  let start = entries.length
  let used = 0
  for (let index = entries.length - 1; index >= 0; index--) {
    used += estimateTokens(entries[index]?.message)
    if (used > tokens * (start === entries.length ? LAST_ROUND : KEPT)) break
    if (entries[index]?.message.role !== 'tool') start = index
  }
  return start
}

async function summarize(
  old: readonly Entry[],
  tokens: number,
  { model, signal, retries, onUsage }: Summarizer,
): Promise<string> {
  const pieces = old.flatMap(({ message }) => toPieces(message))
  let room = tokens * CHARACTERS_PER_TOKEN
  for (let attempt = 1; ; attempt++) {
    const content = `${fit(pieces, room)}\n\nWrite the notes now.`
    const request = {
      system: NOTES_PROMPT,
      messages: [{ role: 'user' as const, content }],
      tools: [],
    }
    try {
      const text = await askForText(model, request, signal, onUsage)
      if (text.trim() !== '') return text
      throw new ModelError('malformed', 'the summary is empty')
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      if (error.kind === 'too-long' && attempt <= retries) {
        room /= 2
        continue
      }
      const waitMs = waitBeforeRetry(error, attempt, retries)
      if (waitMs === undefined) throw error
      if (!(await isWaitedFor(waitMs, signal))) throw signal.reason
    }
  }
}

/** A message in plain words: no provider takes calls and results in a request that has no tools. */
function toPieces(message: Message): string[] {
  switch (message.role) {
    case 'user':
      return [`${message.from ? 'Note' : 'Person'}: ${message.content}`]
    case 'assistant':
      return message.content.flatMap((part) => {
        if (part.type === 'reasoning') return []
        if (part.type === 'text') return `Assistant: ${part.text}`
        return `Assistant calls ${part.name} with ${JSON.stringify(part.args)}`
      })
    case 'tool':
      return message.content.map(
        ({ name, output, isError }) => `${isError ? 'Error' : 'Result'} of ${name}: ${output}`,
      )
  }
}

// enough of a piece to know what it was about
const LEAST = 250
// small enough that not much more is left out than has to be
const STEP = 0.9

/** The pieces as one text of at most so many characters; the longest are shortened first. */
function fit(pieces: readonly string[], room: number): string {
  let text = pieces.join('\n')
  for (let limit = room; text.length > room && limit >= LEAST; limit *= STEP) {
    text = pieces.map((piece) => shortened(piece, limit)).join('\n')
  }
  return shortened(text, room)
}

function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text
  const mark = `\n[${text.length - Math.floor(limit)} characters left out]\n`
  const half = Math.max(0, Math.floor((limit - mark.length) / 2))
  return text.slice(0, half) + mark + text.slice(text.length - half)
}

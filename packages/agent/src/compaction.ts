import { curate, type Entry } from './history.js'
import type { Model, TokenUsage } from './model.js'
import { estimateTokens } from './usage.js'

// a long answer and the results of a round of calls still fit into the last fifth
const FULL = 0.8
// what stays word for word; with the summary the history is then at most half full
const KEPT = 0.3

const INSTRUCTIONS = `You keep the notes of an assistant whose conversation has become too long. Write what it needs to go on
without the messages below: what the person asked for, what was found out (names, paths, numbers), what was changed, what
was tried and did not work, and what is left to do. Plain sentences, no greeting.`

/** Whether the history has to be shortened before the model is asked again. */
export function isFull(entries: readonly Entry[], model: Model, lastInput: number): boolean {
  return (lastInput || estimateAll(entries)) > FULL * model.contextTokens
}

const estimateAll = (entries: readonly Entry[]) =>
  estimateTokens(entries.map(({ message }) => message))

/** The entries with the older part told in a few words; the person's current request is kept. */
export async function compact(
  entries: readonly Entry[],
  model: Model,
  lastInput: number,
  signal: AbortSignal,
  onUsage: (usage: TokenUsage) => void,
): Promise<Entry[]> {
  // the model's own count has the system prompt and the tools in it, and its tokenizer
  const scale = Math.max(1, lastInput / estimateAll(entries))
  const start = firstKept(entries, (KEPT * model.contextTokens) / scale)
  const old = entries.slice(0, start)
  if (old.length === 0) return [...entries]
  const request = old.findLast(({ message }) => message.role === 'user' && !message.from)
  const summary = await summarize(old, model, signal, onUsage)
  const told: Entry = {
    message: {
      role: 'user',
      content: `What happened before, in short:\n${summary}`,
      from: 'summary',
    },
    first: old[0]?.first ?? 0,
    // a cut that goes back behind the summary must not take it away: there is nothing else left
    last: old[0]?.first ?? 0,
  }
  const isLater = entries
    .slice(start)
    .some(({ message }) => message.role === 'user' && !message.from)
  return [told, ...(request && !isLater ? [request] : []), ...entries.slice(start)]
}

/** The index from which on everything fits; never between a call and its result. */
function firstKept(entries: readonly Entry[], tokens: number): number {
  let start = entries.length
  let used = 0
  for (let index = entries.length - 1; index >= 0; index--) {
    used += estimateTokens(entries[index]?.message)
    if (used > tokens) break
    if (entries[index]?.message.role !== 'tool') start = index
  }
  return start
}

async function summarize(
  old: readonly Entry[],
  model: Model,
  signal: AbortSignal,
  onUsage: (usage: TokenUsage) => void,
): Promise<string> {
  const messages = curate(old.map(({ message }) => message))
  let text = ''
  try {
    const request = {
      system: INSTRUCTIONS,
      messages: [...messages, { role: 'user' as const, content: 'Write the notes now.' }],
      tools: [],
    }
    for await (const event of model.stream(request, signal)) {
      if (event.type === 'text') text += event.text
      if (event.type === 'usage') onUsage(event)
    }
  } catch (error) {
    if (signal.aborted) throw error
  }
  return text || '(The earlier messages were dropped, and no summary could be made.)'
}

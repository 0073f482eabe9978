import type { AgentEvent } from '../../event.js'
import { createHearing } from '../../host/hearing.js'
import type { Any } from './any.js'

/** What the person said since the model last spoke; nothing if a tool has answered since. */
export function promptOf(items: readonly Any[], roleOf: (item: Any) => string): string | undefined {
  const roles = items.map(roleOf)
  const from = roles.lastIndexOf('assistant') + 1
  const said = items.filter((_, at) => at >= from && roles[at] === 'user')
  if (said.length === 0 || roles.includes('tool', from)) return
  return said.map((item) => textOf(item.content)).join('\n')
}

/** What came after the model last spoke. */
export const sinceModel = (items: readonly Any[], roleOf: (item: Any) => string): readonly Any[] =>
  items.slice(items.findLastIndex((item) => roleOf(item) === 'assistant') + 1)

/** A history that is heard from its beginning, maybe in parts. */
export interface Heard {
  readonly events: AgentEvent[]
  readonly isNew: ReturnType<typeof createHearing>
}

export const startHeard = (): Heard => ({ events: [], isNew: createHearing() })

/** The events of a history: words of the person beside the answers of tools are a request only if they are new. */
export function toHistory(events: readonly AgentEvent[], heard = startHeard()): AgentEvent[] {
  const { events: kept, isNew } = heard
  for (const event of events) {
    const before = kept.at(-1)
    if (event.type !== 'prompt') kept.push(event)
    else {
      const isRequest = isNew(event.text) || before?.type !== 'tool-result'
      if (before?.type === 'prompt') before.text = `${before.text}\n${event.text}`
      else if (isRequest) kept.push({ ...event })
    }
  }
  return kept
}

/** What the person newly said after the answers of tools, at the end of a history. */
export function newWords(history: readonly AgentEvent[]): string | undefined {
  const [before, last] = history.slice(-2)
  return before?.type === 'tool-result' && last?.type === 'prompt' ? last.text : undefined
}

/** The words in the content of a message. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (typeof part?.text === 'string' ? part.text : '')).join('\n')
}

/** Tokens of a turn. */
export const toUsage = (inputTokens = 0, outputTokens = 0, cachedTokens?: number): AgentEvent => ({
  type: 'usage',
  inputTokens,
  outputTokens,
  ...(cachedTokens && { cachedTokens }),
})

/** A server-sent event with the name that its data carries. */
export const toData = (data: { type: string; [field: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

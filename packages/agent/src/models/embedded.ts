import { NOTES_PROMPT } from '../compaction.js'
import type { Persona } from '../hand-off.js'
import { textOf } from '../message.js'
import type { Model, ModelEvent, ModelRequest } from '../model.js'
import { estimateTokens } from '../usage.js'
import { helpfulReply } from './embedded/helpful.js'
import type { Reply } from './embedded/reply.js'
import { nextId, readSituation } from './embedded/situation.js'
import { STUCK_KINDS, stuckReply } from './embedded/stuck.js'

export { STUCK_KINDS }

/** Two that share the tasks of the embedded model, so that they can hand them back and forth. */
export const demoPersonas: Record<string, Persona> = {
  planner: { instructions: 'You plan the work and hand it to coder.' },
  coder: { instructions: 'You do the work and hand it back to planner.' },
}

export interface EmbeddedOptions {
  /** a name of your own, since some rules go by it */
  name?: string
  /** milliseconds between two deltas */
  paceMs?: number
  contextTokens?: number
}

// some 80 words a second: fast enough to try things, slow enough to watch
const PACE_MS = 15
const DELTA = 8

/**
 * A model that needs no network: it answers from a script, always the same, and gets stuck when asked to
 * with `/stuck KIND`. With `/stuck KIND heed` it takes advice.
 */
export function createEmbeddedModel({
  name = 'demo',
  paceMs = PACE_MS,
  contextTokens = 100_000,
}: EmbeddedOptions = {}): Model {
  return {
    name: `embedded/${name}`,
    contextTokens,
    async *stream(request, signal) {
      const reply = replyTo(request, name)
      let count = 0
      for (const event of play(reply, request)) {
        signal.throwIfAborted()
        // a pause of nothing still lets others run
        if (paceMs > 0 || count++ % 64 === 0) await pause(paceMs, signal)
        yield event
      }
      yield {
        type: 'usage',
        inputTokens: estimateTokens([request.system, request.messages]),
        outputTokens: estimateTokens(reply),
      }
      yield { type: 'finish', reason: reply.calls ? 'tool-calls' : 'stop' }
    },
  }
}

function replyTo(request: ModelRequest, name: string): Reply {
  if (request.schema) return { text: JSON.stringify(verdict(request)) }
  if (request.system === NOTES_PROMPT) return { text: notesOn(request) }
  const situation = readSituation(request, name)
  const [, kind, heed] = situation.ask.match(/^\/stuck(?:\s+([\w-]+))?(?:\s+(heed))?\s*$/) ?? []
  if (situation.ask.startsWith('/stuck')) return stuckReply(kind ?? '', heed === 'heed', situation)
  return helpfulReply(situation)
}

/** The opinion of the embedded model as a judge: it knows when it was asked to get stuck. */
function verdict({ messages }: ModelRequest) {
  const isStuck = messages.some(
    ({ role, content }) => role === 'user' && content.includes('/stuck'),
  )
  return {
    unproductive_state_analysis: isStuck
      ? 'It reads line after line and never answers.'
      : 'It works.',
    unproductive_state_confidence: isStuck ? 0.95 : 0.1,
  }
}

/** The notes of the embedded model: how the conversation began, and where it is. */
function notesOn({ messages }: ModelRequest): string {
  const lines = messages.map(textOf).join('\n').split('\n')
  return [...lines.slice(0, 3), '…', ...lines.slice(-8, -2)]
    .map((line) => line.slice(0, 200))
    .join('\n')
}

function* play(
  { reasoning = '', text = '', calls = [] }: Reply,
  { messages }: ModelRequest,
): Generator<ModelEvent> {
  for (const delta of deltas(reasoning)) yield { type: 'reasoning', text: delta }
  for (const delta of deltas(text)) yield { type: 'text', text: delta }
  for (const [index, { name, args }] of calls.entries()) {
    yield { type: 'tool-call', id: nextId(messages, index), name, args }
  }
}

function* deltas(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += DELTA) yield text.slice(at, at + DELTA)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal.addEventListener('abort', abort, { once: true })
  })
}

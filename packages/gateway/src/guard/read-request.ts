import type { IncomingHttpHeaders } from 'node:http'
import { type AgentEvent, callKey } from 'unloop'
import {
  type Dialect,
  findProtocol,
  newWords,
  nextName,
  type ProtocolName,
  type Result,
  startHeard,
} from 'unloop/wire'
import type { Breath } from '../body/breath.js'
import { TooMuch } from '../body/json.js'
import type { ReadBody, Unread } from '../body/read.js'
import type { Config } from '../config/config.js'
import { withBriefArgs, withBriefOutput } from './brief.js'
import { withoutIds } from './call-ids.js'
import { cut } from './cut.js'
import { personWords } from './person.js'
import { picturesAfter } from './pictures.js'
import { createVoice, type Voice } from './voice.js'

// biome-ignore lint/suspicious/noExplicitAny: bodies as clients send them; whatever is wrong with them is the provider's to refuse
export type Body = any

/** What is known of a request to a model as long as its answer comes. All of it is small. */
export interface RequestFacts {
  protocol: ProtocolName
  /** the name of its history */
  whole: string
  /** the same, without what was said */
  place: string
  /** the provider keeps the history: the id that the request goes on from, and that of the whole conversation if it has one */
  thread: { before?: string | undefined; after?: string | undefined } | undefined
  /** the next request may name this answer instead of repeating the history */
  mayGoOnById: boolean
  hasTools: boolean
  /** what tells the conversation from others that stand at the same place, where nothing names it */
  voice?: Voice | undefined
  model: string
  /** the most tokens that the answer may have */
  maxTokens: number | undefined
}

/** A request to a model, understood. */
export interface ModelRequest extends RequestFacts {
  dialect: Dialect
  /** as it came, unpacked */
  bytes: Buffer
  /** a copy of ours */
  body: Body
  /** the copy is not what came: the provider would refuse that */
  isHealed: boolean
  breath: Breath
  history: AgentEvent[]
  /** the name of the history up to the last answer; undefined if the model has not answered yet */
  last: string | undefined
  /** the names of all that it has passed */
  passed: ReadonlySet<string>
  prompt: string | undefined
  /** what the person newly said after the answers of tools */
  interjection: string | undefined
  /** what the person may have said since the model last spoke, also beside the answers of tools */
  said: string
  results: Result[]
  /** the ids of the calls that they answer, as the client has them */
  answeredIds: string[]
  /** words for pictures that follow the answers of tools, by the id of the call */
  pictures: Map<string, string>
  /** equal for requests with the same system prompt and tools */
  persona: string
  isStream: boolean
}

/** The facts without the rest, which is not held as long as an answer takes. */
export const factsOf = ({
  protocol,
  whole,
  place,
  thread,
  mayGoOnById,
  hasTools,
  voice,
  model,
  maxTokens,
}: ModelRequest): RequestFacts => ({
  protocol,
  whole,
  place,
  thread,
  mayGoOnById,
  hasTools,
  voice,
  model,
  maxTokens,
})

/** What a request to a model says, or why it is not guarded. */
export async function readRequest(
  path: string,
  { bytes, body: given, breath }: Omit<ReadBody, 'size'>,
  { guardedMessages, guardedCalls }: Config['limits'],
): Promise<ModelRequest | Unread> {
  const protocol = findProtocol(path)
  if (!protocol) return { reason: 'unreadable' }
  try {
    const { name, dialect, model, heal } = protocol
    const body = heal && bytes.includes(UNSIGNED) ? healed(given, heal) : (given as Body)
    const field = listOf(name, body)
    const list: Body[] = Array.isArray(body[field]) ? body[field] : []
    if (list.length > guardedMessages) throw new TooMuch('messages')
    const { items, ids } = name === 'gemini' ? withoutIds(list) : { items: list }
    const plain: Body = ids
      ? { ...body, [field]: Array.isArray(body[field]) ? items : body[field] }
      : body
    const heard = startHeard()
    const history = heard.events
    let read = 0
    const count = createCallCount(guardedCalls)
    for (const part of partsOf(plain, field, items)) {
      dialect.history(part, heard)
      for (; read < history.length; read++) {
        const event = history[read] as AgentEvent
        count(event)
        history[read] = withBriefArgs(event)
        if (breath.isDue) await breath.take()
      }
    }
    const place = await placesOf(history, breath)
    const thread = dialect.thread?.(body)
    const before = thread?.before
    const tools = dialect.tools(body)
    const { results, ...words } = dialect.ask(
      items.length > MAX_ASKED ? { ...body, [field]: items.slice(-MAX_ASKED) } : plain,
    )
    return {
      protocol: name,
      dialect,
      bytes,
      body,
      breath,
      isHealed: body !== given,
      history,
      pictures: picturesAfter(body),
      last: before === undefined ? place.last : toPlace(before),
      whole: before === undefined ? place.whole : `${toPlace(before)} ${place.whole}`,
      place: place.whole,
      passed: place.passed,
      thread,
      mayGoOnById: thread !== undefined || (name === 'openai-responses' && body.store !== false),
      prompt: words.prompt,
      interjection: before === undefined ? newWords(history) : undefined,
      said: personWords(words.said),
      results: results.slice(-MAX_RESULTS),
      answeredIds: (ids ?? results.map(({ id }) => id)).slice(-MAX_RESULTS),
      hasTools: tools.length > 0,
      persona: callKey('persona', [systemOf(body), tools]),
      model: cut(String(model ?? body.model ?? ''), MAX_MODEL),
      isStream: body.stream === true || /:streamGenerateContent$/.test(path),
      maxTokens: limitOf(body),
    }
  } catch (error) {
    return { reason: error instanceof TooMuch ? error.reason : 'unreadable' }
  }
}

// what is asked of the model stands at the end; a client that gets no answers piles up no more than this
const MAX_ASKED = 2000
// as many calls as a run remembers
const MAX_RESULTS = 1000
// what takes about a millisecond to understand
const AT_ONCE = 200

/** The field with what was said so far. */
function listOf(name: ProtocolName, body: Body): string {
  if (name === 'gemini') return 'contents'
  return body.messages === undefined && name !== 'anthropic' ? 'input' : 'messages'
}

/** The same body with some of its messages at a time. */
function* partsOf(body: Body, field: string, items: readonly Body[]): Generator<Body> {
  if (items.length <= AT_ONCE) return yield body
  for (let at = 0; at < items.length; at += AT_ONCE)
    yield { ...body, [field]: items.slice(at, at + AT_ONCE) }
}

/** Counts calls, and the text of their arguments, which is JSON and has to be parsed. */
function createCallCount(most: number) {
  let calls = 0
  let characters = 0
  return (event: AgentEvent): void => {
    if (event.type !== 'tool-call') return
    if (typeof event.args === 'string') characters += event.args.length
    if (++calls > most || characters > MAX_ARGS) throw new TooMuch('calls')
  }
}

// the text of the largest context windows
const MAX_ARGS = 4 * 2 ** 20

/** The names of a history: of all of it, up to the last answer, and of all places that it passed. */
async function placesOf(history: readonly AgentEvent[], breath: Breath) {
  const end = history.findLastIndex(isModel)
  const passed = new Set<string>()
  let whole = ''
  let last: string | undefined
  for (const [at, event] of history.entries()) {
    whole = nextName(whole, withBriefOutput(event))
    passed.add(whole)
    if (at === end) last = whole
    if (breath.isDue) await breath.take()
  }
  return { last, whole, passed }
}

export const isModel = ({ type }: AgentEvent) =>
  type === 'text' || type === 'reasoning' || type === 'tool-call'

// as an SDK writes a thought that was cut
const UNSIGNED = '"signature":""'

/** The body with messages that the provider takes. */
function healed(body: Body, heal: (text: string) => string): Body {
  const messages = body.messages.map((message: Body) => {
    const text = JSON.stringify({ messages: [message] })
    return text.includes(UNSIGNED) ? JSON.parse(heal(text)).messages[0] : message
  })
  return { ...body, messages }
}

/** The request of a conversation that no name tells from others. */
export async function withVoice(request: ModelRequest): Promise<ModelRequest> {
  if (request.thread) return request
  const { last, whole, history, breath } = request
  const voice = createVoice()
  for (const event of history) {
    voice.hear(event)
    if (breath.isDue) await breath.take()
  }
  return {
    ...request,
    voice,
    last: last === undefined ? undefined : `${last} ${voice.name}`,
    whole: `${whole} ${voice.name}`,
  }
}

/** The place of a conversation that the provider keeps, by the id of its last answer or its own. */
export const toPlace = (id: string): string => `answer ${cut(id, MAX_ID)}`

const MAX_MODEL = 200
const MAX_ID = 200
// where personas differ they do so early; what changes from request to request, such as the date, comes later or is a number
const MAX_SYSTEM = 1000

function systemOf(body: Body): string {
  const { system, instructions, systemInstruction, messages = [] } = body
  const given = system ?? instructions ?? systemInstruction?.parts
  const spoken = messages.find?.(({ role }: Body) => role === 'system' || role === 'developer')
  return wordsOf(given ?? spoken?.content)
    .slice(0, 2 * MAX_SYSTEM)
    .replace(/\d+/g, '')
    .slice(0, MAX_SYSTEM)
}

/** The words of a system prompt; a line that Claude Code adds is another in each request. */
function wordsOf(content: Body): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .filter((text) => !text.startsWith('x-anthropic-billing-header'))
    .join('\n')
}

function limitOf({ max_tokens, max_completion_tokens, max_output_tokens, generationConfig }: Body) {
  const limit =
    max_completion_tokens ?? max_tokens ?? max_output_tokens ?? generationConfig?.maxOutputTokens
  return typeof limit === 'number' && limit > 0 && limit < 1e9 ? limit : undefined
}

/** The value of a header, if it is there once. */
export const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

import type { IncomingHttpHeaders } from 'node:http'
import { type AgentEvent, callKey } from 'unloop'
import { type Dialect, findProtocol, type ProtocolName, placeOf, type Result } from 'unloop/wire'
import { personWords } from './person.js'
import { picturesAfter } from './pictures.js'
import { createVoice, type Voice } from './voice.js'

// biome-ignore lint/suspicious/noExplicitAny: bodies as clients send them; whatever is wrong with them is the provider's to refuse
export type Body = any

/** A request to a model, understood. */
export interface ModelRequest {
  protocol: ProtocolName
  dialect: Dialect
  /** what is sent unless the body is changed */
  text: string
  /** a copy of ours */
  body: Body
  history: AgentEvent[]
  /** the name of the history up to the last answer; undefined if the model has not answered yet */
  last: string | undefined
  /** the name of all of it */
  whole: string
  /** the same, without what was said */
  place: string
  /** the provider keeps the history: the id that the request goes on from, and that of the whole conversation if it has one */
  thread: { before?: string | undefined; after?: string | undefined } | undefined
  prompt: string | undefined
  /** what the person may have said since the model last spoke, also beside the answers of tools */
  said: string
  results: Result[]
  /** words for pictures that follow the answers of tools, by the id of the call */
  pictures: Map<string, string>
  hasTools: boolean
  /** what tells the conversation from others that stand at the same place, where nothing names it */
  voice?: Voice
  /** equal for requests with the same system prompt and tools */
  persona: string
  model: string
  isStream: boolean
  /** the most tokens that the answer may have */
  maxTokens: number | undefined
}

/** What a request to a model says; undefined if it is none, or cannot be read. */
export function readRequest(path: string, given: string): ModelRequest | undefined {
  const protocol = findProtocol(path)
  if (!protocol) return
  try {
    const { name, dialect, model, heal } = protocol
    const text = heal ? heal(given) : given
    // some servers accept the mark that some programs put before their text
    const body: Body = JSON.parse(text.replace(/^\uFEFF/, ''))
    const pictures = picturesAfter(body)
    const history = dialect.history(body)
    const place = placeOf(history)
    const thread = dialect.thread?.(body)
    const before = thread?.before
    const tools = dialect.tools(body)
    return {
      protocol: name,
      dialect,
      text,
      body,
      history,
      pictures,
      last: before === undefined ? place.last : toPlace(before),
      whole: before === undefined ? place.whole : `${toPlace(before)} ${place.whole}`,
      place: place.whole,
      thread,
      ...withPrompt(dialect.ask(body)),
      hasTools: tools.length > 0,
      persona: callKey('persona', [systemOf(body), tools]),
      model: String(model ?? body.model ?? '').slice(0, MAX_MODEL),
      isStream: body.stream === true || /:streamGenerateContent$/.test(path),
      maxTokens: limitOf(body),
    }
  } catch {
    return undefined
  }
}

/** The request of a conversation that no name tells from others. */
export function withVoice(request: ModelRequest): ModelRequest {
  if (request.thread) return request
  const voice = createVoice(request.history)
  const { last, whole } = request
  return {
    ...request,
    voice,
    last: last === undefined ? undefined : `${last} ${voice.name}`,
    whole: `${whole} ${voice.name}`,
  }
}

const withPrompt = ({ prompt, said, results }: ReturnType<Dialect['ask']>) => ({
  prompt,
  said: personWords(said),
  results,
})

/** The place of a conversation that the provider keeps, by the id of its last answer or its own. */
export const toPlace = (id: string): string => `answer ${id.slice(0, MAX_ID)}`

const MAX_MODEL = 200
const MAX_ID = 200
// where personas differ they do so early; what changes from request to request, such as the date, comes later or is a number
const MAX_SYSTEM = 1000

function systemOf(body: Body): string {
  const { system, instructions, systemInstruction, messages = [] } = body
  const given = system ?? instructions ?? systemInstruction?.parts
  const spoken = messages.find?.(({ role }: Body) => role === 'system' || role === 'developer')
  return wordsOf(given ?? spoken?.content)
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

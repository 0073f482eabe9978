// Makes a recording of a request: its structure, our own words and the answers of tools stay. Prompts and descriptions of the client,
// which are long and not ours to publish, become stand-ins. Equal texts get equal stand-ins, different ones get different ones.
import type { Body, RecordedRequest } from '@unloop/testing'
import type { Take } from './tape.js'

// biome-ignore lint/suspicious/noExplicitAny: bodies of four protocols
type Any = any

/** Reduces the requests of one run; `ours` are the words that we have written ourselves. */
export function createReducer(ours: readonly string[]): (take: Take) => RecordedRequest {
  const longestFirst = [...ours].sort((a, b) => b.length - a.length)
  const known = new Map<string, string>()

  /** A word for each text, the same for the same. */
  function wordFor(text: string): string {
    const key = text.replace(/\d+/g, '').trim().slice(0, MAX_KEY)
    const word = known.get(key) ?? WORDS[known.size % WORDS.length] ?? ''
    known.set(key, word)
    return word
  }

  const toSystem = (text: string): string =>
    text.startsWith('x-anthropic-billing-header') || longestFirst.includes(text)
      ? text
      : `You are a coding agent, called ${wordFor(text)}.`

  /** A text of the client: its tag stays, and what it is about. */
  function toNote(text: string): string {
    if (text.trim().length <= MAX_SHORT) return text
    const tag = /^\s*<([a-z_-]+)[^>]*>/i.exec(text)?.[1]
    const word = wordFor(text)
    const note = ABOUT_SUMMARY.test(text.slice(0, 2000))
      ? `Write a summary of the conversation so far, as a checkpoint for whoever continues it (${word}).`
      : `A note of the client: ${word}.`
    return tag ? `<${tag}>\n${note}\n</${tag}>` : note
  }

  /** What the client says around our own words. */
  function toFrame(text: string): string {
    if (text.trim().length <= MAX_SHORT) return text
    return ABOUT_SUMMARY.test(text)
      ? `This conversation is continued from a previous conversation that was compacted; ${wordFor(text)} is its summary:\n`
      : `\n${toNote(text)}\n`
  }

  function toWords(text: string): string {
    const own = longestFirst.find((one) => text.includes(one))
    if (own === undefined) return toNote(text)
    const at = text.indexOf(own)
    return toFrame(text.slice(0, at)) + own + toFrame(text.slice(at + own.length))
  }

  /** The answer of a tool, which is ours but for notes that the client puts in. */
  function toAnswer(text: string): string {
    const clean = text.replace(/<(system-reminder)>[\s\S]*?<\/\1>/g, (note) => toNote(note))
    if (clean.length <= MAX_ANSWER) return clean
    return `${clean.slice(0, MAX_ANSWER / 2)}\n${clean.slice(-MAX_ANSWER / 4)}`
  }

  const textBy = (role: string): ((text: string) => string) => {
    if (role === 'system' || role === 'developer') return toSystem
    if (role === 'tool') return toAnswer
    return role === 'assistant' || role === 'model' ? (text) => text : toWords
  }

  /** Content of any protocol, with its texts changed. */
  function reduceContent(content: Any, change: (text: string) => string): Any {
    if (typeof content === 'string') return change(content)
    if (Array.isArray(content)) return content.map((part) => reduceContent(part, change))
    if (typeof content !== 'object' || content === null) return content
    if (content.type === 'tool_result')
      return { ...content, content: reduceContent(content.content, toAnswer) }
    const { functionResponse } = content
    if (functionResponse)
      return {
        ...content,
        functionResponse: {
          ...functionResponse,
          response: mapValues(functionResponse.response, (value) => reduceContent(value, toAnswer)),
        },
      }
    return typeof content.text === 'string' ? { ...content, text: change(content.text) } : content
  }

  function reduceItem(item: Any): Any {
    if (typeof item === 'string') return toWords(item)
    const { role, type, content, parts, output } = item
    if (/_output$/.test(type ?? '')) return { ...item, output: reduceContent(output, toAnswer) }
    const change = textBy(role ?? '')
    return {
      ...item,
      ...(content !== undefined && { content: reduceContent(content, change) }),
      ...(parts !== undefined && { parts: reduceContent(parts, change) }),
    }
  }

  function reduceBody(body: Body): Body {
    const { messages, contents, input, system, instructions, systemInstruction, tools } =
      body as Any
    const { client_metadata: metadata, ...rest } = body as Any
    return {
      ...rest,
      ...(metadata && {
        client_metadata: { session_id: metadata.session_id, thread_id: metadata.thread_id },
      }),
      ...(system !== undefined && { system: reduceContent(system, toSystem) }),
      ...(instructions !== undefined && { instructions: reduceContent(instructions, toSystem) }),
      ...(systemInstruction !== undefined && {
        systemInstruction: {
          ...systemInstruction,
          parts: reduceContent(systemInstruction.parts, toSystem),
        },
      }),
      ...(messages && { messages: messages.map(reduceItem) }),
      ...(contents && { contents: contents.map(reduceItem) }),
      ...(input && { input: typeof input === 'string' ? toWords(input) : input.map(reduceItem) }),
      ...(tools && { tools: tools.map(reduceTool) }),
    }
  }

  return ({ protocol, path, headers, body, answer }) => ({
    protocol,
    method: 'POST',
    path,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => MATTERS.test(name))),
    body: reduceBody(body),
    answer,
  })
}

const SCHEMA = { type: 'object' }

/** A tool by its name. */
function reduceTool(tool: Any): Any {
  const { type, name, function: made, functionDeclarations, input_schema } = tool
  if (functionDeclarations)
    return {
      functionDeclarations: functionDeclarations.map(({ name }: Any) => ({
        name,
        parametersJsonSchema: SCHEMA,
      })),
    }
  if (made) return { type, function: { name: made.name, parameters: SCHEMA } }
  if (input_schema) return { name, input_schema: SCHEMA }
  if (type === 'function') return { type, name, parameters: SCHEMA, strict: false }
  return { ...(type && { type }), ...(name && { name }) }
}

const mapValues = (object: object, change: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(object ?? {}).map(([name, value]) => [name, change(value)]))

// who sends it, and which session it belongs to
const MATTERS =
  /^(?:content-type|user-agent|originator|anthropic-version|x-app|x-goog-api-client|x-session-affinity|(?:x-)?(?:claude-code-)?(?:session|thread)-id)$/

const ABOUT_SUMMARY =
  /summar|compact(?:ed|ion)|checkpoint|continued from|previous conversation|state_snapshot|hand-?off/i

// a text of the client that is shorter says nothing that is worth a stand-in
const MAX_SHORT = 60
const MAX_KEY = 400
const MAX_ANSWER = 1200

// words, since numbers are taken for details that change
const WORDS = [
  ...['alder', 'birch', 'cedar', 'dogwood', 'elm', 'fir', 'ginkgo', 'hazel', 'ivy', 'juniper'],
  ...['kapok', 'larch', 'maple', 'nutmeg', 'oak', 'pine', 'quince', 'rowan', 'spruce', 'teak'],
  ...['umbra', 'vine', 'willow', 'yew', 'acacia', 'beech', 'cypress', 'date', 'ebony', 'fig'],
  ...['gum', 'holly', 'ironwood', 'jasmine', 'kola', 'lime', 'myrtle', 'neem', 'olive', 'palm'],
]

import { callKey } from '../call-key.js'
import type { AgentEvent } from '../event.js'
import type { Guard } from '../guard.js'
import { callsOf, type Link, linkOf, reasonOf, remember } from './link.js'
import type { Turn, WatchStream } from './watch-stream.js'

// biome-ignore lint/suspicious/noExplicitAny: bodies of requests and answers, as the provider has them
export type Any = any

/** What a request of an agent tells of its run. */
export interface Asked {
  /** the words of the person, where the request is about them */
  prompt?: string | undefined
  /** answers of tools, those of earlier turns included */
  results: Result[]
}

export interface Result {
  id: string
  /** what has the answer, in this field, where another can be put */
  part: Any
  field: string
}

/** How one provider says things; bodies are copies of ours, which may be changed. */
export interface Dialect {
  ask(body: Any): Asked
  /** Adds words for the model at the end. */
  advise(body: Any, advice: string): void
  /** An answer: what each of its pieces tells, or the only one, and the pieces that end it early. */
  stream(): { read(piece: Any): AgentEvent[]; end(): string }
  /** The answer of a model that has nothing more to do, whole or as server-sent events. */
  last(body: Any, words: string): object | string
}

/**
 * Makes requests of one run: tells the guard what they and their answers say, gives the model its advice, ends a chant,
 * and answers in the provider's place once the run has to end.
 */
export function createExchange(guard: Guard, adapter: string, watch: WatchStream) {
  const link = linkOf(guard, adapter)
  /** the answers that are coming; stands for the run too */
  const open = new Set<Turn>()

  return async (
    dialect: Dialect,
    text: string,
    send: (text: string) => Promise<Response>,
  ): Promise<Response> => {
    // a request beside one that waits for its answer belongs to somebody else; an answer that nobody reads is over
    const run = [...open].some(({ isWaiting }) => isWaiting) ? {} : open
    if (run === open) for (const turn of open) turn.finish()
    const {
      last,
      sent = text,
      advice,
    }: Plan = (link.isAlone(run) && link.attempt(() => prepare(link, dialect, text))) || {}
    if (last) return last

    const turn: Turn = {
      isWaiting: true,
      see(event) {
        if (!link.isAlone(open.has(turn) ? run : turn)) return false
        if (event.type !== 'tool-call') return link.see(event).type !== 'go'
        // a call that is refused ends nothing
        remember(link, event)
        return false
      },
      finish() {
        if (open.has(turn)) turn.see({ type: 'turn-end' })
        open.delete(turn)
      },
      fail(error) {
        // who was told to stop is not asked again
        if ((error as Any)?.name !== 'AbortError') turn.see({ type: 'retry' })
        turn.finish()
        throw error
      },
    }
    open.add(turn)
    let isHeard = false
    try {
      const response = await send(sent)
      isHeard = response.ok
      if (!isHeard) return response
      if (response.body && /event-stream/.test(`${response.headers.get('content-type')}`)) {
        turn.isWaiting = false
        return watch(response, dialect.stream(), turn, link.attempt)
      }
      // what cannot be read here cannot be read by the program either, which will say so
      const whole = await response
        .clone()
        .json()
        .catch(() => undefined)
      link.attempt(() => whole && dialect.stream().read(whole).forEach(turn.see))
      return response
    } finally {
      if (turn.isWaiting) turn.finish()
      if (!isHeard && advice) link.advise(advice)
    }
  }
}

/** What to answer instead of running a call of the last turn; who has no id tells its name and arguments. */
export function refusalOf(guard: Guard, id: string | undefined, name?: string, args?: unknown) {
  const link = linkOf(guard, 'tools')
  return link.attempt(() => {
    const calls = link.calls.filter(
      (call) =>
        call.turn === link.turn &&
        (id && call.id ? call.id === id : (name ?? call.name) === call.name),
    )
    const key = name && callKey(name, args)
    // arguments may have been parsed into others: then it is any of these, and runs unless all are refused
    const call =
      calls.find((call) => call.key === key) ??
      calls.find(({ verdict }) => !reasonOf(verdict)) ??
      calls[0]
    return reasonOf(call?.verdict)
  })
}

interface Plan {
  sent?: string
  advice?: string | undefined
  last?: Response
}

/** Reads a request before it is sent; gives the text to send if it changed, or the last answer of the run. */
function prepare(link: Link, dialect: Dialect, text: string): Plan {
  const body = JSON.parse(text)
  const { prompt, results } = dialect.ask(body)
  let isChanged = false
  if (prompt !== undefined) link.see({ type: 'prompt', text: prompt, model: body.model })
  const calls = callsOf(
    link,
    results.map(({ id }) => id),
  )
  for (const [at, { id, part, field }] of results.entries()) {
    const call = calls[at]
    // what this guard has not seen is the past of another run
    if (!call) continue
    const refused = reasonOf(call.verdict)
    const output = part[field]
    const isError = refused !== undefined || part.is_error === true
    call.answer ??= link.see({ type: 'tool-result', id, output: refused ?? output, isError })
    const instead = refused ?? reasonOf(call.answer) ?? output
    if (instead === output) continue
    part[field] = instead
    isChanged = true
  }
  const { stopped } = link
  if (stopped) {
    const last = dialect.last(body, `Stopped: ${stopped.detail}.`)
    if (typeof last !== 'string') return { last: Response.json(last) }
    return { last: new Response(last, { headers: { 'content-type': 'text/event-stream' } }) }
  }
  link.see({ type: 'turn-start' })
  const advice = link.takeAdvice()
  if (advice) dialect.advise(body, advice)
  return { sent: isChanged || advice ? JSON.stringify(body) : text, advice }
}

/** What the person said since the model last spoke; nothing if a tool has answered since. */
export function promptOf(items: readonly Any[], roleOf: (item: Any) => string): string | undefined {
  const roles = items.map(roleOf)
  const from = roles.lastIndexOf('assistant') + 1
  const said = items.filter((_, at) => at >= from && roles[at] === 'user')
  if (said.length === 0 || roles.includes('tool', from)) return
  return said.map((item) => textOf(item.content)).join('\n')
}

/** The words in the content of a message. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (typeof part?.text === 'string' ? part.text : '')).join('\n')
}

/** Tokens of a turn. */
export const toUsage = (inputTokens = 0, outputTokens = 0): AgentEvent => ({
  type: 'usage',
  inputTokens,
  outputTokens,
})

/** A server-sent event with the name that its data carries. */
export const toData = (data: { type: string; [field: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

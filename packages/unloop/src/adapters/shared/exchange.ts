import type { AgentEvent } from '../../event.js'
import type { Guard } from '../../guard.js'
import { callsWith, type Run, reasonOf, runOf, showCall, showResult } from '../../host/run.js'
import { callKey, fromJsonText } from '../../reading/call-key.js'
import { isAlone } from './alone.js'
import type { Any } from './any.js'
import type { Turn, Watch } from './watch-stream.js'

/** What a request of an agent tells of its run. */
export interface Asked {
  /** the words of the person, where the request is about them */
  prompt?: string | undefined
  /** answers of tools, those of earlier turns included */
  results: Result[]
}

export interface Result {
  id: string
  /** what has the answer, as its output or content, where another can be put */
  part: Any
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
export function createExchange(guard: Guard, adapter: string, watch: Watch) {
  const link = runOf(guard, adapter)
  /** the answer that is coming */
  let current: Turn | undefined
  /** the last request, if it got no answer */
  let unheard: string | undefined
  let run = {}
  /** whether the answer that is coming may have calls */
  let hasTools = false

  return async (
    dialect: Dialect,
    text: string,
    send: (text: string) => Promise<Response>,
  ): Promise<Response> => {
    const body: Any = fromJsonText(text)
    const { prompt, results } = link.attempt(() => dialect.ask(body)) ?? {}
    if (!results) return send(text)
    const calls = callsWith(
      link,
      results.map(({ id }) => id),
    )
    const isBeside = current?.isWaiting
    if (!body.tools && !calls.some(Boolean) && (isBeside || isBusy(link))) return send(text)
    /** nothing if the body was changed */
    let sent: string | undefined = text
    let advice: string | undefined

    /** Shows what the request says, and makes of it what is to be sent; gives the last answer of a run that has to end. */
    const prepare = (): Response | undefined => {
      // asked again, it is not new
      if (prompt !== undefined && text !== unheard)
        link.decide({ type: 'prompt', text: prompt, model: body.model })
      unheard = undefined
      for (const [at, { id, part }] of results.entries()) {
        const call = calls[at]
        // what this guard has not seen is the past of another run
        if (!call) continue
        const refused = reasonOf(call.verdict)
        const field = 'output' in part ? 'output' : 'content'
        const output = part[field]
        const verdict = showResult(
          link,
          {
            type: 'tool-result',
            id,
            output: refused ?? output,
            isError: Boolean(refused ?? part.is_error),
          },
          call,
        )
        part[field] = refused ?? reasonOf(verdict) ?? output
        if (part[field] !== output) sent = undefined
      }
      const stopped = link.stopped
      if (stopped) {
        const last = dialect.last(body, `Stopped: ${stopped.detail}.`)
        return typeof last === 'string'
          ? new Response(last, { headers: { 'content-type': 'text/event-stream' } })
          : Response.json(last)
      }
      link.decide({ type: 'turn-start' })
      advice = link.takeAdvice()
      if (!advice) return
      dialect.advise(body, advice)
      sent = undefined
    }

    // beside one that waits for its answer, this is another run, or that was none; an answer that nobody reads is over
    if (isBeside && hasTools) run = {}
    else current?.finish()
    hasTools = Boolean(body.tools)
    const last = isAlone(link, run) && link.attempt(prepare)
    if (last) return last

    const turn: Turn = {
      isWaiting: true,
      see(event) {
        const isOver = turn !== current
        if ((isOver && !body.tools) || !isAlone(link, isOver ? turn : run)) return false
        if (event.type !== 'tool-call') return link.decide(event).type !== 'go'
        // a call that is refused ends nothing
        showCall(link, event)
        return false
      },
      finish() {
        if (turn !== current) return
        turn.see({ type: 'turn-end' })
        current = undefined
      },
      lose(error) {
        // who was told to stop is not asked again
        if (error?.name !== 'AbortError') {
          unheard = text
          turn.see({ type: 'retry' })
        }
        if (advice) link.advise(advice)
        turn.finish()
        if (error) throw error
      },
    }
    current = turn
    const response = await send(sent ?? JSON.stringify(body)).catch(turn.lose)
    turn.isWaiting = false
    if (response.body && response.ok) return watch(response, dialect.stream(), turn, link.attempt)
    turn.lose()
    return response
  }
}

/**
 * Whether a request without tools, and of nothing that we know, is none of the run: a tool asks for itself while its call waits for
 * the answer, or somebody for a title after a stop.
 */
export function isBusy(link: Run): boolean {
  const calls = link.stopped ? link.calls : lastCalls(link).filter(({ answer }) => !answer)
  return calls.length > 0
}

const lastCalls = ({ calls, turn }: Run) => calls.filter((call) => call.turn === turn)

/** What to answer instead of running a call of the last turn; who has no id tells its name and arguments. */
export function refusalOf(guard: Guard, id: string | undefined, name?: string, args?: unknown) {
  const link = runOf(guard, 'tools')
  return link.attempt(() => {
    if (!link.turn && !guard.events && link.outcome !== 'unguarded')
      link.giveUp('tools are run, but no request was seen')
    const calls = lastCalls(link).filter((call) =>
      id && call.id ? call.id === id : !name || call.name === name,
    )
    // arguments may have been parsed into others: then it is any of these, and runs unless all are refused
    const call =
      calls.find(({ key }) => name && key === callKey(name, args)) ??
      calls.find(({ verdict }) => !reasonOf(verdict)) ??
      calls[0]
    return reasonOf(call?.verdict)
  })
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

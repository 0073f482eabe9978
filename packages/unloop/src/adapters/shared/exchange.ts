import type { AgentEvent } from '../../event.js'
import type { Guard } from '../../guard.js'
import { type Guards, isGuards } from '../../host/guards.js'
import { createLineage, type Lineage, nextName, placeOf } from '../../host/lineage.js'
import { resume } from '../../host/resume.js'
import {
  callsWith,
  hasFound,
  type Run,
  reasonOf,
  runOf,
  settleRound,
  showCall,
  showResult,
} from '../../host/run.js'
import { fromJsonText } from '../../reading/call-key.js'
import { HOST } from '../../state/host.js'
import type { Any } from './any.js'
import { checkGuard } from './given.js'
import { goesOnAs, isBusy, keep, noteOwner, standsAt } from './refusal.js'
import type { Turn, Watch } from './watch-stream.js'
import { type Heard, newWords } from './words.js'

/** What a request of an agent tells of its run. */
export interface Asked {
  /** the words of the person, where the request is about them */
  prompt?: string | undefined
  /** all words of the person since the model last spoke, those beside the answers of tools included */
  said: string
  /** answers of tools, those of earlier turns included */
  results: Result[]
}

export interface Result {
  id: string
  /** what the call may be known by, if it had no id and the client gave it one */
  name?: string | undefined
  /** what has the answer, as its output or content, where another can be put */
  part: Any
}

/** How one provider says things; bodies are copies of ours, which may be changed. */
export interface Dialect {
  ask(body: Any): Asked
  /** Everything that a request says of its conversation, oldest first, after what was heard of it before. */
  history(body: Any, heard?: Heard): AgentEvent[]
  /** An event without the id that a client may have given to a call that had none, or its answer. */
  bare?<Event extends AgentEvent>(event: Event): Event
  /** Where the provider keeps the history: the id that the request goes on from, and the one that the next will, if it is not the answer's. */
  thread?(body: Any): { before?: string | undefined; after?: string | undefined } | undefined
  /** The names of the tools that it offers. */
  tools(body: Any): string[]
  /** Adds words for the model at the end. */
  advise(body: Any, advice: string): void
  /** An answer: what each of its pieces tells, or the only one, the pieces that end it early, and its id if requests can refer to it. */
  stream(): { read(piece: Any): AgentEvent[]; end(): string; id?(): string | undefined }
  /** The answer of a model that has nothing more to do, whole or as server-sent events. */
  last(body: Any, words: string): object | string
}

/** What is known of the run of one guard between requests. */
interface Talk {
  run: Run
  lineage: Lineage
  /** the answer that is coming */
  current?: Turn | undefined
  /** the last request, if it got no answer */
  unheard?: string | undefined
}

/** All clients of one guard are one run. */
const talks = new WeakMap<Guard, Talk>()

// enough to know a conversation by its tools
const MAX_TOOLS = 100

/**
 * Makes requests of agents: tells the guard what they and their answers say, gives the model its advice, ends a chant,
 * and answers in the provider's place once the run has to end.
 */
export function createExchange(guard: Guard | Guards, adapter: string, watch: Watch) {
  checkGuard(guard, adapter)
  const guards = isGuards(guard) ? guard : undefined
  /** where conversations stand whose requests refer to the answer before, by its id */
  const answers = new Map<string, string>()
  let requests = 0

  function talkOf(own: Guard): Talk {
    const talk = talks.get(own) ?? { run: runOf(own, adapter), lineage: createLineage() }
    talks.set(own, talk)
    return talk
  }

  /** The guard of a conversation that stands at one of these, under a name that no other request has meanwhile. */
  async function find(
    all: Guards,
    lasts: readonly (string | undefined)[],
    name: string,
  ): Promise<Guard> {
    for (const last of lasts) {
      const found = last === undefined ? undefined : await all.take(last, name)
      if (found) return found
    }
    return all.of(name)
  }

  return async (
    dialect: Dialect,
    text: string,
    send: (text: string) => Promise<Response>,
  ): Promise<Response> => {
    const body: Any = fromJsonText(text)
    const read = attempt(() => {
      const history = dialect.history(body)
      return {
        history,
        place: placeOf(history),
        bare: dialect.bare && placeOf(history.map(dialect.bare)),
        thread: dialect.thread?.(body),
        ...dialect.ask(body),
      }
    })
    if (!read) return send(text)
    const { history, place, bare, thread, results } = read
    const lasts = thread?.before === undefined ? [place.last, bare?.last] : [nameOf(thread.before)]
    const { whole } = place
    const name = `${whole} ${++requests}`
    const talk = talkOf(guards ? await find(guards, lasts, name) : (guard as Guard))
    const { run, lineage } = talk
    const last = lasts.find(lineage.knows) ?? lasts[0]
    if (guards && last !== undefined) goesOnAs(guards, last, run)
    const tools = run.attempt(() => dialect.tools(body)) ?? []
    const known = run.guard[HOST].tools
    // a guard that knows nothing of a conversation reads what it missed
    if (run.guard.events === 0 && !run.stopped) resume(run, history)
    const calls = callsWith(
      run,
      results.map(({ id, name = id }) => (run.calls.some((call) => call.id === id) ? id : name)),
    )
    const { current } = talk
    const isBeside = current?.isWaiting
    const isOfRun = calls.some(Boolean) || lineage.knows(last)
    const isDuring = isBeside || isBusy(run)
    // titles, summaries, classifiers have other tools or none; what has called some already is an agent
    const isForeign = known.length > 0 && !tools.some((tool) => known.includes(tool))
    const isAside = isForeign ? isDuring || results.length === 0 : isDuring && tools.length === 0
    if (!guards && !isOfRun && isAside) return send(text)
    /** nothing if the body was changed */
    let sent: string | undefined = text
    let advice: string | undefined

    /** Shows what the request says, and makes of it what is to be sent; gives the last answer of a run that has to end. */
    const prepare = (): Response | undefined => {
      for (const [at, { id, part }] of results.entries()) {
        const call = calls[at]
        // what this guard has not seen is the past of another run
        if (!call) continue
        const refused = reasonOf(call.verdict)
        const field = 'output' in part ? 'output' : 'content'
        const output = part[field]
        const isError = Boolean(refused ?? part.is_error)
        const answer = { type: 'tool-result', id, output: refused ?? output, isError } as const
        const verdict = showResult(run, answer, call)
        part[field] = refused ?? reasonOf(verdict) ?? output
        if (part[field] !== output) sent = undefined
      }
      // where the provider has the history, nothing tells whether words are new; whether a program will repeat them shows later
      const isDue = thread?.before === undefined && hasFound(run)
      const { prompt = isDue ? newWords(history) : undefined } = read
      // asked again, it is not new
      if (prompt !== undefined && text !== talk.unheard)
        run.decide({ type: 'prompt', text: prompt, model: body.model })
      talk.unheard = undefined
      const stopped = run.stopped
      if (stopped) {
        const words = dialect.last(body, `Stopped: ${stopped.detail}.`)
        const headers = { 'x-unloop-outcome': 'stopped' }
        return typeof words === 'string'
          ? new Response(words, { headers: { ...headers, 'content-type': 'text/event-stream' } })
          : Response.json(words, { headers })
      }
      run.decide({ type: 'turn-start' })
      advice = run.takeAdvice()
      if (!advice) return
      dialect.advise(body, advice)
      sent = undefined
    }

    // an answer that nobody reads is over; beside one that is read, this is another conversation
    if (!isBeside) current?.finish()
    const way = lineage.enter(last)
    if (way === 'shared') run.giveUp(SHARED)
    if (run.outcome === 'unguarded') return send(text)
    // it was left for a request on the side, whose prompt reset the guard, or it was taken for one itself
    if (way === 'other' || (isForeign && !isOfRun)) resume(run, history)
    if (tools.length > 0) run.guard[HOST].tools = tools.slice(0, MAX_TOOLS)
    const lastAnswer = run.attempt(prepare)
    if (lastAnswer) {
      void guards?.save(name, whole)
      return lastAnswer
    }

    const reader = dialect.stream()
    let standing = whole
    /** where it stands for a client that makes up ids, if the model gave its calls none */
    let standingBare = bare?.whole ?? ''
    let isBare = false
    const turn: Turn = {
      isWaiting: true,
      see(event) {
        const isOver = turn !== talk.current
        if (isOver && tools.length > 0) run.giveUp(SHARED)
        if (isOver || run.outcome === 'unguarded') return false
        standing = nextName(standing, event)
        if (dialect.bare) standingBare = nextName(standingBare, dialect.bare(event))
        isBare ||= event.type === 'tool-call' && event.id === dialect.bare?.(event).id
        if (event.type !== 'tool-call') return run.decide(event).type !== 'go'
        // a call that is refused ends nothing
        showCall(run, event)
        if (guards) noteOwner(guards, run, event)
        return false
      },
      finish() {
        if (turn !== talk.current) return
        turn.see({ type: 'turn-end' })
        settleRound(run)
        talk.current = undefined
        const id = thread?.after ?? reader.id?.()
        if (thread && id !== undefined) standing = toName(id)
        else if (isBare) standing = standingBare
        lineage.leave(standing)
        if (guards) standsAt(guards, run, standing)
        if (id !== undefined) keep(answers, id, standing)
        void guards?.save(name, standing)
      },
      lose(error) {
        // who was told to stop is not asked again
        if (error?.name !== 'AbortError') {
          talk.unheard = text
          turn.see({ type: 'retry' })
        }
        if (advice) run.advise(advice)
        if (turn === talk.current) {
          turn.see({ type: 'turn-end' })
          talk.current = undefined
        }
        if (last !== undefined) void guards?.save(name, last)
        if (error) throw error
      },
    }
    talk.current = turn
    const response = await send(sent ?? JSON.stringify(body)).catch(turn.lose)
    turn.isWaiting = false
    if (response.body && response.ok) return watch(response, reader, turn, run.attempt)
    turn.lose()
    return response
  }

  /** Where the conversation stands that an answer belongs to. */
  function nameOf(id: string): string {
    return answers.get(id) ?? toName(id)
  }
}

const toName = (id: string) => `answer ${id}`

const SHARED = 'two runs at once share this guard; createGuards() gives each conversation its own'

/** What cannot be read is none of ours. */
function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

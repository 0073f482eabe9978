import type { AgentEvent } from '../../event.js'
import { resume } from '../../host/resume.js'
import {
  type CallEvent,
  callsWith,
  type Run,
  reasonOf,
  type SeenCall,
  showResult,
  type Verdict,
} from '../../host/run.js'
import { LoopError } from '../../loop-error.js'
import type { Any } from '../shared/any.js'
import { promptOf, toUsage } from '../shared/words.js'
import {
  isFailed,
  lastEvents,
  outputOf,
  roleOf,
  toDone,
  toEvents,
  toItems,
  toResponse,
  toWord,
} from './items.js'

/** What one run of an agent says to its models and hears from them. */
export interface Turns {
  readonly run: Run
  /** what the last request and its answer said, for those who look for this conversation later */
  readonly history: readonly Any[]
  guardModel(model: Any): Any
}

export interface TurnsOptions {
  /** the first request brings new words of the person */
  isNew: boolean
  /** Asked before each request and each event: false if this run cannot be watched. */
  isWatched(request?: Any): boolean
  /** Told when the model has made calls, and when it is asked again. */
  onCalls?(isRunning: boolean): void
  /** Told of the error that ends the run, before anybody catches it. */
  onError?(error: LoopError): void
}

/** Guards the turns of one run. */
export function createTurns(run: Run, { isNew, isWatched, onCalls, onError }: TurnsOptions): Turns {
  /** what the model is told with this request */
  let advice: string | undefined
  let isFirst = isNew
  let history: readonly Any[] = []

  const see = (event: AgentEvent): Verdict => (isWatched() ? run.decide(event) : { type: 'go' })

  /** The request as it is to be sent; nothing if the run has to end. */
  function prepare(request: Any): Any {
    const items = toItems(request.input)
    onCalls?.(false)
    if (!isWatched(request)) return request
    history = items
    if (isFirst) begin(items, request)
    isFirst = false
    const isAnswer = (item: Any) => roleOf(item) === 'tool'
    const calls = callsWith(
      run,
      items.filter(isAnswer).map(({ callId }) => callId),
    )
    const input = items.map((item) => (isAnswer(item) ? judge(item, calls.shift()) : item))
    if (run.stopped) return
    see({ type: 'turn-start' })
    advice = run.takeAdvice()
    if (advice !== undefined) input.push({ role: 'user', content: advice })
    const isSame = input.length === items.length && input.every((item, at) => item === items[at])
    return isSame ? request : { ...request, input }
  }

  /** Shows what the person said; a guard that knows nothing is shown what was before. */
  function begin(items: readonly Any[], request: Any): void {
    const prompt = promptOf(items, roleOf)
    if (isUnused(run)) resume(run, toEvents(items, namesOf(request)))
    if (prompt !== undefined) see({ type: 'prompt', text: prompt })
  }

  /** An answer of a tool, or the reason in its place. */
  function judge(item: Any, call: SeenCall | undefined): Any {
    if (!call) return item
    const { callId: id, name } = item
    const refused = reasonOf(call.verdict)
    const output = refused ?? outputOf(item)
    const isError = refused !== undefined || isFailed(output)
    const verdict = showResult(run, { type: 'tool-result', id, name, output, isError }, call)
    const reason = refused ?? reasonOf(verdict)
    if (reason === undefined || reason === outputOf(item)) return item
    return { ...item, output: reason }
  }

  /** The words of a run that has ended; who wants JSON cannot read them. */
  function lastWords({ outputType }: Any): string {
    const finding = run.stopped
    if (finding && outputType !== 'text') {
      const error = new LoopError(finding)
      onError?.(error)
      throw error
    }
    return `Stopped: ${finding?.detail}.`
  }

  /** Tells what an answer says that was not told while it came. */
  function hear({ output, usage }: Any, request: Any, told: Set<string> = new Set()): void {
    history = [...history, ...output]
    const events = toEvents(output, namesOf(request))
    const isCall = (event: AgentEvent): event is CallEvent => event.type === 'tool-call'
    for (const event of events) if (!isCall(event) && !told.has(event.type)) see(event)
    const calls = events.filter(isCall)
    if (isWatched()) run.decideRound(calls)
    if (calls.length > 0) onCalls?.(true)
    see(toUsage(usage?.inputTokens, usage?.outputTokens))
  }

  async function getResponse(model: Any, request: Any): Promise<Any> {
    const { sent, isEnd } = open(request)
    if (isEnd) return toResponse(lastWords(request), request.previousResponseId)
    try {
      const response = await model.getResponse(sent)
      advice = undefined
      run.attempt(() => hear(response, request))
      return response
    } finally {
      close()
    }
  }

  const getStreamedResponse = (model: Any, request: Any): AsyncIterable<Any> => ({
    [Symbol.asyncIterator]() {
      const { sent, isEnd } = open(request)
      return isEnd
        ? lastEvents(lastWords(request), request.previousResponseId)
        : watch(model.getStreamedResponse(sent)[Symbol.asyncIterator](), request)
    },
  })

  /** The events of a stream; by hand, since a generator takes as long for each of them as all the rest. */
  function watch(source: AsyncIterator<Any>, request: Any): AsyncIterator<Any> {
    const told = new Set<string>()
    let said = ''
    let id: string | undefined
    let isOver = false

    function end(): void {
      if (!isOver) close()
      isOver = true
    }

    function pass(next: IteratorResult<Any>): IteratorResult<Any> {
      if (next.done) {
        end()
        return next
      }
      const event = next.value
      advice = undefined
      const word = run.attempt(() => toWord(event))
      const verdict = word && see(word).type
      if (verdict === 'cut' || verdict === 'stop') {
        end()
        source.return?.().then(undefined, () => {})
        return { done: false, value: toDone(said, id) }
      }
      if (word) told.add(word.type)
      if (word?.type === 'text') said += word.text
      id ??= event.providerData?.response?.id ?? event.providerData?.id
      if (event.type === 'response_done') run.attempt(() => hear(event.response, request, told))
      return next
    }

    const fail = (error: unknown): never => {
      end()
      throw error
    }

    return {
      next: () =>
        isOver ? Promise.resolve({ done: true, value: undefined }) : source.next().then(pass, fail),
      async return(value) {
        end()
        return source.return?.(value) ?? { done: true, value }
      },
    }
  }

  /** The turn is over; what the model was to be told and did not hear, it is told the next time. */
  function close(): void {
    see({ type: 'turn-end' })
    if (advice !== undefined) run.advise(advice)
    advice = undefined
  }

  function open(request: Any): { sent: Any; isEnd: boolean } {
    let isEnd = false
    const sent = run.attempt(() => {
      const prepared = prepare(request)
      isEnd = prepared === undefined
      return prepared
    })
    return { sent: sent ?? request, isEnd }
  }

  return {
    run,
    get history() {
      return history
    },
    guardModel: (model) =>
      Object.create(model, {
        getResponse: { value: (request: Any) => getResponse(model, request) },
        getStreamedResponse: { value: (request: Any) => getStreamedResponse(model, request) },
        getRetryAdvice: { value: (failure: Any) => model.getRetryAdvice?.(failure) },
      }),
  }
}

/** Whether the guard has seen nothing yet, nor decided anything. */
export const isUnused = ({ guard }: Run): boolean => guard.events === 0 && !guard.stopped

const namesOf = ({ handoffs = [] }: Any): string[] => handoffs.map(({ toolName }: Any) => toolName)

import type { AgentEvent } from '../../event.js'
import type { Guard } from '../../guard.js'
import {
  callsWith,
  callWith,
  reasonOf,
  runOf,
  type SeenCall,
  showCall,
  showResult,
  type Verdict,
} from '../../host/run.js'
import { LoopError } from '../../loop-error.js'
import { fromJsonText } from '../../reading/call-key.js'
import { isAlone } from '../shared/alone.js'
import type { Any } from '../shared/any.js'
import { promptOf, textOf, toUsage } from '../shared/words.js'

/** What a run of OpenAI Agents says to its models and hears from them. */
export interface Turns {
  /** A run begins with new words of the person. */
  begin(): void
  /** A run goes on that waited for the person; others may have run since. */
  resume(context: object): void
  /** Notes whose turn it is. */
  enter(context: object): void
  see(event: AgentEvent): Verdict['type']
  /** Why this call must not run. */
  refusal(context: object, callId: string): string | undefined
  guardModel(model: Any): Any
}

/** Guards the turns of one run. */
export function createTurns(guard: Guard): Turns {
  const link = runOf(guard, 'openai-agents')
  let run: object = {}
  /** what a run is known by, where that is not its context */
  const resumed = new WeakMap<object, object>()
  let isNew = false
  /** what the model is told with this request */
  let advice: string | undefined

  const see = (event: AgentEvent): Verdict =>
    isAlone(link, run) ? link.decide(event) : { type: 'go' }

  /** The request as it is to be sent; nothing if the run has to end. */
  function prepare(request: Any): Any {
    if (!isAlone(link, run)) return request
    const items = toItems(request.input)
    const prompt = isNew ? promptOf(items, roleOf) : undefined
    isNew = false
    if (prompt !== undefined) see({ type: 'prompt', text: prompt })
    const isAnswer = (item: Any) => roleOf(item) === 'tool'
    const calls = callsWith(
      link,
      items.filter(isAnswer).map(({ callId }) => callId),
    )
    const input = items.map((item) => (isAnswer(item) ? judge(item, calls.shift()) : item))
    if (link.stopped) return
    see({ type: 'turn-start' })
    advice = link.takeAdvice()
    if (advice !== undefined) input.push({ role: 'user', content: advice })
    const isSame = input.length === items.length && input.every((item, at) => item === items[at])
    return isSame ? request : { ...request, input }
  }

  /** An answer of a tool, or the reason in its place. */
  function judge(item: Any, call: SeenCall | undefined): Any {
    if (!call) return item
    const { callId: id, name } = item
    const refused = reasonOf(call.verdict)
    const output = refused ?? item.output?.text ?? item.output
    const isError = refused !== undefined || FAILED.test(output)
    const verdict = showResult(link, { type: 'tool-result', id, name, output, isError }, call)
    const reason = refused ?? reasonOf(verdict)
    if (reason === undefined || reason === (item.output?.text ?? item.output)) return item
    return { ...item, output: reason }
  }

  /** The words of a run that has ended; who wants JSON cannot read them. */
  function lastWords({ outputType }: Any): string {
    const finding = link.stopped
    if (finding && outputType !== 'text') throw new LoopError(finding)
    return `Stopped: ${finding?.detail}.`
  }

  /** Tells what an answer says that was not told while it came. */
  function hear({ output, usage }: Any, { handoffs }: Any, told: Set<string> = new Set()): void {
    const names = handoffs?.map(({ toolName }: Any) => toolName) ?? []
    for (const item of output as Any[]) {
      const { type, callId: id, name = type, arguments: json, action, operation } = item
      const text = textOf(item.content) + textOf(item.rawContent)
      if (type === 'message' && text && !told.has('text')) see({ type: 'text', text })
      if (type === 'reasoning' && text && !told.has(type)) see({ type, text })
      if (id === undefined || names.includes(name)) continue
      const args = json === undefined ? (action ?? operation) : fromJsonText(json)
      if (isAlone(link, run)) showCall(link, { type: 'tool-call', id, name, args })
    }
    see(toUsage(usage?.inputTokens, usage?.outputTokens))
  }

  async function getResponse(model: Any, request: Any): Promise<Any> {
    const { sent, isEnd } = open(request)
    if (isEnd) return toResponse(lastWords(request), request.previousResponseId)
    try {
      const response = await model.getResponse(sent)
      advice = undefined
      link.attempt(() => hear(response, request))
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
      const word = link.attempt(() => toWord(event))
      const verdict = word && see(word).type
      if (verdict === 'cut' || verdict === 'stop') {
        end()
        source.return?.().then(undefined, () => {})
        return { done: false, value: toDone(said, id) }
      }
      if (word) told.add(word.type)
      if (word?.type === 'text') said += word.text
      id ??= event.providerData?.response?.id ?? event.providerData?.id
      if (event.type === 'response_done') link.attempt(() => hear(event.response, request, told))
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
    if (advice !== undefined) link.advise(advice)
    advice = undefined
  }

  function open(request: Any): { sent: Any; isEnd: boolean } {
    let isEnd = false
    const sent = link.attempt(() => {
      const prepared = prepare(request)
      isEnd = prepared === undefined
      return prepared
    })
    return { sent: sent ?? request, isEnd }
  }

  const runIn = (context: object) => resumed.get(context) ?? context

  return {
    begin() {
      isNew = true
    },
    resume(context) {
      resumed.set(context, {})
    },
    enter(context) {
      run = runIn(context)
      link.attempt(() => isAlone(link, run))
    },
    see: (event) => see(event).type,
    refusal(context, callId) {
      return link.attempt(() =>
        isAlone(link, runIn(context)) ? reasonOf(callWith(link, callId)?.verdict) : undefined,
      )
    },
    guardModel: (model) =>
      Object.create(model, {
        getResponse: { value: (request: Any) => getResponse(model, request) },
        getStreamedResponse: { value: (request: Any) => getStreamedResponse(model, request) },
        getRetryAdvice: { value: (failure: Any) => model.getRetryAdvice?.(failure) },
      }),
  }
}

// what the SDK says to the model for a tool that has thrown
const FAILED = /^An error occurred while running the tool/

const toItems = (input: Any): Any[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : input

const roleOf = ({ type, role = 'assistant' }: Any): string =>
  /_(?:result|output)$/.test(type) ? 'tool' : role

/** The words in a piece of a stream: text is the SDK's, thoughts are as the provider has them. */
function toWord({ type, delta, event }: Any): (AgentEvent & { text: string }) | undefined {
  if (type === 'output_text_delta') return { type: 'text', text: delta }
  const { reasoning, reasoning_content } = event?.choices?.[0]?.delta ?? {}
  const thought = reasoning ?? reasoning_content
  const text = /reasoning[\w.]{0,40}delta$/.test(event?.type) ? event.delta : thought
  return typeof text === 'string' ? { type: 'reasoning', text } : undefined
}

/** An answer of ours; who goes on by the id of the last answer goes on from the one before. */
const toResponse = (text: string, responseId?: string) => ({
  ...(responseId && { responseId }),
  // the SDK's trace adds up the details, too
  usage: {
    requests: 0,
    inputTokens: 0,
    outputTokens: 0,
    totalTokens: 0,
    inputTokensDetails: [],
    outputTokensDetails: [],
  },
  output: [
    {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text }],
    },
  ],
})

async function* lastEvents(words: string, id?: string) {
  yield { type: 'response_started' }
  yield { type: 'output_text_delta', delta: words }
  yield toDone(words, id)
}

const toDone = (text: string, id = 'unloop') => ({
  type: 'response_done',
  response: { id, ...toResponse(text) },
})

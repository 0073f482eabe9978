import type { AgentEvent } from '../../event.js'
import type { Run } from '../../host/run.js'

// biome-ignore lint/suspicious/noExplicitAny: models of all versions, of which we know the few fields that we use
type Any = any

/** A model that says these words and asks nobody. */
export function toLastModel(model: Any, text: string) {
  const id = 'unloop'
  const end = endOf(model, 0)
  const parts = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: text },
    { type: 'text-end', id },
    { type: 'finish', ...end },
  ]
  return {
    specificationVersion: model.specificationVersion,
    provider: id,
    modelId: id,
    supportedUrls: {},
    doGenerate: async () => ({ content: [{ type: 'text', text }], warnings: [], ...end }),
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(part)
          controller.close()
        },
      }),
    }),
  }
}

/** How an answer ends that the model did not end itself, as the version of the SDK has it; with another reason it runs no tools. */
function endOf({ specificationVersion }: Any, tokens?: number, isCall = false) {
  const unified = isCall ? 'tool-calls' : 'other'
  return specificationVersion === 'v2'
    ? {
        finishReason: unified,
        usage: { inputTokens: tokens, outputTokens: tokens, totalTokens: tokens },
      }
    : {
        finishReason: { unified, raw: 'loop' },
        usage: { inputTokens: { total: tokens }, outputTokens: { total: tokens } },
      }
}

/** What we read of a part of a stream. */
export interface Part {
  type: string
  id?: string
  delta: string
}

/** Hears a part of an answer; true if it has to end here. */
type Hear = (part: Any) => boolean

/** What a part of a stream says or thinks, if it does. */
export function toDelta(type: string, text: string): AgentEvent | undefined {
  if (type === 'text-delta') return { type: 'text', text }
  if (type === 'reasoning-delta') return { type: 'reasoning', text }
}

/** The same model, but its stream ends where it is told to. What has only a name is the SDK's to find. */
export function toWatched(run: Run, model: Any, hear: Hear): Any {
  if (typeof model !== 'object') return model
  const { specificationVersion, provider, modelId } = model
  return {
    specificationVersion,
    provider,
    modelId,
    get supportedUrls() {
      return model.supportedUrls
    },
    doGenerate: (options: Any) => model.doGenerate(options),
    async doStream(options: Any) {
      const answer = await model.doStream(options)
      const watched = () => ({ ...answer, stream: watch(answer.stream, model, hear) })
      return run.attempt(watched) ?? answer
    },
  }
}

/** Whether somebody waits for the next piece of an answer. */
export interface Waiting {
  isWaiting?: boolean
}

/** Notes that somebody waits, for as long as it takes. */
export function waitFor(turn: Waiting, answer: Promise<Any>): Promise<Any> {
  turn.isWaiting = true
  return answer.finally(() => {
    turn.isWaiting = false
  })
}

/** What ends what has begun. */
const ENDS = new Map([
  ['text-start', 'text-end'],
  ['reasoning-start', 'reasoning-end'],
])

/** Passes the parts of an answer on until one is too much, and then ends it as a model would. */
export function watch(
  stream: ReadableStream<Any>,
  model: Any,
  hear: Hear,
  turn: Waiting = {},
): ReadableStream<Any> {
  const reader = stream.getReader()
  const open = new Map<string, string>()
  let isCall = false
  let controller: ReadableStreamDefaultController
  function pass({ done, value }: ReadableStreamReadResult<Any>): void | Promise<void> {
    turn.isWaiting = false
    if (done) return controller.close()
    if (hear(value)) return cut()
    const { type, id } = value
    isCall ||= type === 'tool-call'
    const end = ENDS.get(type)
    if (end) open.set(id, end)
    else if (open.get(id) === type) open.delete(id)
    controller.enqueue(value)
  }
  function cut(): Promise<void> {
    for (const [id, type] of open) controller.enqueue({ type, id })
    const finish = { type: 'finish', ...endOf(model, undefined, isCall) }
    hear(finish)
    controller.enqueue(finish)
    controller.close()
    return reader.cancel()
  }
  // a stream that is pulled takes half the time of one that is piped through
  return new ReadableStream(
    {
      start(own) {
        controller = own
      },
      pull() {
        turn.isWaiting = true
        return reader.read().then(pass)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

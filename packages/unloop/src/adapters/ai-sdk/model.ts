import type { Finding } from '../../finding.js'
import type { Guard } from '../../guard.js'
import type { Guards } from '../../host/guards.js'
import type { Run } from '../../host/run.js'
import type { Any } from '../shared/any.js'
import type { Ear } from './answer.js'
import { createEarlyCalls } from './early.js'

/** A model that says why the run has ended, and asks nobody. */
export function toLastModel(model: Any, finding: Finding) {
  const id = 'unloop'
  const text = wordsOf(finding)
  const end = { ...endOf(model, 0), ...toMetadata('stopped', finding) }
  const parts = [
    { type: 'stream-start', warnings: [] },
    ...toText(text),
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

const wordsOf = ({ detail }: Finding) => `Stopped: ${detail}.`

const toText = (delta: string, id = 'unloop') => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta },
  { type: 'text-end', id },
]

/** How the run has gone, where the SDK's own result carries what a provider adds. */
const toMetadata = (outcome: string, finding: Finding | undefined) => ({
  providerMetadata: { unloop: { outcome, finding } },
})

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

/** The same model, whose answers are heard, and whose stream ends where it has to. What has only a name is the SDK's to find. */
export function toWatched(guard: Guard | Guards, run: Run, model: Any, ear: Ear): Any {
  if (typeof model !== 'object') return model
  const { specificationVersion, provider, modelId } = model
  return {
    specificationVersion,
    provider,
    modelId,
    get supportedUrls() {
      return model.supportedUrls
    },
    async doGenerate(options: Any) {
      const answer = await ask(guard, options.prompt, () => model.doGenerate(options))
      await ear.hearAll(answer)
      return answer
    },
    async doStream(options: Any) {
      const answer = await ask(guard, options.prompt, () => model.doStream(options))
      const watched = () => ({ ...answer, stream: watch(run, answer.stream, model, ear) })
      return run.attempt(watched) ?? answer
    },
  }
}

const prompts = new WeakMap<Guard | Guards, WeakSet<object>>()

/** Asks a model; whatever of the same guard lies around that model leaves it alone. */
export async function ask(
  guard: Guard | Guards,
  prompt: readonly object[],
  work: () => PromiseLike<Any>,
): Promise<Any> {
  const open = prompts.get(guard) ?? new WeakSet()
  prompts.set(guard, open)
  // what lies between may copy the list
  const marks = [prompt, ...prompt.slice(-1)]
  for (const mark of marks) open.add(mark)
  try {
    return await work()
  } finally {
    for (const mark of marks) open.delete(mark)
  }
}

/** Whether a prompt is shown to the guard by who asks with it. */
export const isAsking = (guard: Guard | Guards, prompt: readonly object[]): boolean =>
  [prompt, ...prompt.slice(-1)].some((mark) => prompts.get(guard)?.has(mark))

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

/** SDKs that report each call when it is complete, with what the provider wants to have back. */
const PROMPT = /^(?:(?:openai|azure)\.responses|anthropic|google|vertex|amazon-bedrock)\b/

/** Passes the parts of an answer on until one is too much, and then ends it as a model would. */
export function watch(
  run: Run,
  stream: ReadableStream<Any>,
  model: Any,
  ear: Ear,
  turn: Waiting = {},
): ReadableStream<Any> {
  const reader = stream.getReader()
  const open = new Map<string, string>()
  const early = PROMPT.test(model.provider) ? undefined : createEarlyCalls()
  /** the calls that were heard before the SDK reported them */
  const ahead = new Map<string, Any>()
  let isCall = false
  let controller: ReadableStreamDefaultController
  function pass({ done, value }: ReadableStreamReadResult<Any>): void | Promise<void> {
    turn.isWaiting = false
    if (done) return ear.finish().then(() => controller.close())
    const { type, id, toolCallId, providerExecuted } = value
    const isOwn = type === 'tool-call' && !providerExecuted
    isCall ||= isOwn
    if (isOwn) ahead.delete(toolCallId)
    const isEnd = ear.hear(value)
    // a call that ends the run is the last of the answer; words that end it are left out, and so is a call of the provider,
    // whose answer would be missing for good
    if (isEnd && type === 'tool-call' && !isOwn) return endWith([...ahead.values()])
    if (isEnd && !isOwn) return cut()
    const end = ENDS.get(type)
    if (end) open.set(id, end)
    else if (open.get(id) === type) open.delete(id)
    controller.enqueue(value)
    const call = early && run.attempt(() => early(value))
    if (call) {
      ahead.set(call.toolCallId, call)
      if (ear.hear(call)) return endWith([...ahead.values()])
    }
    if (isEnd) return endWith([...ahead.values()])
  }
  /** Ends the answer with calls that the SDK has not reported; all calls of a run that has to end are refused. */
  function endWith(calls: readonly Any[]): Promise<void> {
    for (const call of calls) {
      isCall = true
      controller.enqueue({ type: 'tool-input-end', id: call.toolCallId })
      controller.enqueue(call)
    }
    return cut('stopped')
  }
  async function cut(outcome = 'cut'): Promise<void> {
    for (const [id, type] of open) controller.enqueue({ type, id })
    const { stopped } = run
    // without a call of the program's, there is no next step that says why
    if (outcome === 'stopped' && stopped && !isCall)
      for (const part of toText(wordsOf(stopped))) controller.enqueue(part)
    const ended = toMetadata(outcome, run.guard.findings.at(-1))
    const finish = { type: 'finish', ...endOf(model, undefined, isCall), ...ended }
    ear.hear(finish)
    controller.enqueue(finish)
    await ear.finish()
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

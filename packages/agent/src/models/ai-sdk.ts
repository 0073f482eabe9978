import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import { type Model, ModelError, type ModelEvent, type ModelRequest } from '../model.js'
import { createProgress } from './progress.js'
import { type ErrorContext, toModelError } from './to-model-error.js'
import { createTranslator } from './to-model-events.js'
import { type PromptOptions, toPrompt } from './to-prompt.js'

/** What we know of a model beyond what the AI SDK does. */
export interface AiSdkOptions extends ErrorContext, PromptOptions {
  contextTokens: number
  silenceMs?: number
  providerOptions?: SharedV3ProviderOptions
  /** for a provider that makes optional arguments required unless told otherwise */
  strictTools?: false
  /** for an SDK that reports calls only at the end of the answer */
  hasLateCalls?: boolean
}

// reasoning that is not shown is the longest silence of a healthy stream; half a minute is common, a minute is not
const SILENCE_MS = 60_000

/**
 * A model of the AI SDK as a `Model`.
 *
 * It calls the provider's `doStream` and not `streamText`: that would try again on its own, parse arguments before we
 * can say what is wrong with them, and keep promises that reject when a loop ends the stream.
 */
export function createAiSdkModel(model: LanguageModelV3, options: AiSdkOptions): Model {
  return {
    name: options.name,
    contextTokens: options.contextTokens,
    stream: (request, signal) => stream(model, request, signal, options),
  }
}

async function* stream(
  model: LanguageModelV3,
  request: ModelRequest,
  signal: AbortSignal,
  options: AiSdkOptions,
): AsyncGenerator<ModelEvent, void, undefined> {
  if (signal.aborted) return
  const { name, silenceMs = SILENCE_MS } = options
  const controller = new AbortController()
  const abort = () => controller.abort(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const progress = createProgress(name, silenceMs)
  const inTime = <T>(promise: PromiseLike<T>, ms = progress.leftMs) =>
    within(ms, promise, controller.signal, progress.toError)
  let reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart> | undefined
  try {
    const callOptions = { ...toCallOptions(request, options), abortSignal: controller.signal }
    const answer = await inTime(model.doStream(callOptions))
    reader = answer.stream.getReader()
    const translate = createTranslator(name, { hasLateCalls: options.hasLateCalls ?? false })
    for (;;) {
      const asked = performance.now()
      const { done, value } = await inTime(reader.read())
      if (done) throw new ModelError('network', `the answer of ${name} broke off`)
      progress.see(value, performance.now() - asked)
      yield* translate(value)
      if (value.type === 'finish') break
    }
    // a stream read to its end leaves the connection for the next turn; what is left of it is under way already
    await inTime(drain(reader), 1000).catch(() => {})
  } catch (error) {
    if (!signal.aborted) throw toModelError(error, options)
  } finally {
    signal.removeEventListener('abort', abort)
    controller.abort()
    reader?.cancel().catch(() => {})
  }
}

function toCallOptions(
  { system, messages, tools, schema }: ModelRequest,
  { providerOptions, strictTools, notesInResults }: AiSdkOptions,
): LanguageModelV3CallOptions {
  return {
    prompt: toPrompt({ system, messages }, { ...(notesInResults && { notesInResults }) }),
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      inputSchema: parameters,
      ...(strictTools !== undefined && { strict: strictTools }),
    })),
    ...(schema && { responseFormat: { type: 'json', schema, name: 'answer' } }),
    ...(providerOptions && { providerOptions }),
  }
}

/** The promise, but not for longer than it may take, and no longer than the signal allows. */
function within<T>(
  ms: number,
  promise: PromiseLike<T>,
  signal: AbortSignal,
  toError: () => ModelError,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => settle(() => reject(signal.reason))
    const timer = setTimeout(() => settle(() => reject(toError())), ms)
    const settle = (act: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      act()
    }
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    promise.then(
      (value) => settle(() => resolve(value)),
      (error) => settle(() => reject(error)),
    )
  })
}

async function drain(reader: ReadableStreamDefaultReader<unknown>): Promise<void> {
  while (!(await reader.read()).done);
}

import type {
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider'
import { createEarlyCalls } from 'unloop/wire'
import type { CallPart } from '../message.js'
import { type FinishReason, ModelError, type ModelEvent, type TokenUsage } from '../model.js'

/**
 * A function from the parts of one stream to our events; throws what a part reports as an error.
 *
 * What a provider wants back comes as `meta` with the last event of its text, which may be empty. With `hasLateCalls`, calls
 * are told as soon as they are complete; the SDK's own report of them only adds what it knows then.
 */
export function createTranslator(
  name: string,
  { hasLateCalls = false }: { hasLateCalls?: boolean } = {},
): (part: LanguageModelV3StreamPart) => ModelEvent[] {
  const findEarly = hasLateCalls ? createEarlyCalls() : undefined
  /** the calls that were told before the SDK reported them */
  const early = new Map<string, CallPart>()
  /** what the beginning of a text told, until something more is told */
  const begun = new Map<string, SharedV3ProviderMetadata>()
  let hasCalls = false

  return (part) => {
    const complete = findEarly?.(part)
    if (!complete) return translate(part)
    const told = toCall(complete)
    early.set(told.id, told)
    hasCalls = true
    return [told]
  }

  function translate(part: LanguageModelV3StreamPart): ModelEvent[] {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        if (part.providerMetadata) begun.set(keyOf(part), part.providerMetadata)
        return []
      case 'text-delta':
      case 'reasoning-delta':
        return toText(part, part.delta, part.providerMetadata)
      case 'text-end':
      case 'reasoning-end':
        return toText(part, '', part.providerMetadata ?? begun.get(keyOf(part)))
      case 'tool-call':
        // calls that the provider runs itself are not ours to run
        if (part.providerExecuted) return []
        hasCalls = true
        return early.has(part.toolCallId) ? toCorrection(part) : [toCall(part)]
      case 'finish': {
        const reason = toReason(part.finishReason, name)
        return [
          { type: 'usage', ...toUsage(part.usage) },
          // some servers say "stop" after calls too
          { type: 'finish', reason: hasCalls && reason === 'stop' ? 'tool-calls' : reason },
        ]
      }
      case 'error':
        throw part.error
      default:
        return []
    }
  }

  /** Signatures come with the late report; so do arguments that went on after they seemed to be complete. */
  function toCorrection(part: LanguageModelV3ToolCall): ModelEvent[] {
    const call = toCall(part)
    const isSame = JSON.stringify(call) === JSON.stringify(early.get(part.toolCallId))
    return isSame ? [] : [{ ...call, type: 'call-correction' }]
  }

  function toText(part: Block, text: string, meta?: SharedV3ProviderMetadata): ModelEvent[] {
    const type = part.type.startsWith('text') ? 'text' : 'reasoning'
    if (meta === undefined) return text === '' ? [] : [{ type, text }]
    const merged = merge(begun.get(keyOf(part)), meta)
    begun.delete(keyOf(part))
    return [{ type, text, meta: merged }]
  }
}

type Block = { type: string; id: string }

/** Ids are told apart by kind: a text and a reasoning may both be "0". */
const keyOf = ({ type, id }: Block) => `${type.split('-')[0]} ${id}`

function merge(
  before: SharedV3ProviderMetadata = {},
  now: SharedV3ProviderMetadata,
): SharedV3ProviderMetadata {
  const merged = { ...before }
  for (const [provider, fields] of Object.entries(now)) {
    merged[provider] = { ...merged[provider], ...fields }
  }
  return merged
}

function toCall({
  toolCallId,
  toolName,
  input,
  providerMetadata,
}: LanguageModelV3ToolCall): CallPart {
  const call = {
    type: 'tool-call' as const,
    id: toolCallId,
    name: toolName,
    ...(providerMetadata && { meta: providerMetadata }),
  }
  // a call without arguments comes as no text from some servers
  if (input.trim() === '') return { ...call, args: {} }
  try {
    return { ...call, args: JSON.parse(input) }
  } catch (error) {
    const invalid = `the arguments are not valid JSON: ${(error as Error).message}`
    return { ...call, args: input, invalid }
  }
}

function toReason(
  { unified, raw }: { unified: string; raw: string | undefined },
  name: string,
): FinishReason {
  if (unified === 'error') {
    throw new ModelError('malformed', `${name} ended its answer with ${raw ?? 'an error'}`)
  }
  // a stream without an end gets this one from the AI SDK
  if (unified === 'other' && raw === undefined) {
    throw new ModelError('network', `the answer of ${name} broke off`)
  }
  return REASONS[unified] ?? 'other'
}

const REASONS: Record<string, FinishReason> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool-calls',
  'content-filter': 'refused',
}

function toUsage({ inputTokens, outputTokens }: LanguageModelV3Usage): TokenUsage {
  const counts = {
    inputTokens: inputTokens.total,
    cachedTokens: inputTokens.cacheRead,
    cacheWriteTokens: inputTokens.cacheWrite || undefined,
    outputTokens: outputTokens.total,
  }
  const known = Object.entries(counts).filter(([, count]) => count !== undefined)
  return Object.fromEntries(known) as TokenUsage
}

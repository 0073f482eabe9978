import type {
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider'
import type { CallPart } from '../message.js'
import { type FinishReason, ModelError, type ModelEvent, type TokenUsage } from '../model.js'

/**
 * A function from the parts of one stream to our events. What a provider wants back comes as `meta` with the last event
 * of its text, which may have no text of its own. Throws what a part reports as an error.
 */
export function createTranslator(): (part: LanguageModelV3StreamPart) => ModelEvent[] {
  /** what the begin of a block told, for its end */
  const begun = new Map<string, SharedV3ProviderMetadata>()
  let hasCalls = false

  function ofBlock(type: 'text' | 'reasoning', key: string, text: string, meta?: SharedV3ProviderMetadata): ModelEvent[] {
    const before = begun.get(key)
    if (meta === undefined) return text === '' ? [] : [{ type, text }]
    begun.delete(key)
    return [{ type, text, meta: merge(before, meta) }]
  }

  return (part) => {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        if (part.providerMetadata) begun.set(`${typeOf(part)} ${part.id}`, part.providerMetadata)
        return []
      case 'text-delta':
      case 'reasoning-delta':
        return ofBlock(typeOf(part), `${typeOf(part)} ${part.id}`, part.delta, part.providerMetadata)
      case 'text-end':
      case 'reasoning-end': {
        const key = `${typeOf(part)} ${part.id}`
        return ofBlock(typeOf(part), key, '', part.providerMetadata ?? begun.get(key))
      }
      case 'tool-call':
        // what the provider runs itself is none of our calls
        if (part.providerExecuted) return []
        hasCalls = true
        return [toCall(part)]
      case 'error':
        throw part.error
      case 'finish': {
        const { unified, raw } = part.finishReason
        if (unified === 'error') throw new ModelError('malformed', `the answer ended with ${raw ?? 'an error'}`)
        if (unified === 'other' && raw === undefined) throw new ModelError('network', 'the answer broke off')
        // some servers say "stop" after calls too
        const reason = hasCalls && unified === 'stop' ? 'tool-calls' : FINISH[unified]
        return [{ type: 'usage', ...toUsage(part.usage) }, { type: 'finish', reason }]
      }
      default:
        return []
    }
  }
}

const FINISH: Record<string, FinishReason> = {}

const typeOf = ({ type }: { type: string }) => (type.startsWith('text') ? 'text' : 'reasoning')

function merge(a: SharedV3ProviderMetadata = {}, b: SharedV3ProviderMetadata): SharedV3ProviderMetadata {
  const merged = { ...a }
  for (const [provider, fields] of Object.entries(b)) merged[provider] = { ...merged[provider], ...fields }
  return merged
}

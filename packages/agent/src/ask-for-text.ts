import {
  type Model,
  ModelError,
  type ModelRequest,
  type TokenUsage,
  toModelError,
} from './model.js'
import { untilAborted } from './until-aborted.js'

/** The text of an answer, whole or not at all; throws a `ModelError`, or the signal's reason as soon as it is aborted. */
export async function askForText(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  onUsage: (usage: TokenUsage) => void,
): Promise<string> {
  let text = ''
  let isWhole = false
  try {
    const source = model.stream(request, signal)[Symbol.asyncIterator]()
    for (;;) {
      const { done, value } = await untilAborted(signal, source.next())
      if (done) break
      if (value.type === 'text') text += value.text
      if (value.type === 'usage') onUsage(value)
      if (value.type === 'finish') isWhole = true
    }
  } catch (error) {
    signal.throwIfAborted()
    throw toModelError(error)
  }
  signal.throwIfAborted()
  if (!isWhole) throw new ModelError('network', 'the answer broke off')
  return text
}

import { emitModelParts, emitUserParts, usageOf } from '../gemini-parts.js'
import { isObject } from '../json.js'
import { emitSpent } from '../spent.js'
import { defineMessages } from './messages.js'

/** Contents of Google's Gemini API, also what Gemini CLI saves as a checkpoint. */
export const geminiContents = defineMessages({
  name: 'gemini-contents',
  title: 'Gemini contents',
  keys: ['contents', 'history'],
  isMessage: ({ role, parts }) =>
    (role === 'user' || role === 'model' || role === 'function') && Array.isArray(parts),
  start: () => (message, emit) => {
    if (message.role !== 'model') return emitUserParts(message.parts, emit)
    emit({ type: 'turn-start' })
    emitModelParts(message.parts, emit)
    if (isObject(message.usageMetadata)) emitSpent(emit, usageOf(message.usageMetadata))
  },
})

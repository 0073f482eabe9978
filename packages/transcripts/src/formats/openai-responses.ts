import { createItems } from '../response-items.js'
import { defineMessages } from './messages.js'

const ITEMS = new Set([
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'shell_call',
  'shell_call_output',
  'web_search_call',
  'mcp_call',
  'reasoning',
])

/** Items of OpenAI's Responses API, as they stand in `input` and `output`. */
export const openaiResponses = defineMessages({
  name: 'openai-responses',
  title: 'OpenAI Responses items',
  keys: ['input', 'output', 'items'],
  // a message may be written as in a chat; then the items beside it tell
  isMessage: ({ type, role, content }) =>
    ITEMS.has(type as string) ||
    (typeof role === 'string' &&
      (type === 'message' || (type === undefined && content !== undefined))),
  isCertain: (items) => items.some(({ type }) => type !== undefined),
  start: () => createItems().take,
})

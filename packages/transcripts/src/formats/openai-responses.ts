import { emitItem } from '../response-items.js'
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
  isMessage: ({ type, role }) =>
    ITEMS.has(type as string) || (type === 'message' && typeof role === 'string'),
  start: () => emitItem,
})

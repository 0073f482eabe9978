import type { Body } from './protocol.js'

// biome-ignore lint/suspicious/noExplicitAny: bodies as clients send them, to be checked here
type Any = any

// Why providers refuse a history that a client has put together incorrectly. A client need not send what a provider keeps itself.

/** Why Anthropic would refuse a request. */
export function refuseMessages({ messages = [], thread }: Body): string | undefined {
  const turns = (messages as Any[]).map(({ role, content }) => ({
    role,
    blocks: toBlocks(content),
  }))
  for (const [at, { role, blocks }] of turns.entries()) {
    const where = `messages.${at}`
    // Claude Code sends messages of the system that say nothing, after a summary
    if (blocks.length === 0 && role !== 'system')
      return `${where}: all messages must have non-empty content`
    for (const { type, text, signature } of blocks) {
      if (type === 'text' && text === '') return `${where}: text content blocks must be non-empty`
      if (type === 'thinking' && !signature)
        return `${where}: Invalid \`signature\` in \`thinking\` block`
    }
    if (role !== 'assistant' || thread) continue
    const calls = idsOf(blocks, 'tool_use', 'id')
    const answers = idsOf(turns[at + 1]?.blocks ?? [], 'tool_result', 'tool_use_id')
    if (calls !== answers)
      return `${where}: \`tool_use\` ids were found without \`tool_result\` blocks`
  }
}

const toBlocks = (content: Any): Any[] =>
  typeof content === 'string' ? (content ? [{ type: 'text', text: content }] : []) : content

const idsOf = (items: Any[], type: string, field: string): string =>
  items
    .filter((item) => item.type === type)
    .map((item) => item[field])
    .sort()
    .join()

/** Why Gemini would. */
export function refuseContents({ contents }: Body): string | undefined {
  const turns: { role: string; parts: Any[] }[] = []
  for (const [at, { role = 'user', parts }] of ([contents].flat() as Any[]).entries()) {
    if (!parts?.length) return `contents[${at}].parts must not be empty.`
    const last = turns.at(-1)
    // a turn may come in several pieces
    if (last && last.role === role) last.parts.push(...parts)
    else turns.push({ role, parts: [...parts] })
  }
  const count = (at: number, field: string) =>
    turns[at]?.parts.filter((part) => part[field]).length ?? 0
  const isOpen = (_: unknown, at: number) =>
    count(at, 'functionCall') !== count(at + 1, 'functionResponse')
  if (turns.some(isOpen))
    return 'The number of function response parts must equal that of the function call parts.'
}

/** Why OpenAI's chat completions would. */
export function refuseChat({ messages = [] }: Body): string | undefined {
  const items = messages as Any[]
  for (const [at, { role, tool_calls }] of items.entries()) {
    if (role !== 'assistant') continue
    const rest = items.slice(at + 1)
    const end = rest.findIndex((item) => item.role !== 'tool')
    const answers = end < 0 ? rest : rest.slice(0, end)
    const told = answers.map((item) => item.tool_call_id).sort()
    const made = (tool_calls ?? []).map(({ id }: Any) => id).sort()
    if (made.join() !== told.join())
      return "An assistant message with 'tool_calls' must be followed by tool messages."
  }
}

/** Why OpenAI's Responses would. */
export function refuseItems(body: Body): string | undefined {
  if (typeof body.input === 'string' || body.previous_response_id || body.conversation) return
  const items = (body.input ?? []) as Any[]
  for (const [at, { type, id }] of items.entries()) {
    if (type === 'reasoning' && !/message|_call$/.test(items[at + 1]?.type ?? items[at + 1]?.role))
      return `Item '${id}' of type 'reasoning' was provided without its required following item.`
  }
  const calls = idsOf(items, 'function_call', 'call_id')
  const answers = idsOf(items, 'function_call_output', 'call_id')
  if (calls !== answers) return 'No tool output found for function call.'
}

/** A chat message in the format of Gemini, OpenAI, Anthropic or the AI SDK. */
export type JudgeMessage = Record<string, unknown>

// forks of Gemini CLI look for these words in their tests
const OPENING = 'Recent conversation history:'

/**
 * The last messages, ready to be sent: no call without its answer at the end, no answer without its
 * call at the start, and never a call as the first message.
 */
export function recentMessages(history: readonly JudgeMessage[], count: number): JudgeMessage[] {
  const recent = history.slice(-count)
  while (recent.length > 0 && isCall(recent.at(-1) as JudgeMessage)) recent.pop()
  while (recent.length > 0 && isAnswer(recent[0] as JudgeMessage)) recent.shift()
  const first = recent[0]
  if (first && isCall(first)) recent.unshift(userMessage(OPENING, first))
  return recent
}

/** A user message in the format of its neighbor. */
export function userMessage(text: string, like: JudgeMessage | undefined): JudgeMessage {
  return Array.isArray(like?.parts)
    ? { role: 'user', parts: [{ text }] }
    : { role: 'user', content: text }
}

/** Whether a message contains only calls. */
function isCall(message: JudgeMessage): boolean {
  if (hasItems(message.tool_calls)) return true
  return isAll(message, (part) => 'functionCall' in part || isType(part, 'tool_use', 'tool-call'))
}

/** Whether a message contains only answers to calls. */
function isAnswer(message: JudgeMessage): boolean {
  if (message.role === 'tool') return true
  return isAll(
    message,
    (part) => 'functionResponse' in part || isType(part, 'tool_result', 'tool-result'),
  )
}

function isAll(message: JudgeMessage, test: (part: JudgeMessage) => boolean): boolean {
  const parts = message.parts ?? message.content
  if (!hasItems(parts)) return false
  return parts.every(
    (part) => typeof part === 'object' && part !== null && test(part as JudgeMessage),
  )
}

const isType = (part: JudgeMessage, ...types: unknown[]) => types.includes(part.type)

const hasItems = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0

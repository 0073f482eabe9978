// biome-ignore lint/suspicious/noExplicitAny: histories of four protocols
type Any = any

// what clients say that have this habit
const PLACEHOLDER = '[Old tool result content cleared]'

/** Clears all answers of tools but the last ones, in any protocol, as clients do that run out of room. */
export const clearAllBut =
  (keep: number) =>
  (history: Any[]): Any[] => {
    const copy = structuredClone(history)
    const answers = copy.flatMap(answersIn)
    for (const answer of answers.slice(0, Math.max(0, answers.length - keep))) clear(answer)
    return copy
  }

/** The answers of tools in a message. */
function answersIn(item: Any): Any[] {
  if (item.role === 'tool' || item.type === 'function_call_output') return [item]
  return [item.content, item.parts]
    .flat()
    .filter((part) => part?.type === 'tool_result' || part?.functionResponse)
}

function clear(answer: Any): void {
  if (answer.functionResponse) answer.functionResponse.response = { output: PLACEHOLDER }
  else answer['output' in answer ? 'output' : 'content'] = PLACEHOLDER
}

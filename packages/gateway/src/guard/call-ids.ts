import type { AgentEvent } from 'unloop'
import type { ProtocolName } from 'unloop/wire'
import type { Body } from './read-request.js'

// Not every model of Gemini gives its calls ids. Clients then make some up, for the calls and the answers or for the answers only. There,
// names and order tell which answer belongs to which call, as they do where nobody has ids.

/** The event of an answer; the id that its provider may have given a call is not in the names of a history. */
export const withoutOwnId = (event: AgentEvent, protocol: ProtocolName): AgentEvent =>
  protocol === 'gemini' && event.type === 'tool-call' ? { ...event, id: event.name } : event

/** The same contents without ids, and the ids of the answers. */
export function withoutIds(items: readonly Body[]): { items: Body[]; ids: string[] } {
  const ids: string[] = []

  function strip(part: Body): Body {
    const { functionCall: call, functionResponse: answer } = part ?? {}
    if (answer?.id) ids.push(String(answer.id))
    if (call?.id) return { ...part, functionCall: { ...call, id: undefined } }
    return answer?.id ? { ...part, functionResponse: { ...answer, id: undefined } } : part
  }

  return {
    items: items.map((item) =>
      Array.isArray(item?.parts) ? { ...item, parts: item.parts.map(strip) } : item,
    ),
    ids,
  }
}

// as long as those that providers make up; those that count from 1 are everybody's
const MIN_OWN_ID = 12

/** Whether no other call has this id. */
export const isOwnId = (id: string): boolean => id.length >= MIN_OWN_ID

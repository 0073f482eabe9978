import { fetchStraight } from './fetch-straight.js'

/**
 * A `fetch` for Gemini, whose chats alternate: contents of one role in a row become one. The AI SDK sends tool results
 * and the words after them apart.
 */
export const fetchMerged: typeof fetch = (input, init) =>
  fetchStraight(
    input,
    typeof init?.body === 'string' ? { ...init, body: mergeBody(init.body) } : init,
  )

interface Content {
  role: string
  parts: unknown[]
}

function mergeBody(json: string): string {
  const body = JSON.parse(json) as { contents?: Content[] }
  return body.contents ? JSON.stringify({ ...body, contents: mergeContents(body.contents) }) : json
}

/** Contents with no role twice in a row. */
export function mergeContents(contents: readonly Content[]): Content[] {
  const merged: Content[] = []
  for (const { role, parts } of contents) {
    const last = merged.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else merged.push({ role, parts: [...parts] })
  }
  return merged
}

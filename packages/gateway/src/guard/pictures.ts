import { callKey } from 'unloop'
import type { Body } from './read-request.js'

// A guard reads text. Where the answer of a tool is a picture, a word stands for it: the same word for the same picture.

const ENDS = 500

/** A word for the pictures in the content of a message; undefined if it has none. */
function pictureWord(content: unknown): string | undefined {
  if (!Array.isArray(content)) return
  const data = content.map(dataOf).filter((one) => typeof one === 'string')
  if (data.length === 0) return
  const ends = data.map((one) => [one.length, one.slice(0, ENDS), one.slice(-ENDS)])
  // digits would be taken for a detail that changes
  return [...callKey('picture', ends)].map((digit) => 'bdfghklmnp'[Number(digit)]).join('')
}

function dataOf(part: Body): unknown {
  if (typeof part !== 'object' || part === null) return
  const { image_url: url, source, inlineData } = part
  return url?.url ?? url ?? source?.data ?? source?.url ?? inlineData?.data
}

/** An answer, with a word for its pictures and for those that come after it. */
export function withPictures(output: unknown, after: string | undefined): unknown {
  const words = [pictureWord(output), after].filter((word) => word !== undefined)
  if (words.length === 0) return output
  const text = `picture ${words.join(' ')}`
  if (Array.isArray(output)) return [...output, { type: 'text', text }]
  return typeof output === 'string' ? `${output}\n${text}` : output
}

/**
 * Words for the pictures that follow the answers of tools, by the id of the call: chat completions have no other place for a picture than a
 * message in the person's role.
 */
export function picturesAfter({ messages, input = messages }: Body): Map<string, string> {
  const found = new Map<string, string>()
  if (!Array.isArray(input)) return found
  for (const [at, item] of input.entries()) {
    const before = input[at - 1]
    const id = before?.tool_call_id ?? before?.call_id
    const word = item?.role === 'user' && id !== undefined ? pictureWord(item.content) : undefined
    if (word !== undefined) found.set(id, word)
  }
  return found
}

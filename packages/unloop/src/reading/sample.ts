import { redact } from './redact.js'

// long enough to know the thing again, short enough for a line of a log
const MAX_SAMPLE = 160
// a private key fits into it
const MAX_READ = 32_768

/** A call as a person would write it, shortened, with secrets taken out. */
export function showCall(name: string, args: unknown): string {
  return shorten(args === undefined ? `${name}()` : `${name}(${showValue(args)})`)
}

/** Text for a finding: shortened in the middle, with secrets taken out. */
export const shorten = (text: string): string => cutClean(text, MAX_SAMPLE)

// what is cut first shows half a secret
const cutClean = (text: string, length: number) => cut(redact(cut(text, MAX_READ)), length)

function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const tail = Math.floor(length / 4)
  return `${text.slice(0, length - tail - 1)}…${text.slice(-tail)}`
}

/** Plain data like JSON, but it stops when there is enough of it, however large or deep the value is. */
function showValue(value: unknown, room = 2 * MAX_SAMPLE, depth = 0): string {
  if (typeof value === 'string') return JSON.stringify(cutClean(value, room))
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return String(value)
  if (depth > 3) return '…'
  const entries: string[] = []
  let left = room
  for (const key in value) {
    if (left <= 0) break
    if (!Object.hasOwn(value, key)) continue
    const inner = showValue((value as Record<string, unknown>)[key], left, depth + 1)
    const entry = Array.isArray(value) ? inner : `${JSON.stringify(cutClean(key, room))}:${inner}`
    entries.push(entry)
    left -= entry.length + 1
  }
  return Array.isArray(value) ? `[${entries.join(',')}]` : `{${entries.join(',')}}`
}

import { redact } from './redact.js'

// long enough to recognize, short enough for a log line
const MAX_SAMPLE = 160
// a private key fits into it
const MAX_READ = 32_768

/** A call as a person would write it, shortened and without secrets. */
export function showCall(name: string, args: unknown): string {
  return shorten(args === undefined ? `${name}()` : `${name}(${showValue(args)})`)
}

/** Text for a finding, shortened in the middle and without secrets. */
export const shorten = (text: string): string => cutClean(text, MAX_SAMPLE)

// cutting first could leave half a secret
const cutClean = (text: string, length: number) => cut(redact(cut(text, MAX_READ)), length)

function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const tail = Math.floor(length / 4)
  return `${text.slice(0, length - tail - 1)}…${text.slice(-tail)}`
}

/** Like JSON, but stops when the text is long enough, however large or deep the value is. */
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

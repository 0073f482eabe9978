// long enough to know the thing again, short enough for a line of a log
const MAX_SAMPLE = 160
const MAX_READ = 4096

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

/** Like JSON, but it stops when there is enough of it, however large or deep the value is. */
function showValue(value: unknown, room = 2 * MAX_SAMPLE, depth = 0): string {
  if (typeof value === 'string') return JSON.stringify(cutClean(value, room))
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return String(value)
  if (depth > 3) return '…'
  const entries: string[] = []
  let left = room
  try {
    for (const key in value) {
      if (left <= 0) break
      if (!Object.hasOwn(value, key)) continue
      const inner = showValue((value as Record<string, unknown>)[key], left, depth + 1)
      const entry = Array.isArray(value) ? inner : `${JSON.stringify(key)}:${inner}`
      entries.push(entry)
      left -= entry.length + 1
    }
  } catch {
    entries.push('…')
  }
  return Array.isArray(value) ? `[${entries.join(',')}]` : `{${entries.join(',')}}`
}

// what providers' keys, tokens and passwords look like, and addresses of people
const SECRETS = [
  /\b(?:sk|pk|rk|ghp|gho|ghs|ghu|glpat|xox[abprs]|npm|hf|AKIA|AIza)[-_]?[A-Za-z0-9_-]{12,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_.-]{8,}/g,
  /\b(?<=bearer )[A-Za-z0-9._~+/-]{8,}=*/gi,
  /(?<=(?:password|passwd|secret|token|api[-_]?key)["']?\s{0,3}[:=]\s{0,3}["']?)[^\s"',;)}]{4,}/gi,
  /(?<=:\/\/[^\s/:@]{1,64}:)[^\s/@]{1,128}(?=@)/g,
  /\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}/g,
]

/** Takes out what looks like a key, a token, a password or an address of a person. */
export function redact(text: string): string {
  return SECRETS.reduce((clean, secret) => clean.replace(secret, '[redacted]'), text)
}

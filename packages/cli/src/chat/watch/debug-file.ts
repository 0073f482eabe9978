import { appendFileSync, closeSync, openSync } from 'node:fs'
import { redact } from 'unloop/redact'
import { UsageError } from '../../exit-code.js'

/** A file of JSON lines that says what happens, without secrets. */
export interface DebugFile {
  write(event: string, fields?: object): void
}

// of one text; a file that was read whole is of no use here
const MAX_TEXT = 20_000

/** Appends to a file that only its owner can read. Throws a `UsageError` if that is not possible; later problems are ignored. */
export function openDebugFile(path: string): DebugFile {
  try {
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw new UsageError(`--debug cannot write ${path}: ${(error as Error).message}`)
  }
  return {
    write(event, fields = {}) {
      const line = { time: new Date().toISOString(), event, ...(clean(fields) as object) }
      try {
        appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 })
      } catch {
        // a chat must not fail because of what is written about it
      }
    },
  }
}

/** The value with every text in it redacted and shortened. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return shortened(redact(value))
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, clean(each)]))
}

const shortened = (text: string) =>
  text.length <= MAX_TEXT
    ? text
    : `${text.slice(0, MAX_TEXT)}… ${text.length - MAX_TEXT} more characters`

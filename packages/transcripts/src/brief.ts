import { createHash } from 'node:crypto'

// longer than any name or path that a program gives
const MAX_CHARACTERS = 1000
const SHOWN = 100

/** A name that is worth remembering: the same, or its beginning and a hash if it is very long. */
export function brief(name: string): string {
  if (name.length <= MAX_CHARACTERS) return name
  const hash = createHash('sha256').update(name).digest('hex')
  // a copy, for a part of a text keeps all of it in memory
  return Buffer.from(`${name.slice(0, SHOWN)}…${hash}`).toString()
}

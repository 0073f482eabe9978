import type { Entry } from './entry.js'

/** Entries as one row of numbers: a large history has a hundred thousand of them. */
export interface PackedEntries {
  numbers: Float64Array
  /** models and tools */
  names: string[]
}

const COUNTS = [
  ...(['event', 'key', 'turns', 'calls', 'results', 'errors'] as const),
  ...(['input', 'cached', 'cacheWrite', 'cacheWriteHour', 'output'] as const),
]
const OPTIONAL = ['at', 'cost'] as const
const NAMES = ['model', 'tool'] as const
const WIDTH = COUNTS.length + OPTIONAL.length + NAMES.length + 1

export function packEntries(entries: readonly Entry[]): PackedEntries {
  const numbers = new Float64Array(entries.length * WIDTH)
  const names = new Map<string, number>()
  const numberOf = (name: string) => {
    const known = names.get(name) ?? names.size
    names.set(name, known)
    return known
  }
  let at = 0
  for (const entry of entries) {
    for (const name of COUNTS) numbers[at++] = entry[name]
    for (const name of OPTIONAL) numbers[at++] = entry[name] ?? Number.NaN
    for (const name of NAMES) numbers[at++] = entry[name] === undefined ? -1 : numberOf(entry[name])
    numbers[at++] = entry.isRecorded ? 1 : 0
  }
  return { numbers, names: [...names.keys()] }
}

export function unpackEntries({ numbers, names }: PackedEntries): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; at < numbers.length; ) {
    const entry = {} as Entry
    for (const name of COUNTS) entry[name] = numbers[at++] as number
    for (const name of OPTIONAL) {
      const value = numbers[at++] as number
      if (!Number.isNaN(value)) entry[name] = value
    }
    for (const name of NAMES) {
      const value = names[numbers[at++] as number]
      if (value !== undefined) entry[name] = value
    }
    if (numbers[at++] === 1) entry.isRecorded = true
    entries.push(entry)
  }
  return entries
}

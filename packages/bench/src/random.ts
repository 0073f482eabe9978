/** A stream of pseudo-random choices, reproducible by its seed. */
export interface Random {
  /** 0 ≤ x < 1 */
  next(): number
  /** a whole number, including both ends */
  int(least: number, most: number): number
  pick<T>(list: readonly T[]): T
  /** several different ones, in random order */
  sample<T>(list: readonly T[], count: number): T[]
  chance(probability: number): boolean
  /** lower-case hexadecimal digits */
  hex(length: number): string
}

export function createRandom(seed: number | string): Random {
  let state = typeof seed === 'number' ? seed >>> 0 : hashOf(seed)

  // mulberry32: 32 bits of state, good enough spread for choosing words and lengths
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const int = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new RangeError('pick needs a list that is not empty')
    return list[Math.floor(next() * list.length)] as T
  }
  const sample = <T>(list: readonly T[], count: number): T[] => {
    const rest = [...list]
    const chosen: T[] = []
    while (chosen.length < count && rest.length > 0) {
      chosen.push(...rest.splice(int(0, rest.length - 1), 1))
    }
    return chosen
  }
  const hex = (length: number) =>
    Array.from({ length }, () => Math.floor(next() * 16).toString(16)).join('')
  return { next, int, pick, sample, chance: (probability) => next() < probability, hex }
}

/** FNV-1a, so that a name can be a seed. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}

/** The same numbers for the same seed, so that a run can be made again. */
export interface Random {
  /** a whole number between both, inclusive */
  int(min: number, max: number): number
  pick<T>(list: readonly T[]): T
  chance(probability: number): boolean
  /** letters and digits as in call ids */
  token(length: number): string
  hex(length: number): string
  uuid(): string
  shuffle<T>(list: readonly T[]): T[]
  /** a decimal number as text */
  decimal(min: number, max: number, digits?: number): string
}

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'

export function createRandom(seed: number): Random {
  let state = (seed + 1) * 0x9e3779b1
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  const letters = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[int(0, alphabet.length - 1)]).join('')
  const hex = (length: number) => letters('0123456789abcdef', length)

  return {
    int,
    pick: <T>(list: readonly T[]) => list[int(0, list.length - 1)] as T,
    chance: (probability) => next() < probability,
    token: (length) => letters(ALPHABET, length),
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    shuffle: <T>(list: readonly T[]) => {
      const left = [...list]
      return list.map(() => left.splice(int(0, left.length - 1), 1)[0] as T)
    },
    decimal: (min, max, digits = 2) => (min + next() * (max - min)).toFixed(digits),
  }
}

import { samplesOf } from './samples.js'

/** A text of some size that may be slow for an expression. */
export type Attack = (size: number) => string

// what comes after the repeats and does not match
const ENDS = ['', '\n', '\u0000', 'x!', 'x\ny', 'x\u2028y']

/**
 * Texts that repeat a part of a match: everything up to some place, a part in the middle, and single characters, after
 * the start of the match and before something that does not match. At most so many, of every kind.
 */
export function attacksOn(regex: RegExp, most: number): Attack[] {
  const pumped = new Map<string, [start: string, pump: string]>()
  const add = (start: string, pump: string) => {
    if (pump !== '') pumped.set(`${start} ${pump}`, [start, pump])
  }
  const samples = samplesOf(regex)
  for (const sample of samples) {
    for (let end = 1; end <= sample.length; end++) add('', sample.slice(0, end))
    for (let at = 0; at < sample.length; at++) {
      for (const length of [1, 2, 3]) add(sample.slice(0, at), sample.slice(at, at + length))
      add(sample.slice(0, at), sample.slice(at))
    }
  }
  const characters = [...new Set(samples.join(''))].slice(0, 12)
  for (const one of characters) for (const other of ['', ...characters]) add('', one + other)
  const attacks = [...pumped.values()].flatMap(([start, pump]) =>
    ENDS.map((end) => (size: number) => start + pump.repeat(Math.ceil(size / pump.length)) + end),
  )
  const count = Math.min(attacks.length, most)
  return Array.from(
    { length: count },
    (_, at) => attacks[Math.floor((at * attacks.length) / count)] as Attack,
  )
}

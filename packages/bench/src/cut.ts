import type { Random } from './random.js'

/** A text cut at random into deltas of `mean` characters on average; nothing is lost, and any place may be cut. */
export function cutAtRandom(random: Random, text: string, mean: number): string[] {
  const deltas: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = start + random.int(1, Math.max(1, 2 * mean - 1))
    deltas.push(text.slice(start, end))
    start = end
  }
  return deltas
}

/** A text in deltas of equal size. */
export function cutEvenly(text: string, size: number): string[] {
  const deltas: string[] = []
  for (let start = 0; start < text.length; start += size)
    deltas.push(text.slice(start, start + size))
  return deltas
}

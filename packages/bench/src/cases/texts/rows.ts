import type { Random } from '../../random.js'

/** Between `least` and `most` lines, each written from its number, below a heading if there is one. */
export function rows(
  random: Random,
  least: number,
  most: number,
  row: (index: number) => string,
  heading?: string,
): string {
  const lines = Array.from({ length: random.int(least, most) }, (_, index) => row(index + 1))
  return [...(heading === undefined ? [] : [heading]), ...lines].join('\n')
}

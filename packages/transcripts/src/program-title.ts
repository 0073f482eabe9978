import { formats } from './formats.js'
import type { Run } from './transcript.js'

// forks that write the format of another program
const FORKS = new Map([
  ['roo-code', 'Roo Code'],
  ['kilo-code', 'Kilo Code'],
])

/** The program that wrote a run, as people write its name. */
export function programTitle({ program, format }: Pick<Run, 'program' | 'format'>): string {
  const name = program ?? format
  return formats.find((one) => one.name === name)?.title ?? FORKS.get(name) ?? name
}

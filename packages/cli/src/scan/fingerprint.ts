import { createHash } from 'node:crypto'
import { basename, isAbsolute, relative, sep } from 'node:path'
import { redactSample } from './redact.js'
import type { LoopReport, RunReport } from './run-report.js'

/**
 * The run with a fingerprint for each loop: the same on every machine, in every home folder, and when the file has grown.
 * `place` stands for the session where the program names none.
 */
export const withFingerprints = (run: RunReport, place: string): RunReport => ({
  ...run,
  loops: run.loops.map((loop) => ({ ...loop, fingerprint: fingerprintOf(run, loop, place) })),
})

function fingerprintOf(run: RunReport, loop: LoopReport, place: string): string {
  const { program = run.format, session = place } = run
  const { agent = run.agent ?? null, identity } = loop
  // the identity names the detector; nobody should be able to guess a secret until the hash fits
  const parts = [program, session, agent, redactSample(identity)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, LENGTH)
}

// 96 bits: among a million loops, two are the same by chance once in 10^17 scans
const LENGTH = 24

/** Where a transcript is below the folder that was asked for, or below the home folder. */
export function placeOf(path: string, folders: readonly string[]): string {
  const [nearest] = folders
    .map((folder) => relative(folder, path))
    .filter((place) => place !== '' && !place.startsWith('..') && !isAbsolute(place))
    .sort((a, b) => a.length - b.length)
  return (nearest ?? basename(path)).split(sep).join('/')
}

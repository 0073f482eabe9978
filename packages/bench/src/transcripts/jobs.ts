import { execFile } from 'node:child_process'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { medianOf } from '../accuracy/metrics.js'
import { writeSession } from './write.js'

export interface JobsSpeed {
  /** seconds of `unloop scan` with one thread and with two */
  one: number
  two: number
}

const FILES = 8
const MEGABYTES = 25
// a thread takes half a second to start and to have its code compiled, which a short scan would measure instead
const COPIES = 4
const ROUNDS = 3
const UNLOOP = fileURLToPath(import.meta.resolve('@unloop/cli/package.json')).replace(
  'package.json',
  'bin/unloop.js',
)

/** Times `unloop scan` over several files with one thread and with two, in turns. */
export async function measureJobs(folder: string, seed: number): Promise<JobsSpeed> {
  const path = join(folder, 'jobs')
  await mkdir(path)
  for (let file = 0; file < FILES; file++) {
    const written = join(path, `${file}.jsonl`)
    await writeSession(written, 'claude-code', MEGABYTES * 1e6, seed + file)
    for (let copy = 1; copy < COPIES; copy++) {
      await copyFile(written, join(path, `${file}-${copy}.jsonl`))
    }
  }
  const times: Record<1 | 2, number[]> = { 1: [], 2: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const jobs of [1, 2] as const) {
      const start = performance.now()
      const args = ['scan', path, '--jobs', `${jobs}`, '--format', 'jsonl', '--exit-zero']
      await promisify(execFile)(process.execPath, [UNLOOP, ...args], { maxBuffer: 2 ** 28 })
      times[jobs].push((performance.now() - start) / 1000)
    }
  }
  return { one: medianOf(times[1]), two: medianOf(times[2]) }
}

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
  /** of two processes at once with half of the files each: the best this machine can do */
  apart: number
}

const FILES = 8
const MEGABYTES = 25
// a thread takes half a second to start and compile its code, which would dominate a short scan
const COPIES = 4
const ROUNDS = 3
const UNLOOP = fileURLToPath(import.meta.resolve('@unloop/cli/package.json')).replace(
  'package.json',
  'bin/unloop.js',
)

/** Times `unloop scan` over several files with one thread, with two, and in two processes, alternating. */
export async function measureJobs(folder: string, seed: number): Promise<JobsSpeed> {
  const files = await writeFiles(join(folder, 'jobs'), seed)
  const half = files.length / 2
  const contenders = {
    one: () => scan(files, 1),
    two: () => scan(files, 2),
    apart: () => Promise.all([scan(files.slice(0, half), 1), scan(files.slice(half), 1)]),
  }
  const names = Object.keys(contenders) as (keyof JobsSpeed)[]
  const times: Record<keyof JobsSpeed, number[]> = { one: [], two: [], apart: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      const start = performance.now()
      await contenders[name]()
      times[name].push((performance.now() - start) / 1000)
    }
  }
  return { one: medianOf(times.one), two: medianOf(times.two), apart: medianOf(times.apart) }
}

/** Writes sessions and their copies alternately, so that both halves are alike. */
async function writeFiles(folder: string, seed: number): Promise<string[]> {
  await mkdir(folder)
  const files: string[] = []
  for (let copy = 0; copy < COPIES; copy++) {
    for (let number = 0; number < FILES; number++) {
      const file = join(folder, `${number}-${copy}.jsonl`)
      if (copy === 0) await writeSession(file, 'claude-code', MEGABYTES * 1e6, seed + number)
      else await copyFile(join(folder, `${number}-0.jsonl`), file)
      files.push(file)
    }
  }
  return files
}

function scan(files: readonly string[], jobs: number) {
  const args = ['scan', ...files, '--jobs', `${jobs}`, '--format', 'jsonl', '--exit-zero']
  return promisify(execFile)(process.execPath, [UNLOOP, ...args], { maxBuffer: 2 ** 28 })
}

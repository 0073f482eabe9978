import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type WrittenFormat, writeSession } from './write.js'

export interface Peak {
  megabytes: number
  events: number
  /** the peak memory of the process, including the program itself */
  peakBytes: number
}

/** Reads and guards files of several sizes, each in its own process. */
export async function measureMemory(
  folder: string,
  format: WrittenFormat,
  sizes: readonly number[],
  seed: number,
  tell: (line: string) => void,
): Promise<Peak[]> {
  const child = fileURLToPath(new URL('./memory-child.js', import.meta.url))
  const peaks: Peak[] = []
  for (const megabytes of sizes) {
    tell(`memory: ${megabytes} MB of ${format}`)
    const path = join(folder, `${megabytes}.jsonl`)
    await writeSession(path, format, megabytes * 1e6, seed)
    const { stdout } = await promisify(execFile)(process.execPath, [child, path])
    peaks.push({ megabytes, ...JSON.parse(stdout) })
    await rm(path)
  }
  return peaks
}

import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type WrittenFormat, writeSession } from './write.js'

export interface Peak {
  megabytes: number
  events: number
  /** the most memory the process ever had, the program itself included */
  peakBytes: number
}

/** Reads and guards files of several sizes, each in a process of its own. */
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

import { readFile, stat } from 'node:fs/promises'
import { parse } from './partial-json.js'

// what programs keep beside a transcript are a few kilobytes; states of OpenHands a few megabytes
const MAX_BYTES = 64 * 2 ** 20

/** What a JSON file beside a transcript says; undefined if it is not there, not JSON, or not a file. */
export async function readBeside(path: string): Promise<unknown> {
  try {
    const stats = await stat(path)
    // a pipe or a device may have no end
    if (!stats.isFile() || stats.size > MAX_BYTES) return
    return parse(await readFile(path, 'utf8'))
  } catch {
    return
  }
}

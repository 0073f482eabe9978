import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'

// a screenful around the place
const AROUND = 40
const MAX_CHARACTERS = 4000

/** Lines of a file of any size, from a little before the first to a little after the last; and where the first is. */
export async function readLinesAround(
  path: string,
  first: number,
  last: number,
): Promise<{ text: string; line: number }> {
  const from = Math.max(1, first - AROUND)
  const kept: string[] = []
  let number = 0
  const input = createReadStream(path, { encoding: 'utf8' })
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++
    if (number < from) continue
    if (number > last + AROUND) break
    kept.push(line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line)
  }
  input.destroy()
  return { text: kept.join('\n'), line: Math.min(first - from, Math.max(0, kept.length - 1)) + 1 }
}

/** Whether it is a file of text; some agents keep their sessions in a database or in a folder. */
export async function hasLines(path: string): Promise<boolean> {
  if (!(await stat(path)).isFile()) return false
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0)
    return !buffer.subarray(0, bytesRead).includes(0)
  } finally {
    await file.close()
  }
}

import type { FileHandle } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'

/** Some lines of a file, without ever holding more than those. */
export interface Lines {
  lines: string[]
  /** whether there are lines after them */
  more: boolean
  /** how many lines came by, skipped ones included */
  seen: number
}

// longer lines are minified code or data, of which a model needs the beginning
const MAX_LINE = 2000

/** Reads `count` lines from line `from` on, the first being 1, but no more characters than `maxCharacters`. */
export async function readLines(
  handle: FileHandle,
  { from, count, maxCharacters }: { from: number; count: number; maxCharacters: number },
): Promise<Lines> {
  const lines: string[] = []
  let characters = 0
  let seen = 0
  for await (const line of linesOf(handle)) {
    if (++seen < from) continue
    const isFull = lines.length > 0 && characters + line.length > maxCharacters
    if (lines.length >= count || isFull) return { lines, more: true, seen: seen - 1 }
    lines.push(line)
    characters += line.length + 1
  }
  return { lines, more: false, seen }
}

async function* linesOf(handle: FileHandle): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let line = ''
  let length = 0
  const add = (text: string) => {
    line += text.slice(0, Math.max(0, MAX_LINE - line.length))
    length += text.length
  }
  const take = () => {
    const cut = length > MAX_LINE ? ` [${length - MAX_LINE} more characters]` : ''
    const taken = (cut === '' && line.endsWith('\r') ? line.slice(0, -1) : line) + cut
    line = ''
    length = 0
    return taken
  }
  for await (const chunk of chunksOf(handle)) {
    const [first = '', ...rest] = decoder.write(chunk).split('\n')
    add(first)
    for (const next of rest) {
      yield take()
      add(next)
    }
  }
  add(decoder.end())
  // a file ends with a line break, which begins no line
  if (length > 0) yield take()
}

async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(64 * 1024)
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Whether a file is binary: like git, by a zero byte near its beginning. */
export async function isBinary(handle: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(8000), 0, 8000, 0)
  return buffer.subarray(0, bytesRead).includes(0)
}

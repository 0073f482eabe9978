import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'

/** The objects of a `.jsonl` or `.jsonl.gz` file, one at a time. */
export async function* readLines(file: string): AsyncGenerator<Record<string, unknown>> {
  const source = createReadStream(file)
  const text = file.endsWith('.gz') ? source.pipe(createGunzip()) : source
  // readline loses errors of its input unless they are passed on
  const failed = new Promise<never>((_, reject) => {
    for (const stream of [source, text]) stream.on('error', reject)
  })
  failed.catch(() => {})
  const lines = createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })
  const iterator = lines[Symbol.asyncIterator]()
  for (let number = 1; ; number++) {
    const next = await Promise.race([iterator.next(), failed])
    if (next.done) return
    if (next.value.trim() === '') continue
    yield parse(next.value, file, number)
  }
}

function parse(line: string, file: string, number: number): Record<string, unknown> {
  try {
    return JSON.parse(line)
  } catch {
    throw new SyntaxError(`${file}, line ${number}: not JSON`)
  }
}

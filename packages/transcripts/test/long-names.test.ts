import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { readTranscript } from '../src/index.js'
import { fixture, inFolder, readAll } from './read.js'

const NAMES = /(?:id|uuid|name|agent|agentId|model|session|project|cwd|traceId)$/i
const LONG = 20_000
const FILE_BYTES = process.env.UNLOOP_SOAK === '1' ? 80e6 : 24e6

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** A file in which the records of a fixture come again and again, all names in them new and long. */
async function writeLong(name: string, path: string): Promise<number> {
  const records = readFileSync(fixture(name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const file = createWriteStream(path)
  let bytes = 0
  for (let i = 0; bytes < FILE_BYTES; i++) {
    const filler = `${i}`.padEnd(LONG, 'x')
    const line = JSON.stringify(records[i % records.length], (key, value) =>
      NAMES.test(key) && typeof value === 'string' ? filler + value : value,
    )
    bytes += line.length
    if (!file.write(`${line}\n`)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'close')
  return bytes
}

describe('names that are long and always new', () => {
  it.each([
    'claude-code.jsonl',
    'qwen-code.jsonl',
    'gemini-cli.jsonl',
    'codex.jsonl',
    'otlp.jsonl',
    'openhands-events.jsonl',
    'event-runs.jsonl',
    'openai-chat-runs.jsonl',
  ])('are not kept by the reader of %s', (name) =>
    inFolder(async (folder) => {
      const { format } = (await readAll(fixture(name))).summary
      const path = join(folder, name)
      await writeLong(name, path)
      collect()
      const before = process.memoryUsage().heapUsed
      const transcript = readTranscript(path, format === undefined ? {} : { format })
      let batches = 0
      let most = 0
      for await (const _ of transcript) {
        if (++batches % 16 !== 0) continue
        collect()
        most = Math.max(most, process.memoryUsage().heapUsed - before)
      }
      expect(batches).toBeGreaterThan(32)
      expect(most).toBeLessThan(2e6)
    }),
  )
})

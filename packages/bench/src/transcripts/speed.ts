import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readTranscript } from '@unloop/transcripts'
import { guardAll } from './guard-all.js'
import { type WrittenFormat, writeSession, writtenFormats } from './write.js'

export interface ReadSpeed {
  format: WrittenFormat
  /** megabytes per second: only `JSON.parse` over lines in memory */
  parse: number
  /** a plain program: `readline` and `JSON.parse` */
  readline: number
  /** from the file to the events */
  read: number
  /** from the file to the verdict of all default detectors */
  guard: number
  events: number
  findings: number
}

const MEGABYTES = 40
const ROUNDS = 8

/** Times `JSON.parse` and reading with guarding on the same files, alternating. */
export async function measureReading(
  folder: string,
  seed: number,
  tell: (line: string) => void,
): Promise<ReadSpeed[]> {
  const speeds: ReadSpeed[] = []
  for (const format of writtenFormats) {
    tell(`speed: ${MEGABYTES} MB of ${format}`)
    const path = join(folder, `${format}.jsonl`)
    await writeSession(path, format, MEGABYTES * 1e6, seed)
    speeds.push(await measureOne(path, format))
  }
  return speeds
}

async function measureOne(path: string, format: WrittenFormat): Promise<ReadSpeed> {
  const seconds = {
    parse: [] as number[],
    readline: [] as number[],
    read: [] as number[],
    guard: [] as number[],
  }
  let events = 0
  let findings = 0
  const { size } = await stat(path)
  // the first round only warms up
  for (let round = 0; round <= ROUNDS; round++) {
    const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
    const parse = await cpuSeconds(() => {
      for (const line of lines) JSON.parse(line)
    })
    const readline = await cpuSeconds(async () => {
      for await (const line of createInterface({ input: createReadStream(path) })) JSON.parse(line)
    })
    const read = await cpuSeconds(async () => {
      for await (const _ of readTranscript(path));
    })
    const guard = await cpuSeconds(async () => {
      const result = await guardAll(path)
      events = result.summary.events
      findings = result.findings.length
    })
    if (round === 0) continue
    seconds.parse.push(parse)
    seconds.readline.push(readline)
    seconds.read.push(read)
    seconds.guard.push(guard)
  }
  // the fastest round is the least disturbed one
  const speed = (times: readonly number[]) => size / 1e6 / Math.min(...times)
  return {
    format,
    parse: speed(seconds.parse),
    readline: speed(seconds.readline),
    read: speed(seconds.read),
    guard: speed(seconds.guard),
    events,
    findings,
  }
}

/** CPU time, which does not depend on what else the machine is doing. */
async function cpuSeconds(work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { type AgentEvent, createGuard, type Finding } from 'unloop'
import { guardAll } from './guard-all.js'

export interface Sameness {
  runs: number
  findings: number
  /** the library alone finds the same as through the reader */
  isSame: boolean
}

/** Compares the findings in a file of runs, one per line, by the library alone and through the reader. */
export async function compareFindings(path: string): Promise<Sameness> {
  const file = createReadStream(path)
  const input = path.endsWith('.gz') ? file.pipe(createGunzip()) : file
  const alone: Finding[] = []
  let runs = 0
  for await (const line of createInterface({ input })) {
    const guard = createGuard()
    runs++
    for (const event of JSON.parse(line).events as AgentEvent[]) {
      const finding = guard.observe(event)
      if (finding) alone.push(finding)
    }
  }
  const { findings } = await guardAll(path)
  const isSame = JSON.stringify(findings.map(plain)) === JSON.stringify(alone.map(plain))
  return { runs, findings: alone.length, isSame }
}

/** A finding without the parts that depend on the seed of its guard. */
const plain = ({ identity, ...finding }: Finding) => finding

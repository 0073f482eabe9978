import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentEvent } from 'unloop'
import { describe, expect, it } from 'vitest'
import { emptyFolder, unloop } from '../../test/host.js'
import { claudeLines, START, stuckRun, toLines, writeRun } from '../../test/transcripts.js'
import type { ScanReport } from './run-report.js'

async function scan(cwd: string, ...args: string[]): Promise<ScanReport> {
  const { stdout } = await unloop(['scan', '.', '--format', 'json', ...args], { cwd })
  return JSON.parse(stdout)
}

/** So many files read, each another, a second and 1,000 tokens each. */
function work(files: number, at: number): AgentEvent[] {
  return Array.from({ length: files }, (_, n): AgentEvent[] => {
    const when = { at: at + n * 1000 }
    return [
      { type: 'tool-call', id: `w${n}`, name: 'read', args: { path: `${n}.ts` }, ...when },
      { type: 'tool-result', id: `w${n}`, output: `export const x${n} = ${n * 7919}`, ...when },
      { type: 'usage', model: 'claude-sonnet-4-5', inputTokens: 1000, ...when },
    ]
  }).flat()
}

describe('what was wasted', () => {
  it('leaves out the work between two times of the same loop', async () => {
    const cwd = emptyFolder()
    const hour = 3_600_000
    writeRun(cwd, 'a.jsonl', [
      ...stuckRun(8),
      { type: 'prompt', text: 'Go on.', at: START + hour },
      ...work(100, START + hour),
      ...stuckRun(8, START + 2 * hour),
    ])
    const { runs } = await scan(cwd)
    const [loop, ...others] = runs[0]?.loops ?? []
    expect(others).toEqual([])
    expect(loop?.wasted).toMatchObject({ tokens: 16_000, ms: 14 * 60_000 })
    expect(loop?.avoidable).toMatchObject({ tokens: 8000, ms: 8 * 60_000 })
    expect(runs[0]?.wasted).toEqual(loop?.wasted)
    expect(runs[0]?.spent.tokens).toBe(116_000)
  })

  it('counts once what belongs to the loops of two agents', async () => {
    const cwd = emptyFolder()
    const helper = stuckRun(12).map((event) => ({
      ...event,
      ...('id' in event && { id: `h${event.id}` }),
      agent: 'helper',
    }))
    const both = stuckRun(12).flatMap((event, n) => [event, helper[n] as AgentEvent])
    writeRun(cwd, 'a.jsonl', both)
    const [run] = (await scan(cwd)).runs
    expect(run?.loops).toHaveLength(2)
    expect(run?.wasted.tokens).toBeLessThanOrEqual(run?.spent.tokens ?? 0)
    expect(run?.wasted.ms).toBe(11 * 60_000)
  })

  it.each([
    ['as it was', 0],
    ['and more of the same', 5],
  ])('counts a session once that goes on in a new file, %s', async (_, more) => {
    const cwd = emptyFolder()
    const old = toLines(claudeLines(12))
    writeFileSync(join(cwd, 'b-old.jsonl'), old)
    const next = old + toLines(claudeLines(more, 12))
    const answer = { ...claudeLines(1, 12 + more)[0], uuid: 'end', message: { content: 'So.' } }
    writeFileSync(
      join(cwd, 'a-new.jsonl'),
      (next + toLines([answer])).replaceAll('"sessionId":"s1"', '"sessionId":"s2"'),
    )
    const { runs, totals } = await scan(cwd)
    const stuck = runs.filter(({ loops }) => loops.length > 0)
    expect(stuck.map(({ session }) => session)).toEqual([more > 0 ? 's2' : 's1'])
    expect(stuck[0]?.loops[0]?.wasted.tokens).toBe((12 + more) * 110)
    expect(totals.wasted.tokens).toBe((12 + more) * 110)
    expect(totals.spent.tokens).toBe((12 + more) * 110)
    expect(totals.counts.calls).toBe(12 + more)
  })

  it('does not take two sessions for one because they did the same', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', stuckRun(12))
    writeRun(cwd, 'b.jsonl', stuckRun(12, START + 1000))
    const { runs } = await scan(cwd)
    expect(runs.map(({ loops }) => loops.length)).toEqual([1, 1])
  })
})

describe('the report', () => {
  it('is the same each time, also where no thread can be started', async () => {
    const cwd = emptyFolder()
    for (let n = 0; n < 24; n++) {
      writeRun(cwd, `${n}.jsonl`, stuckRun(4 + (n % 9), START + (n % 3) * 1000))
    }
    const bare = async (...args: string[]) => ({ ...(await scan(cwd, ...args)), scannedAt: '' })
    const one = await bare('--jobs', '1')
    expect(one.runs.length).toBe(24)
    expect(await bare('--jobs', '1')).toEqual(one)
    // there is no worker.js beside the sources
    expect(await bare('--jobs', '5')).toEqual(one)
  })

  it('of a file does not depend on the files beside it', async () => {
    const cwd = emptyFolder()
    const alone = emptyFolder()
    writeRun(cwd, 'a.jsonl', stuckRun(12))
    writeRun(alone, 'a.jsonl', stuckRun(12))
    for (let n = 0; n < 9; n++) writeRun(cwd, `${n}.jsonl`, work(30, START + n))
    const { runs } = await scan(cwd)
    const [run] = (await scan(alone)).runs
    expect(runs.find(({ path }) => path.endsWith('a.jsonl'))).toEqual({
      ...run,
      path: join(cwd, 'a.jsonl'),
    })
  })
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder, unloop } from '../../test/host.js'
import {
  claudeLines,
  honestRun,
  START,
  stuckRun,
  toLines,
  writeRun,
} from '../../test/transcripts.js'
import type { RunReport, ScanReport } from './run-report.js'
import { FORMATS } from './to-format.js'

/** Two reports: `a.json` has a session and an honest run, `b.json` the same session, continued, and a run of its own. */
async function reports(): Promise<string> {
  const cwd = emptyFolder()
  for (const folder of ['a', 'b']) mkdirSync(join(cwd, folder))
  writeFileSync(join(cwd, 'a/s1.jsonl'), toLines(claudeLines(12)))
  writeRun(cwd, 'a/honest.jsonl', honestRun())
  writeFileSync(join(cwd, 'a/empty.jsonl'), '')
  writeFileSync(join(cwd, 'b/copy.jsonl'), toLines([...claudeLines(12), ...claudeLines(8, 12)]))
  writeRun(cwd, 'b/own.jsonl', stuckRun(12, START + 1e9))
  for (const name of ['a', 'b'])
    await unloop(['scan', name, '--format', 'json', '-o', `${name}.json`], { cwd })
  return cwd
}

async function merge(cwd: string, ...args: string[]): Promise<ScanReport> {
  const { stdout } = await unloop(['scan', '--merge', ...args, '--format', 'json'], { cwd })
  return JSON.parse(stdout)
}

describe('merged reports', () => {
  it('have the runs of all, each once, as it is known best', async () => {
    const cwd = await reports()
    const report = await merge(cwd, 'a.json', 'b.json')
    expect(report.runs).toHaveLength(3)
    const session = report.runs.filter(({ program }) => program === 'claude-code')
    expect(session).toHaveLength(1)
    expect(session[0]?.path).toBe(join(cwd, 'b/copy.jsonl'))
    expect(report.files).toHaveLength(5)
  })

  it('have the totals of these runs', async () => {
    const cwd = await reports()
    const report = await merge(cwd, 'a.json', 'b.json')
    const sum = (pick: (run: RunReport) => number) =>
      report.runs.reduce((all, run) => all + pick(run), 0)
    expect(report.totals).toMatchObject({ runs: 3, stuck: 2, loops: 2 })
    expect(report.totals.spent.tokens).toBe(sum(({ spent }) => spent.tokens))
    expect(report.totals.counts.calls).toBe(20 + 1 + 12)
    expect(report.by.agent.map(({ name, runs }) => [name, runs])).toContainEqual(['claude-code', 1])
    expect(report.since).toBeUndefined()
  })

  it('are the same in any order, again and again', async () => {
    const cwd = await reports()
    const once = await merge(cwd, 'a.json', 'b.json')
    const again = await merge(cwd, 'b.json', 'a.json', 'b.json')
    expect(again.runs).toEqual(once.runs)
    expect(again.files).toHaveLength(once.files.length)
    writeFileSync(join(cwd, 'all.json'), JSON.stringify(once))
    expect(await merge(cwd, 'all.json', 'a.json')).toEqual(once)
  })

  it.each(FORMATS)('are written as %s, with the exit code of a scan', async (format) => {
    const cwd = await reports()
    const args = ['scan', '--merge', 'a.json', 'b.json', '--format', format]
    const { code, stdout } = await unloop(args, { cwd })
    expect(code).toBe(1)
    expect(stdout).toContain('repeated-call')
  })

  it('take a baseline', async () => {
    const cwd = await reports()
    await unloop(['scan', '--merge', 'a.json', 'b.json', '--write-baseline', 'known.json'], { cwd })
    const args = ['scan', '--merge', 'b.json', '--baseline', 'known.json']
    const { code, stdout } = await unloop(args, { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('known')
  })

  it('are masked, even if one of them was not', async () => {
    const cwd = await reports()
    const report = await merge(cwd, 'b.json')
    const [loop] = report.runs[0]?.loops ?? []
    if (loop) loop.sample = 'deploy --password hunter22hunter'
    writeFileSync(join(cwd, 'raw.json'), JSON.stringify(report))
    expect(JSON.stringify(await merge(cwd, 'raw.json'))).not.toContain('hunter22')
  })
})

describe('what cannot be merged', () => {
  it.each([
    ['{"schemaVersion":', 'is not a JSON report'],
    ['[]', 'is not a report of a scan: the document'],
    ['{"name":"app"}', 'is not a report of a scan'],
    ['{"schemaVersion":99}', 'another version of unloop (schema version 99)'],
  ])('%s', async (text, message) => {
    const cwd = await reports()
    writeFileSync(join(cwd, 'bad.json'), text)
    const { code, stderr } = await unloop(['scan', '--merge', 'a.json', 'bad.json'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain(join(cwd, 'bad.json'))
    expect(stderr).toContain(message)
  })

  it('a damaged report says where', async () => {
    const cwd = await reports()
    const report = await merge(cwd, 'b.json')
    writeFileSync(join(cwd, 'bad.json'), JSON.stringify({ ...report, runs: [{ path: 1 }] }))
    const { code, stderr } = await unloop(['scan', '--merge', 'bad.json'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('runs.0.path')
  })

  it.each([
    [['--merge', 'no.json'], 'ENOENT'],
    [['--merge'], '--merge needs reports'],
    [['--merge', 'a.json', '--since', '3d'], 'without --since'],
    [['--merge', 'a.json', '--watch'], '--merge'],
  ])('%j', async (args, message) => {
    const { code, stderr } = await unloop(['scan', ...args], { cwd: await reports() })
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})

import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { emptyFolder, unloop } from '../../test/host.js'
import { honestRun, START, stuckRun, writeRun } from '../../test/transcripts.js'
import type { FileReport, ScanReport } from './run-report.js'
import { scanAll } from './scan-all.js'
import { FORMATS } from './to-format.js'

/** Brackets in brackets, deeper than a function can call itself. */
const nested = (depth = 20_000) => `${'['.repeat(depth)}1${']'.repeat(depth)}`

describe('one file among others', () => {
  it.each(['args', 'output'])('may be nested however deep in its %s', async (member) => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', honestRun())
    const path = writeRun(cwd, 'deep.jsonl', stuckRun())
    const deep = stuckRun().map((event) =>
      member in event
        ? JSON.stringify({ ...event, [member]: 'DEEP' }).replace('"DEEP"', nested())
        : JSON.stringify(event),
    )
    writeFileSync(path, deep.join('\n'))
    const { code, stdout, stderr } = await unloop(['scan', '.', '--format', 'json'], { cwd })
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const { runs } = JSON.parse(stdout) as ScanReport
    expect(runs.map(({ loops }) => loops.length).sort()).toEqual([0, 1])
    const evidence = runs.flatMap(({ loops }) => loops.flatMap((loop) => loop.evidence))
    expect(evidence.find(({ text }) => text.includes('[[[['))?.text.length).toBeLessThanOrEqual(200)
  })

  it.each(FORMATS)('may have times that no calendar has, as %s', async (format) => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', stuckRun())
    for (const [n, at] of [1e300, -1e300, 8.64e15 + 1].entries()) {
      writeRun(
        cwd,
        `${n}.jsonl`,
        stuckRun().map((event) => ({ ...event, at })),
      )
    }
    const { code, stdout } = await unloop(['scan', '.', '--format', format], { cwd })
    expect(code).toBe(1)
    expect(stdout).toContain('repeated-call')
    expect(stdout).not.toMatch(/1e\+?300|Invalid/)
  })

  it('fails alone, whatever it fails by', async () => {
    const cwd = emptyFolder()
    const paths = ['a', 'b', 'c'].map((name) => writeRun(cwd, `${name}.jsonl`, stuckRun(9, START)))
    const runs: string[] = []
    const files: FileReport[] = []
    await scanAll(paths, {
      source: {},
      jobs: 1,
      signal: new AbortController().signal,
      prices: undefined,
      onRun({ run }) {
        if (run.path === paths[1]) throw new Error('something odd')
        runs.push(run.path)
      },
      onFile: (file) => files.push(file),
    })
    expect(runs).toEqual([paths[0], paths[2]])
    expect(files.map(({ path, problem }) => [path, problem])).toEqual([
      [paths[0], undefined],
      [paths[1], { code: 'failed', message: 'cannot be scanned: something odd' }],
      [paths[2], undefined],
    ])
    expect(files[1]?.records).toBe(28)
  })
})

import { join } from 'node:path'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import { parse as parseCsv } from 'csv-parse/sync'
import { XMLParser } from 'fast-xml-parser'
import type { Log } from 'sarif'
import { describe, expect, it, vi } from 'vitest'
import { writeFaultyConfig } from '../test/faulty-config.js'
import { emptyFolder, jsonLines, unloop } from '../test/host.js'
import { honestRun, stuckRun, writeRun } from '../test/transcripts.js'
import { toReportJsonSchema } from './scan/report-schema.js'
import type { ScanReport } from './scan/run-report.js'
import { FORMATS, toFormat } from './scan/to-format.js'

/** Two runs, and a guard of which not all works. */
function faulty() {
  const cwd = emptyFolder()
  writeRun(cwd, 'runs/stuck.jsonl', stuckRun())
  writeRun(cwd, 'runs/honest.jsonl', honestRun())
  writeFaultyConfig(cwd)
  const file = (name: string) => join(cwd, 'runs', name)
  // the home folder is another one, so the person has to agree
  const run = (...args: string[]) =>
    unloop([...args, '--trust'], { cwd, env: { HOME: emptyFolder() } })
  return { cwd, run, file }
}

const THROWN = 'the detector thrower failed (boom[2J [key]) and was left out'
const LIED = 'the detector liar failed ('

const scan = async (format: string) => {
  const { run, cwd } = faulty()
  return run('scan', join(cwd, 'runs'), '--format', format)
}

describe('parts of the guard that fail', () => {
  it('are told by check, on stderr and as JSON, and nothing else is printed', async () => {
    const printed = vi.spyOn(console, 'error')
    const { run, file } = faulty()
    const text = await run('check', file('stuck.jsonl'))
    expect(text.code).toBe(1)
    expect(text.stdout).toContain('repeated-call')
    expect(text.stderr).toContain(`${file('stuck.jsonl')}: ${THROWN}`)
    expect(text.stderr).toContain(LIED)
    expect(text.stderr).toContain('please report it')
    const json = jsonLines((await run('check', '--json', file('stuck.jsonl'))).stdout)
    expect(json.at(-1)).toMatchObject({
      file: file('stuck.jsonl'),
      faults: [
        { part: 'thrower', message: expect.stringContaining(THROWN) },
        { part: 'liar', message: expect.stringContaining(LIED) },
      ],
      skipped: 0,
    })
    expect(printed).not.toHaveBeenCalled()
    printed.mockRestore()
  })

  it.each(FORMATS)('are told by scan on stderr once, whatever the format: %s', async (format) => {
    const { stderr, stdout } = await scan(format)
    expect(stderr.split(THROWN)).toHaveLength(2)
    expect(stderr).toContain('please report it')
    expect(stdout).toContain('the detector thrower failed')
    expect(stdout).not.toContain('sk-abc')
    expect(stdout).not.toContain('\x1b')
  })

  it('are fields in JSON, as its schema says', async () => {
    const report = JSON.parse((await scan('json')).stdout)
    const ajv = new Ajv.default({ strict: false })
    addFormats.default(ajv)
    const validate = ajv.compile(toReportJsonSchema())
    validate(report)
    expect(validate.errors).toBeNull()
    expect(report.runs).toHaveLength(2)
    for (const { faults, skipped } of report.runs) {
      expect(faults.map(({ part }: { part: string }) => part)).toEqual(['thrower', 'liar'])
      expect(skipped).toBe(0)
    }
  })

  it('are told where nothing was found: lines of JSON, rows of CSV', async () => {
    const lines = jsonLines((await scan('jsonl')).stdout)
    expect(lines.map(({ loop, run }) => [loop?.detector, run.faults.length])).toEqual([
      [undefined, 2],
      ['repeated-call', 2],
    ])
    const rows = parseCsv((await scan('csv')).stdout, { columns: true }) as Record<string, string>[]
    expect(rows.map((row) => [row.detector, row.skipped_events])).toEqual([
      ['', '0'],
      ['repeated-call', '0'],
    ])
    expect(rows[0]?.guard_faults).toContain(THROWN)
  })

  it('are errors in JUnit and notifications in SARIF', async () => {
    const parser = new XMLParser({ ignoreAttributes: false })
    const { testsuites } = parser.parse((await scan('junit')).stdout)
    expect(testsuites).toMatchObject({ '@_failures': '1', '@_errors': '2' })
    const cases = testsuites.testsuite.testcase as { error?: object }[]
    expect(cases.every(({ error }) => JSON.stringify(error).includes(THROWN))).toBe(true)
    const log: Log = JSON.parse((await scan('sarif')).stdout)
    const told = log.runs[0]?.invocations?.[0]?.toolExecutionNotifications ?? []
    expect(told.some(({ message }) => message.text?.includes(THROWN))).toBe(true)
    expect(told[0]?.locations?.[0]?.physicalLocation?.artifactLocation?.uri).toMatch(/^file:/)
  })

  it('are told by a scan that finds nothing', async () => {
    const { run, file } = faulty()
    const { stdout } = await run('scan', file('honest.jsonl'))
    expect(stdout).toMatch(
      /^0 of 1 run got stuck[\s\S]*\nPart of the guard failed in 1 run:\n {2}- the detector/,
    )
  })

  it.each(FORMATS)('are told beside events that were skipped: %s', async (format) => {
    const { run, cwd } = faulty()
    const text = (await run('scan', join(cwd, 'runs'), '--format', 'json')).stdout
    const report: ScanReport = JSON.parse(text)
    // no file of events has one that the guard cannot read, but a reader of another format may make one
    for (const one of report.runs) Object.assign(one, { loops: [], faults: [], skipped: 23 })
    const options = { isColoured: false, columns: 100, home: '', showRaw: false }
    const told = toFormat(format, report, options)
    expect(told).toMatch(/23 events could not be read|"skipped": ?23|,23,\r\n/)
  })

  it('are not mentioned where none failed', async () => {
    const cwd = emptyFolder()
    const path = writeRun(cwd, 'a.jsonl', stuckRun())
    for (const format of ['pretty', 'junit', 'csv']) {
      const { stdout, stderr } = await unloop(['scan', path, '--format', format], { cwd })
      expect(stdout + stderr).not.toMatch(/guard (?:failed|worked)|<error/)
    }
  })
})

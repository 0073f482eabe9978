import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import { parse as parseCsv } from 'csv-parse/sync'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { Log } from 'sarif'
import { createGuard } from 'unloop'
import { describe, expect, it } from 'vitest'
import { emptyFolder, jsonLines, unloop } from '../../test/host.js'
import { scanOne } from '../../test/scan-one.js'
import {
  claudeLines,
  honestRun,
  START,
  stuckRun,
  toLines,
  writeRun,
} from '../../test/transcripts.js'
import { toReportJsonSchema } from './report-schema.js'
import type { ScanReport } from './run-report.js'

describe('unloop scan', () => {
  it('tells how often a call was made in all, also where its answer has to be awaited', async () => {
    const cwd = emptyFolder()
    const calls = Array.from({ length: 20 }, (_, n) => [
      { type: 'tool-call', id: `${n}`, name: 'mcp__jira__sync', args: { path: 'a.ts' } },
      { type: 'tool-result', id: `${n}`, output: 'the same text' },
    ])
    writeFileSync(join(cwd, 'a.jsonl'), toLines([{ type: 'prompt', text: 'go' }, ...calls.flat()]))
    const [run] = await scanOne(join(cwd, 'a.jsonl'))
    expect(run?.loops).toHaveLength(1)
    expect(run?.loops[0]).toMatchObject({ count: 20, last: { event: 40 } })
    expect(run?.loops[0]?.detail).toContain('20 times')
  })

  it('names what is wrong with files once, and not the other files of a folder', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'runs/a.jsonl', honestRun())
    writeFileSync(join(cwd, 'runs/package.json'), '{"name":"app"}')
    writeFileSync(join(cwd, 'runs/empty.jsonl'), '')
    const folder = await unloop(['scan', 'runs'], { cwd })
    expect(folder.code).toBe(0)
    expect(folder.stderr).toBe(`unloop: ${join(cwd, 'runs/empty.jsonl')} is empty\n`)
    expect(folder.stdout).toContain('1 other file left out. 1 file could not')
    const named = await unloop(['scan', 'runs/package.json'], { cwd })
    expect(named.code).toBe(2)
    expect(named.stderr).toContain('package.json is JSON, but not a known transcript format')
    const stdin = await unloop(['scan', '-'], { cwd })
    expect(stdin).toMatchObject({ code: 2, stdout: '' })
    expect(stdin.stderr).toContain('unloop check -')
  })

  it('takes agents with commas or one by one, and leaves the paths after them', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'a.jsonl'), toLines(claudeLines(9)))
    for (const agents of [['codex,claude-code'], ['codex', '--agent', 'claude-code']]) {
      expect((await unloop(['scan', '--agent', ...agents, 'a.jsonl'], { cwd })).code).toBe(1)
    }
    expect((await unloop(['scan', '--agent', 'codex', 'a.jsonl'], { cwd })).code).toBe(0)
  })

  it.each([
    ['--html', 'x.html'],
    ['-o', 'x'],
    ['--since', '3d'],
    ['--jobs', '2'],
  ])('refuses %s where nothing would come of it', async (...words) => {
    const { code, stderr } = await unloop(['scan', '--watch', ...words])
    expect(code).toBe(2)
    expect(stderr).toContain('--watch writes no report, so it cannot be used with --')
  })

  it('writes reports that only their owner can read, and leaves the mode of others alone', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', stuckRun())
    writeFileSync(join(cwd, 'known.csv'), '', { mode: 0o644 })
    await unloop(['scan', 'a.jsonl', '--html', 'new.html', '-o', 'new.json'], { cwd })
    await unloop(['scan', 'a.jsonl', '--format', 'csv', '-o', 'known.csv'], { cwd })
    const modes = ['new.html', 'new.json', 'known.csv'].map(
      (name) => statSync(join(cwd, name)).mode & 0o777,
    )
    expect(modes).toEqual([0o600, 0o600, 0o644])
  })

  it.each([['scan'], ['tune'], ['scan', '--watch']])(
    'refuses an agent it does not know: %s %s',
    async (...words) => {
      const { code, stderr } = await unloop([...words, '--agent', 'claude-cod'])
      expect(code).toBe(2)
      expect(stderr).toContain('--agent does not know claude-cod; did you mean claude-code?')
    },
  )
})

describe('a transcript', () => {
  it('is told with where the loop began, was evident, would have ended, and what it cost', async () => {
    const [run] = await scanOne(writeRun(emptyFolder(), 'a.jsonl', stuckRun()))
    const [loop] = run?.loops ?? []
    expect(loop).toMatchObject({
      detector: 'repeated-call',
      tool: 'read',
      began: { line: 2 },
      evident: { line: 11 },
    })
    expect(loop?.stopped?.line).toBeGreaterThan(11)
    expect(loop?.last.line).toBe(35)
    // twelve turns of 1,000 tokens, eleven minutes apart from first to last
    expect(loop?.wasted).toMatchObject({ tokens: 12_000, ms: 11 * 60_000 })
    expect(loop?.wasted.cost).toBeCloseTo((12 * (900 * 3 + 100 * 15)) / 1e6)
    expect(loop?.avoidable.tokens).toBe(8000)
    expect(run).toMatchObject({
      ended: 'in-loop',
      spent: { tokens: 12_000, events: 37 },
      startedAt: START,
    })
  })

  it('that is honest has no loops', async () => {
    const [run] = await scanOne(writeRun(emptyFolder(), 'a.jsonl', honestRun()))
    expect(run).toMatchObject({ loops: [], ended: 'finished' })
  })

  it.each([
    ['in-loop', []],
    ['finished', honestRun()],
    ['broke-off', honestRun().slice(0, 2)],
  ])('says that it ended %s', async (ended, after) => {
    const [run] = await scanOne(writeRun(emptyFolder(), 'a.jsonl', [...stuckRun(), ...after]))
    expect(run?.ended).toBe(ended)
  })

  it('has the findings of the library, whatever the number of runs in it', async () => {
    const runs = [stuckRun(5), honestRun(), stuckRun(9), honestRun(), stuckRun(3)]
    const lines = runs.map((events, id) => ({ id: `run-${id}`, source: 'test', events }))
    const reports = await scanOne(writeRun(emptyFolder(), 'runs.jsonl', lines))
    const expected = runs.map((events) => {
      const guard = createGuard()
      for (const event of events) guard.observe(event)
      return new Set(guard.findings.map(({ identity }) => identity)).size
    })
    expect(reports.map(({ loops }) => loops.length)).toEqual(expected)
  })
})

describe('unloop scan', () => {
  function history() {
    const home = emptyFolder()
    writeRun(home, '.claude/projects/-home-ada-app/s1.jsonl', claudeLines(10))
    writeRun(home, 'events/honest.jsonl', honestRun())
    const stuck = writeRun(home, 'events/stuck.jsonl', stuckRun())
    return { home, stuck, events: join(home, 'events') }
  }
  const scan = (args: string[], cwd: string) =>
    unloop(['scan', ...args], { cwd, env: { HOME: cwd } })
  const report = async (args: string[], cwd: string): Promise<ScanReport> =>
    JSON.parse((await scan([...args, '--format', 'json'], cwd)).stdout)

  it('looks without a path at what the agents of this machine have recorded', async () => {
    const { home } = history()
    const { runs } = await report([], home)
    expect(runs.map(({ program, project }) => [program, project])).toEqual([
      ['claude-code', '~/app'],
    ])
    expect(runs[0]?.loops[0]).toMatchObject({ detector: 'repeated-call', tool: 'Read' })
  })

  it('prints the answer, what was spent on what, and the loops with what to do, and ends with 1', async () => {
    const { home, events } = history()
    const { code, stdout } = await scan([events], home)
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^\$0\.05 of the \$0\.05 spent since November 1, 2026 went into one loop, which ran\nfor 11 min\.\n/,
    )
    expect(stdout).toContain('2 runs in 2 files: 1 stuck.')
    expect(stdout).toMatch(/^read +▒+ +\$0\.05 +\$0\.05$/m)
    expect(stdout).toContain('\n1. stuck  repeated-call: read × 12\n')
    expect(stdout).toContain(
      '11 min, 12k tokens, $0.05 (8 min, 8k tokens, $0.03 after it was proven)',
    )
    expect(stdout).toContain('→ Tell the agent: ')
    expect(stdout).toContain('calls read(')
    expect(stdout).not.toContain('\x1b[')
  })

  it.each([
    ['UTC', '2026-11-01 10:00'],
    ['Asia/Tokyo', '2026-11-01 19:00'],
    ['America/New_York', '2026-11-01 05:00'],
  ])('tells the time as it is where the person is: %s', async (zone, time) => {
    const { home, events } = history()
    const before = process.env.TZ
    try {
      process.env.TZ = zone
      expect((await scan([events], home)).stdout).toContain(`event-lines · ${time}\n`)
    } finally {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    }
  })

  it('ends with 0 where nothing was found, or when asked to', async () => {
    const { home, events } = history()
    expect((await scan([join(events, 'honest.jsonl')], home)).code).toBe(0)
    expect((await scan([events, '--exit-zero'], home)).code).toBe(0)
  })

  it('takes out keys, addresses and home folders, unless it is told not to', async () => {
    const { home, stuck } = history()
    const clean = JSON.stringify((await report([stuck], home)).runs[0]?.loops)
    expect(clean).not.toMatch(/sk-abc|ada@example|\/home\/ada/)
    expect(clean).toContain('~/app/login.ts')
    const raw = JSON.stringify((await report([stuck, '--show-raw'], home)).runs[0]?.loops)
    expect(raw).toContain('ada@example.org')
  })

  it('filters by time, agent, project and cost', async () => {
    const { home, events } = history()
    const count = async (...args: string[]) =>
      (await report(args, home)).runs.filter(({ loops }) => loops.length > 0).length
    expect(await count(events, '--min-wasted', '10000')).toBe(1)
    expect(await count(events, '--min-wasted', '20000')).toBe(0)
    expect(await count(events, '--min-wasted', '5m')).toBe(1)
    expect(await count(events, '--min-wasted', '$1')).toBe(0)
    expect(await count('--project', 'APP')).toBe(1)
    expect(await count('--project', 'other')).toBe(0)
    expect(await count('--agent', 'codex')).toBe(0)
    expect(await count(events, '--since', '2100-01-01')).toBe(0)
    expect(await count(events, '--since', '9999w')).toBe(1)
  })

  it.each([
    [['--since', 'soon'], '--since takes'],
    [['--min-wasted', 'much'], '--min-wasted takes'],
    [['--jobs', '0'], 'whole number'],
    [['--format', 'pdf'], 'Allowed choices'],
    [['--exec', 'true'], '--exec needs --watch'],
  ])('refuses %j', async (args, message) => {
    const { home } = history()
    const { code, stderr } = await scan(args, home)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  it('says what cannot be read, and reads the rest', async () => {
    const { home, stuck } = history()
    mkdirSync(join(home, 'empty'))
    writeFileSync(
      join(home, 'binary.jsonl'),
      Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1, 2, 3]),
    )
    appendFileSync(stuck, '{"type":"tex')
    const { code, stdout, stderr } = await scan(
      [join(home, 'none'), join(home, 'empty'), join(home, 'binary.jsonl'), stuck],
      home,
    )
    expect(stdout).toContain('1. stuck  repeated-call: read')
    expect(stderr).toContain('none: no such file')
    expect(stderr).toContain('empty: no transcripts in it')
    expect(stderr).toMatch(/binary\.jsonl is not text/)
    expect(code).toBe(2)
    const none = await scan([join(home, 'none')], home)
    expect(none.code).toBe(2)
    expect(none.stdout).toMatch(/^There are no runs/)
  })

  it('ends with 2 for a path that cannot be read, also where its name is masked', async () => {
    const { home, stuck } = history()
    const none = join(home, 'ada@example.org.jsonl')
    expect((await scan([none, stuck], home)).code).toBe(2)
    writeFileSync(none, '')
    const { code, stderr } = await scan([none, stuck, '--exit-zero'], home)
    expect(code).toBe(2)
    expect(stderr).not.toContain('ada@')
  })

  it('says what of a file it could not understand, and counts all of it', async () => {
    const { home, stuck, events } = history()
    appendFileSync(stuck, '{"type":"tex\n{"type":"dance"}\n\n')
    const document = `{"contents":[{"role":"user","parts":[{"text":"Why?"}]},{"role":"mo`
    writeFileSync(join(events, 'cut.json'), document)
    const { stdout, stderr } = await scan([events], home)
    expect(stderr).toMatch(/^unloop: .*cut\.json: 1 of 2 records could not .*2: the document ends/m)
    expect(stderr).toMatch(/^unloop: .*stuck\.jsonl: 2 of 40 records could not .*38: not JSON/m)
    expect(stderr.trim().split('\n')).toHaveLength(2)
    expect(stdout.replace(/\s+/g, ' ')).toContain('2 files could not be read, or not in full')
    const { files } = await report([events], home)
    const counts = files.map(({ path, records, used, skipped, bad }) => [
      path.split('/').at(-1),
      records,
      used,
      skipped,
      bad,
    ])
    expect(counts).toEqual([
      ['cut.json', 2, 1, 0, 1],
      ['honest.jsonl', 4, 4, 0, 0],
      ['stuck.jsonl', 40, 37, 1, 2],
    ])
  })

  it('says that all is older than was asked for, which is no misuse', async () => {
    const { home, events } = history()
    mkdirSync(join(home, 'empty'))
    const since = ['--since', '2100-01-01']
    const folder = await scan([events, ...since], home)
    expect(folder).toMatchObject({ code: 0, stdout: expect.stringContaining('There are no runs') })
    expect(folder.stderr).toBe(`${events}: nothing in it is that recent (2 files)\n`)
    const all = await scan(since, home)
    expect(all.code).toBe(0)
    expect(all.stderr).toBe('No session on this machine is that recent (1 file).\n')
    const both = await scan([events, join(home, 'empty'), ...since], home)
    expect(both.stderr).toContain('empty: no transcripts in it')
    expect((await scan([join(home, 'empty'), ...since], home)).code).toBe(2)
    const other = await scan(['--agent', 'codex', ...since], home)
    expect(other.stderr).toContain('No agent of that name has recorded sessions here')
  })

  it('follows a preset and a configuration', async () => {
    const { home, stuck } = history()
    const preset = await report([stuck, '--preset', 'gemini-cli'], home)
    expect(preset.runs[0]?.loops[0]?.detector).toBe('identical-call')
    writeFileSync(
      join(home, 'unloop.config.json'),
      JSON.stringify({ tools: { read: { allow: 'always' } } }),
    )
    expect((await report([stuck], home)).runs[0]?.loops).toEqual([])
  })
})

describe('the formats', () => {
  async function formatted(format: string) {
    const folder = emptyFolder()
    const nasty = stuckRun().map((event) =>
      event.type === 'tool-call'
        ? { ...event, args: { q: '=1+1,"a"\n</script><b>&\u0001 日本' } }
        : event,
    )
    writeRun(folder, 'a.jsonl', nasty)
    writeRun(folder, 'b.jsonl', honestRun())
    const { stdout } = await unloop(['scan', folder, '--format', format], { cwd: folder })
    return stdout
  }

  it('json follows its published schema, which is up to date', async () => {
    const schema = toReportJsonSchema()
    const published = new URL('../../schema/scan.schema.json', import.meta.url)
    expect(JSON.parse(readFileSync(published, 'utf8'))).toEqual(schema)
    const ajv = new Ajv.default({ strict: false })
    addFormats.default(ajv)
    const validate = ajv.compile(schema)
    validate(JSON.parse(await formatted('json')))
    expect(validate.errors).toBeNull()
    expect(validate({ schemaVersion: 2 })).toBe(false)
  })

  it('jsonl has a loop a line', async () => {
    const [line, ...others] = jsonLines(await formatted('jsonl'))
    expect(line).toMatchObject({
      schemaVersion: 2,
      run: { ended: 'in-loop' },
      loop: { detector: 'repeated-call' },
    })
    expect(others).toEqual([])
  })

  it('csv is read by a reader of CSV, and holds no formula', async () => {
    const [row] = parseCsv(await formatted('csv'), {
      columns: true,
      record_delimiter: '\r\n',
    }) as Record<string, string>[]
    expect(row).toMatchObject({
      detector: 'repeated-call',
      wasted_tokens: '12000',
      wasted_seconds: '660',
      first_line: '2',
    })
    expect(Object.values(row ?? {}).filter((cell) => /^[=+@]/.test(cell))).toEqual([])
  })

  it('junit is XML with a failure for each stuck run', async () => {
    const xml = await formatted('junit')
    expect(XMLValidator.validate(xml)).toBe(true)
    const { testsuites } = new XMLParser({
      ignoreAttributes: false,
      isArray: (name) => name === 'testcase',
    }).parse(xml)
    expect(testsuites).toMatchObject({ '@_tests': '2', '@_failures': '1' })
    const cases = testsuites.testsuite.testcase as { failure?: object }[]
    expect(cases.filter(({ failure }) => failure)).toHaveLength(1)
  })

  it('sarif has a result with its place and its course', async () => {
    const log: Log = JSON.parse(await formatted('sarif'))
    const [result] = log.runs[0]?.results ?? []
    expect(log.version).toBe('2.1.0')
    expect(log.runs[0]?.tool.driver.rules?.map(({ id }) => id)).toEqual(['repeated-call'])
    expect(result).toMatchObject({ ruleId: 'repeated-call', level: 'error' })
    expect(result?.locations?.[0]?.physicalLocation?.region?.startLine).toBe(11)
    expect(result?.codeFlows?.[0]?.threadFlows[0]?.locations.length).toBeGreaterThan(4)
  })

  it('html is one file that names nothing outside itself and cannot be ended by what it quotes', async () => {
    const html = await formatted('html')
    expect(html.match(/<\/script>/g)).toHaveLength(2)
    // links lead to places in it
    expect(html).not.toMatch(/(?:src|href)=(?!"#)/)
    expect(html).not.toMatch(/url\(|@import|fetch\(|XMLHttpRequest/)
    expect(html).toContain("default-src 'none'")
  })
})

it('a report for the HTML file is written where it was asked for', async () => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'a.jsonl'), toLines(stuckRun()))
  const { stderr } = await unloop(['scan', 'a.jsonl', '--html', 'report.html'], { cwd })
  expect(stderr).toContain(`Written to ${join(cwd, 'report.html')}`)
  expect(readFileSync(join(cwd, 'report.html'), 'utf8')).toContain('<!doctype html>')
  const { code, stderr: refused } = await unloop(
    ['scan', 'a.jsonl', '--html', 'no/such/folder.html'],
    { cwd },
  )
  expect(code).toBe(2)
  expect(refused).toContain('cannot write the report')
})

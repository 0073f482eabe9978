import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import { parse as parseCsv } from 'csv-parse/sync'
import { XMLParser } from 'fast-xml-parser'
import type { Log } from 'sarif'
import type { AgentEvent } from 'unloop'
import { describe, expect, it } from 'vitest'
import { createHost, emptyFolder, jsonLines, unloop } from '../test/host.js'
import { telling, writeOracleConfig } from '../test/oracle-config.js'
import { START, toLines, writeRun } from '../test/transcripts.js'
import { run } from './run.js'
import { toReportJsonSchema } from './scan/report-schema.js'
import type { ScanReport } from './scan/run-report.js'

const struggling = telling([undefined, undefined, 'likely', 'likely'], { loop: 'b' })
const stuck = telling([undefined, 'likely', 'likely', 'certain', 'certain', 'certain'], {
  loop: 'c',
  at: START + 3_600_000,
})
const work: AgentEvent = { type: 'text', text: 'It works now.', at: START + 7_200_000 }

/** A folder with these runs, and a guard that believes what they say. */
function recorded(runs: Record<string, readonly AgentEvent[]>) {
  const cwd = emptyFolder()
  for (const [name, events] of Object.entries(runs)) writeRun(cwd, `runs/${name}.jsonl`, events)
  writeOracleConfig(cwd)
  const cli = (...args: string[]) =>
    unloop([...args, '--trust'], { cwd, env: { HOME: emptyFolder() } })
  const scan = (...args: string[]) => cli('scan', join(cwd, 'runs'), ...args)
  const report = async (): Promise<ScanReport> =>
    JSON.parse((await scan('--format', 'json')).stdout)
  const file = (name: string) => join(cwd, 'runs', `${name}.jsonl`)
  return { cwd, cli, scan, report, file }
}

describe('unloop scan', () => {
  it('ends with 1 if an agent was stuck, and with 0 if it struggled', async () => {
    expect((await recorded({ struggling }).scan()).code).toBe(0)
    expect((await recorded({ struggling, stuck }).scan()).code).toBe(1)
    expect((await recorded({ struggling, stuck }).scan('--exit-zero')).code).toBe(0)
  })

  it('lists the stuck before the struggling, and tells them apart in the sum', async () => {
    const { stdout } = await recorded({ struggling, stuck }).scan()
    expect(stdout).toMatch(
      /^\$0\.03 of the \$0\.04 spent since November 1, 2026 went into one loop/,
    )
    expect(stdout).toContain('2 runs in 2 files: 1 stuck, 1 struggling.')
    expect(stdout).toMatch(
      /^1\. stuck {2}oracle: tell × 6\n[\s\S]*c was told 6 times[\s\S]*^2\. struggling {2}oracle: tell × 4\n/m,
    )
  })

  it('says that nothing was stuck where something struggled', async () => {
    const { stdout } = await recorded({ struggling }).scan()
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'went into loops: 0 of 1 run got stuck; 1 struggled.',
    )
    expect(stdout).toContain('\n1. struggling  oracle: tell × 4\n')
  })

  it('tells a loop once, stuck as soon as it is certain, from where it began', async () => {
    const [run] = (await recorded({ stuck }).report()).runs
    expect(run?.loops).toHaveLength(1)
    expect(run?.loops[0]).toMatchObject({
      certainty: 'certain',
      began: { line: 2 },
      evident: { line: 11 },
      wasted: { tokens: 6000 },
      avoidable: { tokens: 2000 },
    })
    expect(run?.loops[0]?.evidence.at(-1)?.line).toBe(11)
    expect(run?.wasted).toEqual(run?.loops[0]?.wasted)
  })

  it('counts as wasted what was certain alone, also in a run with both', async () => {
    const both = [...stuck, ...telling(['likely'], { loop: 'd', at: START + 7_200_000 }).slice(1)]
    const [run] = (await recorded({ both }).report()).runs
    expect(run?.loops.map(({ certainty }) => certainty)).toEqual(['certain', 'likely'])
    expect(run?.wasted).toEqual(run?.loops[0]?.wasted)
    const [other] = (await recorded({ struggling }).report()).runs
    expect(other?.loops[0]).toMatchObject({ certainty: 'likely', wasted: { tokens: 4000 } })
    expect(other?.wasted).toEqual({ events: 0, tokens: 0 })
  })

  it('counts as avoidable what came after it was proven, each time anew', async () => {
    const once = ['likely', 'likely', 'certain', 'certain'] as const
    const twice = [...telling(once), ...telling(once, { at: START + 3_600_000 })]
    const [run] = (await recorded({ twice }).report()).runs
    expect(run?.loops).toHaveLength(1)
    expect(run?.loops[0]).toMatchObject({ wasted: { tokens: 8000 }, avoidable: { tokens: 2000 } })
    expect(run?.wasted.tokens).toBe(8000)
  })

  it('tells a session that goes on in a new file once, as stuck if it is in one of them', async () => {
    const old = telling(['likely', 'likely', 'likely'])
    const { runs } = await recorded({
      old,
      next: telling(['likely', 'certain', 'likely']),
    }).report()
    const told = runs.flatMap(({ path, loops }) =>
      loops.map(({ certainty }) => `${path.split('/').at(-1)} ${certainty}`),
    )
    expect(told).toEqual(['next.jsonl certain'])
  })

  it('says how a run ended by what it was stuck in', async () => {
    const after = telling(['likely'], { loop: 'd', at: START + 7_200_000 })
    const runs = { struggling, over: [...struggling, work], both: [...stuck, ...after] }
    const { runs: told } = await recorded(runs).report()
    const ends = told.map(({ path, ended }) => [path.split('/').at(-1), ended])
    expect(Object.fromEntries(ends)).toEqual({
      'struggling.jsonl': 'in-loop',
      'over.jsonl': 'finished',
      'both.jsonl': 'broke-off',
    })
  })

  it('has it in JSON as its schema says, in JSON lines and in CSV', async () => {
    const { report, scan } = recorded({ struggling, stuck })
    const ajv = new Ajv.default({ strict: false })
    addFormats.default(ajv)
    const validate = ajv.compile(toReportJsonSchema())
    validate(await report())
    expect(validate.errors).toBeNull()
    const lines = jsonLines((await scan('--format', 'jsonl')).stdout)
    expect(lines.map(({ loop }) => loop.certainty)).toEqual(['likely', 'certain'])
    const csv = (await scan('--format', 'csv')).stdout
    const rows = parseCsv(csv, { columns: true }) as Record<string, string>[]
    expect(rows.map(({ state }) => state)).toEqual(['struggling', 'stuck'])
  })

  it('fails no case of JUnit because of a struggling run, but tells of it there', async () => {
    const { stdout } = await recorded({ struggling, stuck }).scan('--format', 'junit')
    const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(stdout)
    expect(testsuites).toMatchObject({ '@_tests': '2', '@_failures': '1' })
    const [first, second] = testsuites.testsuite.testcase
    expect(first).not.toHaveProperty('failure')
    expect(first['system-out']).toMatch(/struggling\.jsonl:2-11 struggling: oracle: b was told 4/)
    expect(second.failure['#text']).toMatch(/ stuck: oracle: c was told 6 times$/)
    expect(second).not.toHaveProperty('system-out')
  })

  it('is a note in SARIF', async () => {
    const { stdout } = await recorded({ struggling, stuck }).scan('--format', 'sarif')
    const log: Log = JSON.parse(stdout)
    const results = log.runs[0]?.results ?? []
    expect(results.map(({ level }) => level)).toEqual(['note', 'error'])
    expect(results.map(({ message }) => message.text?.split(':')[0])).toEqual([
      'struggling',
      'stuck',
    ])
    expect(results[0]?.properties).toEqual({ certainty: 'likely' })
  })

  it('has both words in the HTML file, with a filter for them', async () => {
    const { stdout } = await recorded({ struggling, stuck }).scan('--format', 'html')
    expect(stdout).toContain('<option value="likely">struggling</option>')
    expect(stdout).toContain('<option value="certain">stuck</option>')
  })
})

describe('unloop scan --watch', () => {
  it('tells of both, and runs the command and ends with 1 for the stuck alone', async () => {
    const { cwd, file } = recorded({ a: telling([]) })
    const told = join(cwd, 'told')
    const { host, stdout, stderr, signal } = createHost(
      ['scan', '--watch', file('a'), '--trust', '--exec', `echo x >> '${told}'`],
      { cwd, env: { HOME: emptyFolder() } },
    )
    const ended = run(host)
    await expect.poll(stderr).toContain('Following')
    appendFileSync(file('a'), toLines(telling(['likely', 'likely']).slice(1)))
    await expect.poll(stdout).toContain('event-lines is struggling')
    expect(stdout()).not.toContain('is stuck')
    appendFileSync(file('a'), toLines(telling(['likely', 'certain', 'certain']).slice(1)))
    await expect.poll(stdout).toContain('event-lines is still stuck')
    signal('SIGINT')
    expect(await ended).toBe(1)
    expect(stdout().match(/event-lines .*/g)).toEqual([
      'event-lines is struggling',
      'event-lines is stuck',
      'event-lines is still stuck',
    ])
    expect(readFileSync(told, 'utf8')).toBe('x\nx\n')
  })
})

describe('unloop check', () => {
  it('says which it is, and ends with 1 for the stuck alone', async () => {
    const { cli, file } = recorded({ struggling, stuck })
    const one = await cli('check', file('struggling'))
    expect(one.code).toBe(0)
    expect(one.stdout).toMatch(/struggling\.jsonl:8: struggling: oracle: b was told 3 times/)
    expect(one.stderr).toContain('struggling.jsonl: struggling once in 13 events')
    const other = await cli('check', file('stuck'))
    expect(other.code).toBe(1)
    expect(other.stdout).toMatch(/:5: struggling: oracle[\s\S]*:11: stuck: oracle[\s\S]*:14: stuck/)
    expect(other.stderr).toContain('stuck.jsonl: stuck once in 19 events')
  })

  it('has it in JSON, and says what a detector is near to', async () => {
    const { cli, file } = recorded({ stuck })
    const found = jsonLines((await cli('check', '--json', file('stuck'))).stdout)
    expect(found.map(({ finding }) => `${finding.certainty} ${finding.action}`)).toEqual([
      'likely warn',
      'certain block',
      'certain stop',
    ])
    const { stdout } = await cli('check', '--explain', file('stuck'))
    expect(stdout).toMatch(/oracle +50% {2}1 of 2 for struggling$/m)
  })

  it('does not forget that it was stuck because it struggles with the same later', async () => {
    const { cli, file } = recorded({ both: [...telling(['certain']), ...telling(['likely'])] })
    const { code, stderr } = await cli('check', file('both'))
    expect(code).toBe(1)
    expect(stderr).toContain('both.jsonl: stuck once in 8 events')
  })

  it('believes what a chat has found, which was certain before there were two kinds', async () => {
    const finding = {
      ...{ detector: 'failing', detail: 'x', action: 'stop', sample: '', advice: '' },
      ...{ identity: 'x', wasted: { events: 1, characters: 0 } },
    }
    const events = (...more: object[]) =>
      [...telling([undefined]), ...more] as unknown as AgentEvent[]
    const warned = { type: 'loop_warning', finding: { ...finding, certainty: 'likely' } }
    const old = { type: 'loop_detected', finding }
    const odd = { type: 'loop_detected', finding: { ...finding, certainty: 'toString' } }
    const { cli, file } = recorded({
      warned: events(warned),
      old: events(old, warned),
      odd: events(odd),
      both: [...telling(['likely']), old as unknown as AgentEvent],
    })
    const check = async (name: string) => {
      const { code, stderr } = await cli('check', file(name))
      return `${code} ${stderr.split(': ')[1]?.trim()}`
    }
    expect(await check('warned')).toBe('0 struggling once in 4 events')
    expect(await check('old')).toBe('1 stuck once in 4 events')
    expect(await check('odd')).toBe('0 no loop in 4 events')
    expect(await check('both')).toBe('1 stuck once, struggling once in 4 events')
  })
})

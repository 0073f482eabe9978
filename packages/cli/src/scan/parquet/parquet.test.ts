import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SECRET_EXAMPLES } from '@unloop/testing/secrets'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { emptyFolder, unloop } from '../../../test/host.js'
import {
  claudeLines,
  honestRun,
  START,
  stuckRun,
  toLines,
  writeRun,
} from '../../../test/transcripts.js'
import type { ScanReport } from '../run-report.js'
import { FINDING_COLUMNS, PART_COLUMNS, RUN_COLUMNS } from './columns.js'

const TABLES = { runs: RUN_COLUMNS, findings: FINDING_COLUMNS, parts: PART_COLUMNS }

function read(cwd: string, name: string): ArrayBuffer {
  const bytes = readFileSync(join(cwd, 'out', `${name}.parquet`))
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
}

const rowsOf = (cwd: string, name: string) => parquetReadObjects({ file: read(cwd, name) })

/** Scans a folder of two stuck runs and an honest one, and exports it. */
async function exported(): Promise<{ cwd: string; report: ScanReport }> {
  const cwd = emptyFolder()
  mkdirSync(join(cwd, 'logs'))
  writeFileSync(join(cwd, 'logs/s1.jsonl'), toLines(claudeLines(12)))
  writeRun(cwd, 'logs/own.jsonl', stuckRun(12, START + 1e9))
  writeRun(cwd, 'logs/honest.jsonl', honestRun())
  const args = ['scan', 'logs', '--parquet', 'out', '--format', 'json']
  const { stdout, code, stderr } = await unloop(args, { cwd })
  expect([code, stderr.match(/Written to/g)]).toEqual([1, Array(3).fill('Written to')])
  return { cwd, report: JSON.parse(stdout) }
}

describe('--parquet', () => {
  it('writes the runs of the report, with times as times and dollars as numbers', async () => {
    const { cwd, report } = await exported()
    const rows = await rowsOf(cwd, 'runs')
    expect(rows).toHaveLength(report.runs.length)
    for (const [at, run] of report.runs.entries()) {
      expect(rows[at]).toMatchObject({
        agent: run.program ?? run.format,
        path: run.path,
        started_at: new Date(run.startedAt as number),
        calls: BigInt(run.counts.calls),
        input_tokens: BigInt(run.tokens.input),
        dollars: run.spent.cost ?? null,
        wasted_tokens: BigInt(run.wasted.tokens),
        ended: run.ended,
      })
    }
    expect(new Set(rows.map(({ run_id }) => run_id)).size).toBe(rows.length)
  })

  it('writes findings and parts, which add up to the runs', async () => {
    const { cwd, report } = await exported()
    const runs = await rowsOf(cwd, 'runs')
    const findings = await rowsOf(cwd, 'findings')
    const loops = report.runs.flatMap((run) => run.loops)
    expect(findings.map(({ fingerprint }) => fingerprint)).toEqual(
      loops.map(({ fingerprint }) => fingerprint),
    )
    expect(findings[0]).toMatchObject({ state: 'stuck', known: false, detector: 'repeated-call' })
    const parts = await rowsOf(cwd, 'parts')
    expect(parts[0]?.day).toBeInstanceOf(Date)
    for (const run of runs) {
      const tokens = parts
        .filter(({ run_id }) => run_id === run.run_id)
        .reduce((sum, part) => sum + part.tokens, 0n)
      expect(tokens).toBe(run.tokens)
    }
  })

  it('has the same columns and types when there is nothing', async () => {
    const { cwd } = await exported()
    const empty = emptyFolder()
    writeRun(empty, 'logs/none.jsonl', [{ type: 'prompt', text: 'go' }])
    await unloop(['scan', 'logs', '--parquet', 'out'], { cwd: empty })
    for (const [name, columns] of Object.entries(TABLES)) {
      const { schema } = parquetMetadata(read(empty, name))
      expect(schema).toEqual(parquetMetadata(read(cwd, name)).schema)
      expect(schema.slice(1).map((column) => column.name)).toEqual(
        columns.map((column) => column.name),
      )
    }
    expect(await rowsOf(empty, 'findings')).toEqual([])
  })

  it('masks secrets, keeps its files private, and takes any number and time', async () => {
    const cwd = emptyFolder()
    mkdirSync(join(cwd, 'logs'))
    const [{ text, secret }] = SECRET_EXAMPLES as [(typeof SECRET_EXAMPLES)[number]]
    const odd = stuckRun().map((event) => {
      if (event.type === 'tool-call') return { ...event, args: { command: text } }
      return event.type === 'usage' ? { ...event, inputTokens: 1e300, outputTokens: 0.5 } : event
    })
    writeRun(cwd, 'logs/odd.jsonl', odd)
    writeRun(
      cwd,
      'logs/late.jsonl',
      stuckRun(12, START + 1e9).map((event) => ({ ...event, at: 1e300 })),
    )
    const { stderr } = await unloop(['scan', 'logs', '--parquet', 'out'], { cwd })
    expect(stderr).toContain('findings.parquet')
    const all = await Promise.all(Object.keys(TABLES).map((name) => rowsOf(cwd, name)))
    const told = JSON.stringify(all, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
    expect(told).toContain('repeated-call')
    expect(told).not.toContain(secret)
    expect(statSync(join(cwd, 'out/runs.parquet')).mode & 0o077).toBe(0)
  })

  it('says so if the folder cannot be written', async () => {
    const { cwd } = await exported()
    writeFileSync(join(cwd, 'file'), '')
    const { code, stderr } = await unloop(['scan', 'logs', '--parquet', 'file'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('cannot write Parquet')
  })

  it('is not loaded by a scan without it', async () => {
    const { cwd } = await exported()
    const bin = fileURLToPath(new URL('../../../bin/unloop.js', import.meta.url))
    /** The scripts that Node has loaded, as it tells where it is asked what of them ran. */
    function loaded(...args: string[]): string {
      const folder = emptyFolder()
      const env = { ...process.env, NODE_V8_COVERAGE: folder, HOME: cwd }
      spawnSync(process.execPath, [bin, 'scan', 'logs', ...args], { cwd, env })
      const reports = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
      const urls = reports.flatMap((text) => JSON.parse(text).result as { url: string }[])
      return urls.map(({ url }) => url).join('\n')
    }
    expect(loaded()).toContain('commands/scan.js')
    expect(loaded('--parquet', 'out')).toContain('hyparquet')
    expect(loaded()).not.toContain('hyparquet')
  })
})

it('every column is on the page', () => {
  const page = readFileSync(new URL('../../../../../docs/parquet.md', import.meta.url), 'utf8')
  for (const columns of Object.values(TABLES)) {
    for (const { name } of columns) expect(page).toContain(`\`${name}\``)
  }
})

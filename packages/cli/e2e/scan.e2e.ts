import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claudeLines, honestRun, START, stuckRun, toLines, writeRun } from '../test/transcripts.js'

const UNLOOP = fileURLToPath(new URL('../bin/unloop.js', import.meta.url))
const CACHE = process.env.UNLOOP_CACHE || join(homedir(), '.cache', 'unloop-e2e')

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unloop-scan-'))
  const runs = Array.from({ length: 5000 }, (_, n) => {
    const at = START + n * 600_000
    const events = n % 5 === 0 ? stuckRun(4 + (n % 30), at) : honestRun(at)
    return { id: `run-${n}`, source: 'agent', events }
  })
  mkdirSync(join(folder, 'many'))
  for (let part = 0; part < 4; part++) {
    const lines = toLines(runs.slice(part * 1250, (part + 1) * 1250))
    writeFileSync(join(folder, 'many', `${part}.jsonl`), lines)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

const scan = (...args: string[]) =>
  spawnSync(process.execPath, [UNLOOP, 'scan', ...args], {
    encoding: 'utf8',
    cwd: folder,
    maxBuffer: 64 << 20,
  })

describe('the report', () => {
  it('is the same whatever the threads', () => {
    for (let n = 0; n < 40; n++) {
      writeRun(join(folder, 'threads'), `${n}.jsonl`, stuckRun(4 + (n % 9), START + (n % 3) * 1000))
    }
    const [one, ...others] = ['1', '1', '2', '5'].map((jobs) => {
      const { stdout } = scan('threads', '--jobs', jobs, '--format', 'json')
      return { ...JSON.parse(stdout), scannedAt: '' }
    })
    expect(one.runs).toHaveLength(40)
    for (const other of others) expect(other).toEqual(one)
  })
})

it.each(['1', '2'])(
  'has the other files although one cannot be quoted, with %s threads',
  (jobs) => {
    const deep = `${'['.repeat(3000)}${']'.repeat(3000)}`
    const lines = toLines(stuckRun()).replaceAll('"/home/ada/app/login.ts"', deep)
    for (let n = 0; n < 6; n++) writeRun(join(folder, `deep-${jobs}`), `${n}.jsonl`, stuckRun())
    writeFileSync(join(folder, `deep-${jobs}`, 'deep.jsonl'), lines)
    const { status, stdout, stderr } = scan(`deep-${jobs}`, '--jobs', jobs, '--format', 'json')
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
    expect(JSON.parse(stdout).runs).toHaveLength(7)
  },
)

it('writes SARIF that the validator of its makers takes', () => {
  const home = join(CACHE, 'sarif')
  const validator = join(home, 'node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool')
  if (!existsSync(validator)) {
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'package.json'), '{ "private": true }\n')
    execFileSync(
      'npm',
      ['install', '--no-audit', '--no-fund', '@microsoft/sarif-multitool-linux@5.7.0'],
      { cwd: home, stdio: 'pipe' },
    )
    execFileSync('chmod', ['+x', validator])
  }
  writeRun(folder, 'one/stuck.jsonl', stuckRun())
  writeFileSync(join(folder, 'x.sarif'), scan('one', '--format', 'sarif').stdout)
  const env = { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' }
  const done = spawnSync(validator, ['validate', 'x.sarif', '--level', 'Error'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  expect(done.stdout).not.toMatch(/: error /)
  expect(done.stdout).toContain('Analysis completed successfully')
})

it('gives the same findings with one thread and with two', () => {
  const one = JSON.parse(scan('many', '--jobs', '1', '--format', 'json').stdout)
  const two = JSON.parse(scan('many', '--jobs', '2', '--format', 'json').stdout)
  expect(two.runs).toEqual(one.runs)
})

it('ends cleanly with what it has when it is interrupted', async () => {
  const child = spawn(
    process.execPath,
    [UNLOOP, 'scan', 'many', '--jobs', '1', '--format', 'json'],
    { cwd: folder },
  )
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  const closed = new Promise((resolve) => child.on('close', resolve))
  // the system knows when it has begun to read
  const files = () =>
    readdirSync(`/proc/${child.pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${child.pid}/fd/${fd}`)
      } catch {
        return ''
      }
    })
  await expect
    .poll(() => files().some((path) => path.startsWith(join(folder, 'many/'))), {
      interval: 5,
      timeout: 20_000,
    })
    .toBe(true)
  child.kill('SIGINT')
  await closed
  const report = JSON.parse(out)
  expect(report).toMatchObject({ schemaVersion: 2, interrupted: true })
  expect(report.runs.length).toBeLessThan(5000)
})

it('tells of a loop in what an agent is writing', async () => {
  const home = join(folder, 'home')
  const path = writeRun(home, '.claude/projects/app/s1.jsonl', claudeLines(3))
  const child = spawn(process.execPath, [UNLOOP, 'scan', '--watch', '--format', 'jsonl'], {
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, '.config') },
  })
  const line = (stream: NodeJS.ReadableStream, text: string) =>
    new Promise<void>((resolve) => {
      let seen = ''
      stream.on('data', (chunk) => {
        seen += chunk
        if (seen.includes(text)) resolve()
      })
    })
  await line(child.stderr, 'Following')
  const told = line(child.stdout, 'repeated-call')
  appendFileSync(path, toLines(claudeLines(1, 3)))
  await told
  child.kill('SIGINT')
  expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(1)
})

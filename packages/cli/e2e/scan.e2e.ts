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
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { telling, writeOracleConfig } from '../test/oracle-config.js'
import { claudeLines, honestRun, START, stuckRun, toLines, writeRun } from '../test/transcripts.js'

const UNLOOP = fileURLToPath(new URL('../bin/unloop.js', import.meta.url))
const ARTEFACTS = fileURLToPath(new URL('artefacts/', import.meta.url))
const CACHE = process.env.UNLOOP_CACHE || join(homedir(), '.cache', 'unloop-e2e')

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unloop-scan-'))
  mkdirSync(ARTEFACTS, { recursive: true })
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

describe('the report in a browser', () => {
  const RUNS = 5000
  let browser: Browser
  let page: Page
  const wrong: string[] = []

  beforeAll(async () => {
    const runs = Array.from({ length: RUNS }, (_, n) => {
      const at = START + n * 600_000
      return {
        id: `run-${n}`,
        source: 'agent',
        events: n % 5 === 0 ? stuckRun(4 + (n % 30), at) : honestRun(at),
      }
    })
    mkdirSync(join(folder, 'many'))
    for (let part = 0; part < 4; part++) {
      writeFileSync(
        join(folder, 'many', `${part}.jsonl`),
        toLines(runs.slice(part * 1250, (part + 1) * 1250)),
      )
    }
    const { status, stderr } = scan('many', '--jobs', '2', '--html', 'report.html', '--exit-zero')
    expect(stderr).toContain('Written to')
    expect(status).toBe(0)
    browser = await chromium.launch({
      executablePath: process.env.UNLOOP_CHROMIUM || '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    })
    page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
    page.on('console', (message) => wrong.push(message.text()))
    page.on('pageerror', (error) => wrong.push(error.message))
    page.on('request', (request) => {
      if (!/^(?:file|data):/.test(request.url())) wrong.push(`asked for ${request.url()}`)
    })
    await page.goto(`file://${join(folder, 'report.html')}`)
    await page.locator('details.run').first().waitFor()
  })
  afterAll(() => browser?.close())

  const shown = () => page.locator('#count').textContent()

  it('is painted within two seconds with 5,000 runs in it', async () => {
    const painted = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    )
    expect(painted).toBeLessThan(2000)
    expect(await shown()).toBe('1,000 of 5,000 runs')
    expect(await page.locator('#sums').textContent()).toContain('stuck runs1,000')
  })

  it('draws a run, opens it by keyboard, and shows where the loop began and what it cost', async () => {
    const run = page.locator('details.run').first()
    expect(await run.locator('svg rect').count()).toBeGreaterThan(3)
    expect(await run.locator('svg line.stopped').count()).toBe(1)
    await run.locator('summary').focus()
    await page.keyboard.press('Enter')
    await run.locator('.evidence li').first().waitFor()
    const text = (await run.textContent()) ?? ''
    expect(text).toContain('repeated-call: read was called')
    expect(text).toContain('calls read(')
    expect(text).not.toContain('ada@example.org')
    await page.screenshot({ path: join(ARTEFACTS, 'report-light.png') })
  })

  it('searches and filters', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('run-4995')
    await expect.poll(shown).toBe('1 of 5,000 runs')
    await page.locator('#search').fill('')
    await page.locator('#state').selectOption('')
    await expect.poll(shown).toBe('5,000 of 5,000 runs')
    await page.locator('#detector').selectOption('repeated-call')
    await expect.poll(shown).toBe('1,000 of 5,000 runs')
    await page.locator('#order').selectOption('newest')
    await expect.poll(() => page.locator('details.run').first().textContent()).toContain('run-4995')
  })

  it('shows more as one scrolls', async () => {
    const count = () => page.locator('details.run').count()
    const before = await count()
    await page.locator('#more').scrollIntoViewIfNeeded()
    await expect.poll(count).toBeGreaterThan(before)
  })

  it('is readable in the dark and on paper', async () => {
    const colours = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await colours()
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await colours()).not.toBe(light)
    await page.evaluate(() => scrollTo(0, 0))
    await page.screenshot({ path: join(ARTEFACTS, 'report-dark.png') })
    await page.emulateMedia({ media: 'print', colorScheme: 'light' })
    expect(await page.locator('#filters').isVisible()).toBe(false)
  })

  it('prints all runs that match, each with its details, and is as before afterwards', async () => {
    await page.emulateMedia({ media: null, colorScheme: null })
    await page.locator('#detector').selectOption('')
    await page.locator('#search').fill('')
    await page.locator('#state').selectOption('any')
    await page.locator('details.run > summary').nth(1).click()
    const state = () =>
      page.evaluate(() => ({
        runs: document.querySelectorAll('details.run').length,
        open: document.querySelectorAll('details.run[open]').length,
        bodies: document.querySelectorAll('details.run .evidence').length,
        more: document.getElementById('more')?.textContent,
      }))
    await expect.poll(async () => (await state()).bodies).toBe(1)
    const before = await state()
    expect(before).toMatchObject({ runs: 100, open: 1, bodies: 1 })
    await page.evaluate(() => {
      addEventListener('beforeprint', () => {
        const bodies = document.querySelectorAll('details.run[open] .evidence').length
        document.body.dataset.printed = `${bodies}`
      })
    })
    const printed = () => page.evaluate(() => document.body.dataset.printed)
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    expect(await printed()).toBe('1000')
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    expect(await state()).toEqual(before)
    // 1, 10 to 19, 100 to 199 and 1000 to 1999, of which every fifth is stuck
    await page.locator('#search').fill('run-1')
    await expect.poll(shown).toBe('222 of 5,000 runs')
    const pdf = (await page.pdf()).toString('latin1')
    expect(await printed()).toBe('222')
    expect(pdf.match(/\/Type\s*\/Page[^s]/g)?.length).toBeGreaterThan(50)
    const run = page.locator('details.run').nth(3)
    expect(await run.locator('.body').count()).toBe(0)
    await run.locator('summary').click()
    await run.locator('.evidence li').first().waitFor()
  })

  it('tells the struggling from the stuck', async () => {
    const home = join(folder, 'oracle')
    writeRun(home, 'runs/honest.jsonl', honestRun())
    writeRun(home, 'runs/struggling.jsonl', telling([undefined, 'likely', 'likely'], { loop: 'b' }))
    writeRun(home, 'runs/stuck.jsonl', telling(['likely', 'certain', 'certain']))
    writeOracleConfig(home)
    const config = ['--config', join(home, 'unloop.config.mjs')]
    const { status } = scan(join(home, 'runs'), ...config, '--html', join(home, 'two.html'))
    expect(status).toBe(1)
    await page.goto(`file://${join(home, 'two.html')}`)
    const runs = page.locator('details.run')
    await runs.first().waitFor()
    expect(await page.locator('#sums').textContent()).toContain('stuck runs1struggling runs1')
    expect(await page.locator('.head .state').allTextContents()).toEqual(['stuck', 'struggling'])
    expect(await runs.nth(1).locator('.waste').textContent()).toBe('')
    expect(await runs.locator('svg rect.wasted.likely').count()).toBe(1)
    const colour = (index: number) =>
      runs
        .nth(index)
        .locator('.what')
        .evaluate((element) => getComputedStyle(element).color)
    expect(await colour(0)).not.toBe(await colour(1))
    for (const run of await runs.all()) await run.locator('summary').click()
    await page.locator('h2', { hasText: 'struggling: oracle: b was told 3 times' }).waitFor()
    await page.locator('h2', { hasText: 'stuck: oracle: a was told 3 times' }).waitFor()
    await page.screenshot({ path: join(ARTEFACTS, 'report-struggling.png') })
    for (const [state, shownRuns] of [
      ['likely', '1 of 3 runs'],
      ['certain', '1 of 3 runs'],
      ['', '3 of 3 runs'],
      ['any', '2 of 3 runs'],
    ] as const) {
      await page.locator('#state').selectOption(state)
      await expect.poll(shown).toBe(shownRuns)
    }
  })

  it('asked for nothing and complained about nothing', () => {
    expect(wrong).toEqual([])
  })
})

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
  expect(report).toMatchObject({ schemaVersion: 1, interrupted: true })
  expect(report.runs.length).toBeLessThan(5000)
})

it('tells within a second of a loop in what an agent is writing', async () => {
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
  const before = performance.now()
  appendFileSync(path, toLines(claudeLines(1, 3)))
  await told
  expect(performance.now() - before).toBeLessThan(1000)
  child.kill('SIGINT')
  expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(1)
})

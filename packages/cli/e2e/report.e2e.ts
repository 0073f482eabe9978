import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { toHtml } from '../src/scan/formats/html.js'
import type { ScanReport } from '../src/scan/run-report.js'
import { hostileReport, MARKUP } from '../test/hostile-report.js'
import { madeUpReport } from '../test/made-up-report.js'
import { telling, writeOracleConfig } from '../test/oracle-config.js'
import { honestRun, writeRun } from '../test/transcripts.js'
import { startBrowser } from './browser.js'

const UNLOOP = fileURLToPath(new URL('../bin/unloop.js', import.meta.url))
const ARTEFACTS = fileURLToPath(new URL('artefacts/', import.meta.url))

let folder = ''
let browser: Browser
let page: Page
const wrong: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'unloop-report-'))
  mkdirSync(ARTEFACTS, { recursive: true })
  browser = await startBrowser()
  page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
  page.on('console', (message) => wrong.push(message.text()))
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('dialog', (dialog) => wrong.push(dialog.message()))
  page.on('request', (request) => {
    if (!/^(?:file|data):/.test(request.url())) wrong.push(`asked for ${request.url()}`)
  })
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true })
})

async function open(name: string, report: ScanReport): Promise<void> {
  const path = join(folder, `${name}.html`)
  writeFileSync(path, toHtml(report, { home: '/home/ada', showRaw: false }))
  await page.goto(pathToFileURL(path).href)
  await page.locator('#count').filter({ hasText: 'run' }).waitFor()
}

/** The window and the colors that a test finds, whatever the one before left. */
async function reset(size = { width: 1200, height: 900 }): Promise<void> {
  await page.emulateMedia({ colorScheme: null, media: null })
  await page.setViewportSize(size)
}

const answer = () => page.locator('#answer').textContent()
const count = () => page.locator('#count').textContent()
const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
const textOf = (selector: string) => page.locator(selector).textContent()
const isOverview = () => page.locator('#overview').isVisible()
const width = () => page.evaluate(() => document.documentElement.scrollWidth)
const picture = (name: string) => page.screenshot({ path: join(ARTEFACTS, `${name}.png`) })

/** What axe complains about, with the first element of each. */
async function complaints(): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run(document)
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
  })
}

describe('with 5,000 runs', () => {
  beforeAll(() => open('many', madeUpReport(5000)))

  it('counts all of them, and lists the first', async () => {
    expect(await count()).toBe('5,000 runs')
    expect(await page.locator('#runs a').count()).toBe(50)
  })

  it('shows more runs as one scrolls', async () => {
    await page.locator('#more').scrollIntoViewIfNeeded()
    await expect.poll(() => page.locator('#runs a').count()).toBeGreaterThan(50)
  })
})

describe('the report', () => {
  const report = madeUpReport(412, 66)
  beforeEach(async () => {
    await reset()
    await open('report', report)
  })

  it('answers first, and the answer follows the filters', async () => {
    expect(await answer()).toMatch(
      /^\$\d+ of the \$[\d,]+ spent in the last 30 days went into 5 loops; the worst ran for 3 h 12 min\.$/,
    )
    expect(await textOf('#notes')).toMatch(/\d+ of \d+ runs priced/)
    await page.locator('#agent').selectOption('codex')
    await expect.poll(answer).toMatch(/went into one loop, which ran for 35 min\.$/)
    await page.locator('#agent').selectOption('opencode')
    await expect
      .poll(answer)
      .toMatch(/^1\.3M of the [\d.]+M tokens used in the last 30 days went into one loop/)
    await page.locator('#agent').selectOption('')
    await page.locator('#period').selectOption({ label: 'last 7 days' })
    await expect.poll(answer).toContain('in the last 7 days')
    await page.locator('#clear').click()
    await expect.poll(count).toBe('412 runs')
    await expect.poll(focused).toBe('')
  })

  it('adds up the same everywhere', async () => {
    await page.locator('#project').selectOption('billing-api')
    await expect.poll(count).toMatch(/^\d+ of 412 runs$/)
    const wasted = await page.locator('#tiles .waste b').textContent()
    const row = page.locator('#by-project [aria-pressed=true]')
    expect(await row.textContent()).toContain(`${wasted} wasted of `)
    expect(await answer()).toContain(`${wasted} of the `)
  })

  it('is filtered by its bars, with the keyboard alone', async () => {
    await page.locator('#by-tool button', { hasText: 'Grep' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('#tool').inputValue()).toBe('Grep')
    await expect.poll(focused).toContain('Grep')
    await expect.poll(count).toMatch(/^\d+ of 412 runs$/)
    await page.keyboard.press('Enter')
    await expect.poll(count).toBe('412 runs')
    await page.locator('#by-day [tabindex="0"]').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Space')
    await expect.poll(answer).toMatch(/on November 15, 2026/)
    await page.locator('.chip').click()
    await expect.poll(count).toBe('412 runs')
  })

  it('searches from anywhere', async () => {
    await page.locator('#order').focus()
    await page.keyboard.press('/')
    await page.keyboard.type('write_stdin INVALID repeated-call')
    await expect.poll(count).toBe('0 of 412 runs')
    await expect.poll(answer).toBe('There are no runs in the last 30 days.')
    await page.locator('#search').fill('write_stdin repeated-call')
    await expect.poll(count).toBe('1 of 412 runs')
    await page.locator('#search').fill('')
    await expect.poll(count).toBe('412 runs')
  })

  it('counts tokens where one asks for them', async () => {
    await page.locator('#in-tokens').check()
    await expect.poll(() => textOf('#by-model')).toMatch(/tokens/)
    await page.locator('#in-dollars').check()
    await expect.poll(() => textOf('#by-model')).toContain('$')
    await expect.poll(() => textOf('#by-agent')).toContain('without a price')
  })

  it('has a page for each run, and a way back to where one was', async () => {
    const first = page.locator('#runs a').first()
    await first.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toMatch(/#run-\d+$/)
    await expect.poll(focused).toBe('storefront · call-cycle: Edit')
    await expect.poll(() => page.title()).toContain('storefront · call-cycle: Edit')
    await expect.poll(isOverview).toBe(false)
    await page.keyboard.press('Escape')
    await expect.poll(isOverview).toBe(true)
    await expect.poll(focused).toContain('storefront')
    await page.goBack()
    await page.locator('.run-heading').waitFor()
    await page.goForward()
    await expect.poll(isOverview).toBe(true)
    await first.click()
    await page.locator('.run-heading').waitFor()
    await page.goBack()
    await expect.poll(isOverview).toBe(true)
  })

  it('shows the calls of a loop side by side, and what differs', async () => {
    await page.locator('#runs a').first().click()
    await expect
      .poll(() => page.locator('.laps thead th').allTextContents())
      .toEqual(['Lap 1', 'Lap 2', 'Lap 3', 'Lap 4'])
    expect(await page.locator('.laps mark').allTextContents()).toEqual(['2', '3', '4'])
    const words = (await page.locator('#run').textContent()) ?? ''
    expect(words).toContain('You go back and forth between the same calls')
    expect(words).toContain('ended in the loop')
    expect(words).toContain('It was evident after 8 min')
    expect(words).not.toContain('0 events')
    await page.locator('.command button').click()
    await expect.poll(() => textOf('.command [role=status]')).toMatch(/^Copied|^Selected/)
    expect(await page.locator('.large svg line.stopped').count()).toBe(1)
  })

  it('passes axe in light, in dark and on a phone, and fits there', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const size of [
        { width: 1200, height: 900 },
        { width: 360, height: 740 },
      ]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(size)
        const name = `${size.width === 360 ? '-phone' : ''}-${colorScheme}`
        await page.goto(`${page.url().replace(/#.*/, '')}#`)
        await page.locator('#overview').waitFor()
        await page.evaluate(() => scrollTo(0, 0))
        await expect.poll(width).toBe(size.width)
        await picture(`report${name}`)
        expect(await complaints()).toEqual([])
        await page.locator('#runs a').first().click()
        await page.locator('.run-heading').waitFor()
        await expect.poll(width).toBe(size.width)
        await picture(`report-run${name}`)
        expect(await complaints()).toEqual([])
      }
    }
  })

  it('prints every run that matches, without what only a screen needs', async () => {
    await page.locator('#project').selectOption('storefront')
    await expect.poll(count).toMatch(/^\d+ of 412 runs$/)
    const [shown = 0] = ((await count()) ?? '').split(' ').map(Number)
    expect(shown).toBeGreaterThan(50)
    const pdf = (await page.pdf()).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page[^s]/g)?.length).toBeGreaterThan(4)
    expect(await page.locator('#runs a').count()).toBe(shown)
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => page.locator('#filters').isVisible()).toBe(false)
  })
})

describe('the report of a scan', () => {
  beforeEach(() => reset())

  it('tells the struggling from the stuck, in words too', async () => {
    writeRun(folder, 'runs/honest.jsonl', honestRun())
    writeRun(
      folder,
      'runs/struggling.jsonl',
      telling([undefined, 'likely', 'likely'], { loop: 'b' }),
    )
    writeRun(folder, 'runs/stuck.jsonl', telling(['likely', 'certain', 'certain']))
    writeOracleConfig(folder)
    const card = join(folder, 'card.svg')
    const { status } = spawnSync(
      process.execPath,
      [
        UNLOOP,
        'scan',
        'runs',
        '--config',
        'unloop.config.mjs',
        '--html',
        'two.html',
        '--card',
        card,
      ],
      { cwd: folder },
    )
    expect(status).toBe(1)
    await page.goto(pathToFileURL(join(folder, 'two.html')).href)
    await page.locator('#runs a').first().waitFor()
    expect(await page.locator('#runs .badge').allTextContents()).toEqual(['stuck', 'struggling'])
    expect(await textOf('#tiles')).toContain('1 stuck, 1 struggling')
    for (const [state, shown] of [
      ['likely', '1 of 3 runs'],
      ['certain', '1 of 3 runs'],
      ['none', '1 of 3 runs'],
      ['', '3 runs'],
    ] as const) {
      await page.locator('#state').selectOption(state)
      await expect.poll(count).toBe(shown)
    }
    await page.locator('#runs a', { hasText: 'stuck' }).first().click()
    await page.locator('h2', { hasText: 'A was told 3 times' }).waitFor()
    expect(await complaints()).toEqual([])
    await page.goto(pathToFileURL(card).href)
    await page.locator('text', { hasText: 'unloop scan' }).waitFor()
  })
})

describe('a report about little', () => {
  beforeEach(() => reset())

  it('has something to say about no runs', async () => {
    await open('none', { ...madeUpReport(0) })
    expect(await answer()).toBe('There are no runs in the last 30 days.')
    expect(await complaints()).toEqual([])
  })

  it('says how many runs nothing was wasted in', async () => {
    await open('honest', madeUpReport(40, 1000))
    expect(await answer()).toMatch(
      /^None of the \$\d+ spent .* went into loops: 0 of 40 runs got stuck\.$/,
    )
    expect(await complaints()).toEqual([])
  })

  it('counts tokens where nothing has a price', async () => {
    const report = madeUpReport(60, 20)
    const runs = report.runs.filter(({ spent }) => spent.cost === undefined)
    await open('unpriced', { ...report, runs })
    expect(await answer()).toMatch(/tokens used/)
    expect(await page.locator('#measures').isVisible()).toBe(false)
    expect(await textOf('#overview')).not.toContain('$')
  })
})

describe('a hostile report', () => {
  const report = hostileReport()
  beforeEach(async () => {
    await reset({ width: 360, height: 740 })
    await open('hostile', report)
  })

  it('is text, wherever it is shown', async () => {
    const check = async () => {
      expect(await page.evaluate(() => 'pwned' in window)).toBe(false)
      expect(await page.locator('img, iframe, object, embed, base, link, #pwned').count()).toBe(0)
      expect(await page.locator('script').count()).toBe(2)
      expect(
        await page.evaluate(
          (text) =>
            document
              .querySelector('main')
              ?.outerHTML.replace(/value="[^"]*"/g, '')
              .search(text),
          '[\u202a-\u202e\u2066-\u2069]',
        ),
      ).toBe(-1)
      await expect.poll(width).toBe(360)
    }
    await check()
    expect(await textOf('#runs')).toContain(MARKUP)
    for (const link of await page.locator('#runs a').all()) {
      await link.evaluate((element) => (element as HTMLAnchorElement).click())
      await page.locator('.run-heading').waitFor()
      await check()
      await page.goBack()
      await page.locator('#overview').waitFor()
    }
  })

  it('can be filtered by names that objects have', async () => {
    await page.locator('#tool').selectOption('__proto__')
    await expect.poll(count).toBe('1 of 3 runs')
    await page.locator('#clear').click()
    await page.locator('#model').selectOption('constructor')
    await expect.poll(count).toBe('1 of 3 runs')
    await page.locator('#clear').click()
  })

  it('passes axe', async () => {
    expect(await complaints()).toEqual([])
  })
})

it('asked for nothing and complained about nothing', () => {
  expect(wrong).toEqual([])
})

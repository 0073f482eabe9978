import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toCard } from '../src/scan/formats/card.js'
import { toHtml } from '../src/scan/formats/html.js'
import { madeUpReport } from '../test/made-up-report.js'
import { startBrowser } from './browser.js'
import { root } from './terminal.js'

const ARTEFACTS = join(root, 'packages/cli/e2e/artefacts')
/** What `npm run picture` draws goes into the docs. */
const PICTURES = process.env.UNLOOP_PICTURES ? join(root, 'docs/pictures') : ARTEFACTS

let browser: Browser
beforeAll(async () => {
  mkdirSync(ARTEFACTS, { recursive: true })
  browser = await startBrowser()
})
afterAll(() => browser?.close())

const report = madeUpReport(412, 66)

it('draws the report for the README, small enough to load at once', async () => {
  const html = join(ARTEFACTS, 'report.html')
  writeFileSync(html, toHtml(report, { home: '/home/ada', showRaw: false }))
  const page = await browser.newPage({ viewport: { width: 1200, height: 990 }, timezoneId: 'UTC' })
  await page.goto(pathToFileURL(html).href)
  await page.locator('#runs a').first().waitFor()
  const path = join(PICTURES, 'report.png')
  await page.screenshot({ path })
  expect(statSync(path).size).toBeLessThan(200_000)
})

it('draws the card, whose words keep clear of the ring', async () => {
  const card = toCard(report.runs) ?? ''
  writeFileSync(join(PICTURES, 'card.svg'), card)
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
  for (const [name, svg] of [
    ['card', card],
    ['card-of-much', toCard(much()) ?? ''],
  ] as const) {
    const path = join(ARTEFACTS, `${name}.svg`)
    writeFileSync(path, svg)
    await page.goto(pathToFileURL(path).href)
    const ends = await page.locator('text[x="80"], text[x="76"]').evaluateAll((texts) =>
      texts.map((text) => {
        const { x, width } = (text as SVGGraphicsElement).getBBox()
        return x + width
      }),
    )
    expect(ends).toHaveLength(5)
    expect(Math.max(...ends)).toBeLessThan(768)
    await page.screenshot({ path: join(ARTEFACTS, `${name}.png`) })
  }
  expect(readFileSync(join(root, 'docs/pictures/card.svg'), 'utf8')).toBe(card)
})

/** The longest words and numbers that a card may have. */
const much = () =>
  report.runs.map((run) => ({
    ...run,
    loops: run.loops.map((loop) => ({
      ...loop,
      detector: 'ping-pong',
      count: 123_456,
      wasted: { events: 9, tokens: 9_876_000_000, cost: 123_456.78, ms: 987_000_000 },
    })),
  }))

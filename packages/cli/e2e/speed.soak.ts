import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { toHtml } from '../src/scan/formats/html.js'
import { madeUpReport } from '../test/made-up-report.js'
import { claudeLines, toLines, writeRun } from '../test/transcripts.js'
import { PROMPT, startFlood } from './acp-flood.js'
import { startBrowser } from './browser.js'
import { bin, emptyHome } from './terminal.js'

// what must be measured, on a machine that has nothing else to do

/** How long each line of a steady stream took from the agent to us, in milliseconds, sorted. */
async function delays(isGuarded: boolean): Promise<number[]> {
  const child = startFlood(isGuarded, ['steady', '1500'])
  const found: number[] = []
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const now = performance.timeOrigin + performance.now()
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { sentAt } = JSON.parse(line).params?.update?._meta ?? {}
      if (sentAt !== undefined) found.push(now - sentAt)
    }
  })
  child.stdin?.write(PROMPT)
  await once(child, 'close')
  return found.sort((a, b) => a - b)
}

test('half of the lines are held back for less than 5 ms', async () => {
  const [direct, guarded] = [await delays(false), await delays(true)]
  const at = (list: readonly number[], share: number) => list[Math.floor(list.length * share)] ?? 0
  const added = (share: number) => at(guarded, share) - at(direct, share)
  const told = [0.5, 0.95, 0.99].map((share) => `${share * 100} %: ${added(share).toFixed(2)} ms`)
  process.stdout.write(`added by the proxy at ${told.join(', ')}\n`)
  expect(guarded).toHaveLength(1500)
  // only the median: on two busy cores, the same code added 0.6 to 21 ms at 95 %, so the rest is printed
  expect(added(0.5)).toBeLessThan(5)
})

test('tells its version within 150 ms', async () => {
  const took = async (args: string[]) => {
    const started = performance.now()
    await once(spawn(process.execPath, args, { cwd: emptyHome() }), 'close')
    return performance.now() - started
  }
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 40 && best >= 150; i++) best = Math.min(best, await took([bin, '--version']))
  expect(best).toBeLessThan(150)
})

test('tells within a second of a loop in what an agent is writing', async () => {
  const home = mkdtempSync(join(tmpdir(), 'unloop-speed-'))
  const path = writeRun(home, '.claude/projects/app/s1.jsonl', claudeLines(3))
  const child = spawn(process.execPath, [bin, 'scan', '--watch', '--format', 'jsonl'], {
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
  await once(child, 'exit')
  rmSync(home, { recursive: true })
})

test('a report of 5,000 runs is painted and listed within two seconds, and filters before one notices', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'unloop-speed-'))
  const path = join(folder, 'many.html')
  writeFileSync(path, toHtml(madeUpReport(5000), { home: '/home/ada', showRaw: false }))
  const browser = await startBrowser()
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
  await page.goto(pathToFileURL(path).href)
  await page.locator('#count').filter({ hasText: 'run' }).waitFor()
  const painted = await page.evaluate(() => ({
    painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    // the script has run to its end
    listed: (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming)
      .domContentLoadedEventEnd,
  }))
  expect(painted.painted).toBeLessThan(2000)
  expect(painted.listed).toBeLessThan(2000)
  const filters = await page.evaluate(() =>
    ['storefront', 'billing-api', 'infra', 'storefront', ''].map((name) => {
      const select = document.getElementById('project') as HTMLSelectElement
      const before = performance.now()
      select.value = name
      select.dispatchEvent(new Event('input', { bubbles: true }))
      document.body.getBoundingClientRect()
      return performance.now() - before
    }),
  )
  expect(Math.min(...filters)).toBeLessThan(100)
  await browser.close()
  rmSync(folder, { recursive: true })
})

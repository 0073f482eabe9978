import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Gateway, startGateway } from '@unloop/gateway'
import { type Provider, startProvider } from '@unloop/testing'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBrowser } from '../../cli/e2e/browser.js'

const ARTEFACTS = fileURLToPath(new URL('artefacts/', import.meta.url))
const TOKEN = 'token-of-the-live-page'
const TOOLS = ['run_tests', 'read_file'].map((name) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { path: { type: 'string' } } } },
}))

let redis: ChildProcess
let provider: Provider
/** two instances with the same Redis; the page is open on the first */
let a: Gateway
let b: Gateway
let browser: Browser
let page: Page
const wrong: string[] = []

beforeAll(async () => {
  mkdirSync(ARTEFACTS, { recursive: true })
  const port = await freePort()
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  redis = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await ready(redis)
  provider = await startProvider(({ body }, turn) => ({
    calls: JSON.stringify(body.messages).includes('Fix the login')
      ? [{ name: 'run_tests', args: { path: 'login.test.ts' } }]
      : [{ name: 'read_file', args: { path: `src/part-${turn}.ts` } }],
  }))
  const start = () =>
    startGateway({
      listen: { port: 0 },
      admin: { token: TOKEN },
      upstreams: { openai: { url: provider.url } },
      store: `redis://127.0.0.1:${port}`,
      log: 'quiet',
    })
  a = await start()
  b = await start()
  browser = await startBrowser()
  page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
  page.on('console', (message) => wrong.push(message.text()))
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('request', (request) => {
    if (!/^data:/.test(request.url()) && !request.url().startsWith(`${a.url}/unloop`))
      wrong.push(`asked for ${request.url()}`)
  })
})
afterAll(async () => {
  await browser?.close()
  await Promise.all([a?.close(), b?.close()])
  await provider?.close()
  if (redis?.exitCode !== null || !redis.kill()) return
  await once(redis, 'exit')
})

interface Message {
  role: string
  content?: string | null
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

/** An agent that sends its whole history with each request, and runs the tool that it is told to. */
function createAgent(session: string, prompt: string) {
  const messages: Message[] = [{ role: 'user', content: prompt }]
  return {
    /** Asks once; an answer of the gateway itself is not kept, so that the same is asked next time. */
    async ask(gateway: Gateway) {
      const before = provider.exchanges.length
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-unloop-session': session },
        body: JSON.stringify({ model: 'gpt-5', messages, tools: TOOLS }),
      })
      const { choices } = (await response.json()) as { choices: { message: Message }[] }
      const answer = choices[0]?.message
      const isReached = provider.exchanges.length > before
      if (isReached && answer) messages.push(answer, ...(answer.tool_calls ?? []).map(run))
      return {
        isReached,
        verdict: response.headers.get('x-unloop-verdict'),
        text: answer?.content ?? '',
        sent: JSON.stringify(provider.exchanges.at(-1)?.body ?? {}),
      }
    },
  }
}

type Agent = ReturnType<typeof createAgent>

const run = ({ id, function: called }: NonNullable<Message['tool_calls']>[number]): Message => ({
  role: 'tool',
  tool_call_id: id,
  content:
    called.name === 'run_tests'
      ? 'Error: login.test.ts failed: expected 200, got 401'
      : `export const contents = 'of ${called.arguments.replace(/\W+/g, ' ')}'`,
})

/** Asks through both instances in turn until one of them gives this verdict. */
async function askUntil(agent: Agent, verdict: string): Promise<void> {
  for (let turn = 0; turn < 15; turn++) {
    const answer = await agent.ask(turn % 2 === 0 ? a : b)
    if (answer.verdict === verdict) return
  }
  throw new Error(`no request got the verdict ${verdict}`)
}

const row = (name: string) => page.locator('.session', { hasText: name })
const stateOf = (name: string) => row(name).locator('.badge').textContent()
const choice = (name: string) => page.locator(`[data-choice=${name}]`)
const status = () => page.locator('.choices .status').textContent()
const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
const width = () => page.evaluate(() => document.documentElement.scrollWidth)
const names = () => page.locator('.session .open').allTextContents()
const heading = () => page.locator('#detail-heading').textContent()

/** All sessions in a window of the usual size, whatever the test before left. */
async function reset(): Promise<void> {
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize({ width: 1200, height: 900 })
  await page.locator('#state').selectOption('')
  await page.locator('#search').fill('')
}

async function open(name: string): Promise<void> {
  await row(name).locator('button').click()
  await expect.poll(heading).toContain(name)
}

/** What axe complains about, with the first element of each. */
async function complaints(): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run(document)
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
  })
}

describe('without a token', () => {
  it('nothing is told to anybody', async () => {
    for (const headers of [{}, { authorization: 'Bearer wrong-token-of-the-page' }]) {
      expect((await fetch(`${a.url}/unloop/api/sessions`, { headers })).status).toBe(401)
      expect((await fetch(`${a.url}/unloop/api/live`, { headers })).status).toBe(401)
      const method = 'POST'
      const sent = await fetch(`${a.url}/unloop/api/sessions/x/choice`, { method, headers })
      expect(sent.status).toBe(401)
    }
  })

  it('the page asks for it, says if it is wrong, and keeps it out of the address', async () => {
    const policy = (await fetch(`${a.url}/unloop`)).headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    await page.goto(`${a.url}/unloop`)
    await page.locator('#sign-in').waitFor()
    expect(await page.locator('#sign-in').textContent()).toContain('UNLOOP_GATEWAY_TOKEN')
    expect(await complaints()).toEqual([])
    await page.keyboard.type('wrong-token-of-the-page')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.locator('#sign-in-error').textContent())
      .toBe('The gateway did not accept this token.')
    // the browser itself notes a refused request
    await expect.poll(() => wrong).toEqual([expect.stringContaining('401')])
    wrong.length = 0
    await page.goto('about:blank')
    await page.goto(a.pageUrl)
    await page.locator('#start').waitFor()
    await expect.poll(() => page.url()).toBe(`${a.url}/unloop`)
    await page.reload()
    await page.locator('#start').waitFor()
  })

  it('says how to begin while there are no sessions', async () => {
    expect(await page.locator('#answer').textContent()).toBe('No sessions yet')
    expect(await page.locator('#start-lines').textContent()).toContain(
      `ANTHROPIC_BASE_URL=${a.url}`,
    )
    expect(await complaints()).toEqual([])
  })
})

describe('a loop that two instances see half of each', () => {
  const agent = createAgent('login-test', 'Fix the login.')

  it('shows up as struggling, then as stuck, with the evidence', async () => {
    await askUntil(agent, 'nudge')
    await expect.poll(() => stateOf('login-test')).toBe('struggling')
    await askUntil(agent, 'respond')
    await expect.poll(() => stateOf('login-test')).toBe('stuck')
    expect(await page.locator('#answer').textContent()).toBe('The session is stuck')
    expect(await page.locator('#announcer').textContent()).toContain('login-test is stuck.')
    await open('login-test')
    const words = (await page.locator('#detail').textContent()) ?? ''
    expect(words).toMatch(/run_tests (was called|failed) \d+ times/)
    expect(words).toContain('the gateway answered instead of the model')
    expect(await page.locator('.finding pre').first().textContent()).toContain('run_tests')
    expect(await page.locator('.finding').count()).toBeGreaterThan(1)
  })

  it('goes on once after Continue, with the keyboard alone', async () => {
    expect(await agent.ask(b)).toMatchObject({ isReached: false, verdict: 'respond' })
    await page.reload()
    await row('login-test').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('login')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect.poll(focused).toBe('login-test')
    await page.keyboard.press('Enter')
    await expect.poll(heading).toContain('login-test')
    await page.keyboard.press('Tab')
    await expect.poll(focused).toBe('1Stop')
    await page.keyboard.press('2')
    await expect
      .poll(status)
      .toBe(
        'Continued once: the next report of this loop is ignored. It takes effect at the agent’s next request, on all instances.',
      )
    await expect.poll(focused).toBe('2Continue once')
    expect(await agent.ask(b)).toMatchObject({ isReached: true })
    await expect.poll(() => page.locator('.past').textContent()).toContain('Continued once')
  })

  it('goes on for good after Allow', async () => {
    await askUntil(agent, 'respond')
    await expect.poll(() => choice('allow').textContent()).toBe('3Allow run_tests')
    await choice('allow').click()
    await page.locator('.choice-form [type=submit]').click()
    await expect.poll(status).toMatch(/^Allowed: run_tests may repeat/)
    for (const gateway of [b, b, a, b, a, b]) {
      expect(await agent.ask(gateway)).toMatchObject({ isReached: true })
    }
    await expect.poll(() => stateOf('login-test')).toBe('working')
  })
})

describe('other choices', () => {
  beforeEach(reset)

  it('Hint: the model reads it with the next request', async () => {
    const agent = createAgent('hinted', 'Fix the login.')
    await askUntil(agent, 'respond')
    await open('hinted')
    await choice('hint').click()
    await page.locator('.choice-form textarea:focus').waitFor()
    await page.keyboard.type('The handler is called sign_in.')
    await page.keyboard.press('Tab')
    await expect.poll(focused).toBe('Send hint')
    await page.keyboard.press('Enter')
    await expect.poll(status).toMatch(/^Hint to the model: The handler/)
    const { isReached, sent } = await agent.ask(b)
    expect(isReached).toBe(true)
    expect(sent).toContain('The handler is called sign_in.')
  })

  it('Stop: the gateway answers a session that was doing fine', async () => {
    const agent = createAgent('healthy', 'Read the sources.')
    for (const gateway of [a, b, a]) {
      expect(await agent.ask(gateway)).toMatchObject({ isReached: true, verdict: 'go' })
    }
    await row('healthy').waitFor()
    await open('healthy')
    await choice('stop').click()
    await expect.poll(focused).toBe('Stop session')
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('1Stop')
    expect(await agent.ask(b)).toMatchObject({ isReached: true })
    await choice('stop').click()
    await expect.poll(focused).toBe('Stop session')
    await page.keyboard.press('Enter')
    await expect.poll(status).toMatch(/^Stopped: the agent waits/)
    const stopped = await agent.ask(b)
    expect(stopped).toMatchObject({ isReached: false, verdict: 'respond' })
    expect(stopped.text).toContain('stopped')
    await expect.poll(() => stateOf('healthy')).toBe('stopped')
  })

  it('Disable: nothing is found in this session any more', async () => {
    const agent = createAgent('unwatched', 'Fix the login.')
    await askUntil(agent, 'respond')
    await row('unwatched').waitFor()
    await open('unwatched')
    await choice('disable').click()
    await expect.poll(focused).toBe('Disable guard')
    await page.keyboard.press('Enter')
    await expect.poll(status).toMatch(/^Disabled: loops are no longer/)
    for (const gateway of [b, a, b, b, a, b]) {
      expect(await agent.ask(gateway)).toMatchObject({ isReached: true, verdict: 'go' })
    }
    await expect.poll(() => stateOf('unwatched')).toBe('unguarded')
    await expect.poll(() => choice('disable').getAttribute('aria-disabled')).toBe('true')
  })
})

describe('the page', () => {
  beforeEach(reset)

  it('filters by words and by state', async () => {
    await page.locator('#search').fill('run_tests')
    await expect
      .poll(async () => (await names()).sort())
      .toEqual(['hinted', 'login-test', 'unwatched'])
    await page.locator('#state').selectOption('unguarded')
    await expect.poll(names).toEqual(['unwatched'])
    await expect.poll(() => page.locator('#count').textContent()).toBe('1 of 4 sessions')
    await page.locator('#search').fill('nothing like it')
    await page.locator('#clear').click()
    await expect.poll(async () => (await names()).length).toBe(4)
    await expect.poll(async () => (await names())[0]).toBe('healthy')
  })

  it('keeps the focus while sessions change their order', async () => {
    await open('hinted')
    await row('hinted').locator('button').focus()
    const agent = createAgent('late', 'Read the sources.')
    for (const gateway of [a, b, a]) await agent.ask(gateway)
    await row('late').waitFor()
    expect(await focused()).toBe('hinted')
    await page.keyboard.press('Home')
    // the first is chosen, and has the focus
    await expect
      .poll(async () => {
        const [first] = await names()
        return [await focused(), await heading()].filter((name) => name !== first)
      })
      .toEqual([])
  })

  it('passes axe in light, in dark and on a phone, and fits there', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const size of [
        { width: 1200, height: 900 },
        { width: 360, height: 740 },
      ]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(size)
        await page.reload()
        await row('login-test').waitFor()
        const name = `page${size.width === 360 ? '-phone' : ''}-${colorScheme}`
        await expect.poll(width).toBe(size.width)
        await page.screenshot({ path: join(ARTEFACTS, `${name}.png`) })
        expect(await complaints()).toEqual([])
        await open('login-test')
        for (const one of ['allow', 'hint', 'stop', 'disable']) await choice(one).click()
        await expect.poll(() => page.locator('.choice-form').count()).toBe(4)
        await expect.poll(width).toBe(size.width)
        await page.screenshot({ path: join(ARTEFACTS, `${name}-detail.png`), fullPage: true })
        expect(await complaints()).toEqual([])
      }
    }
  })

  it('says so when Redis is gone, and requests pass', async () => {
    redis.kill()
    await once(redis, 'exit')
    const agent = createAgent('afterwards', 'Read the sources.')
    expect(await agent.ask(a)).toMatchObject({ isReached: true })
    await expect
      .poll(() => page.locator('#store-problem').textContent())
      .toMatch(/^Redis cannot be reached\./)
    expect(await complaints()).toEqual([])
  })
})

it('asked nobody else for anything and complained about nothing', () => {
  expect(wrong).toEqual([])
})

async function ready({ stdout }: ChildProcess): Promise<void> {
  if (!stdout) throw new Error('redis-server has no output')
  for await (const line of createInterface(stdout)) {
    if (line.includes('Ready to accept connections')) return
  }
  throw new Error('redis-server ended before it was ready')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

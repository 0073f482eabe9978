import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Provider, startProvider } from '@unloop/testing'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CodeServer, startCodeServer } from './code-server.js'
import { claudeCall, claudePrompt } from './transcript.js'
import { until } from './until.js'
import { openWorkbench, type Workbench } from './workbench.js'

let server: CodeServer
let bench: Workbench
let provider: Provider

beforeAll(async () => {
  provider = await startProvider(({ body }) => {
    const asked = JSON.stringify(body)
    if (asked.includes('without end')) return { text: 'one two three', fault: 'silence', after: 5 }
    return { calls: [{ name: asked.includes('a trap') ? TRAP : 'list_topics' }] }
  })
  server = await startCodeServer({
    files: { 'src/login.ts': 'export function login(name: string) {\n  return name !== ""\n}\n' },
    variables: {
      OPENAI_BASE_URL: `${provider.url}/v1`,
      OPENAI_API_KEY: 'key-of-the-environment',
      ANTHROPIC_BASE_URL: provider.url,
      GOOGLE_GEMINI_BASE_URL: provider.url,
      GEMINI_API_KEY: 'key-of-the-environment',
    },
  })
  bench = await openWorkbench(server.url, server.workspace)
  await bench.load()
  await bench.openChat()
}, 300_000)

afterAll(async () => {
  await bench?.close()
  await server?.stop()
  await provider?.close()
})

// what a model, or whoever wrote what it reads, may call a file or a tool
const TRAP =
  '[click](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22id%5Cn%22%7D)'

/** A new chat with these settings and nothing left of what was before, be it a test that failed. */
async function begin(settings: Record<string, unknown> = {}) {
  await server.apply({ ...USUAL, ...settings })
  await bench.newChat()
  await bench.fold('Loops', true)
  if ((await bench.page.locator('.tab').count()) > 0) await bench.command('View: Close All Editors')
  await bench.clearToasts()
}

const USUAL = {
  'unloop.model': undefined,
  'unloop.preset': undefined,
  'unloop.detectors': undefined,
  'unloop.maxTurns': 20,
}

const items = (type: string) => bench.chat.locator(`li.item.${type}`)
const calls = () => items('call').count()
const button = (name: string) => bench.toast('The agent is stuck').getByRole('button', { name })

async function getStuck(kind = 'repeated-call') {
  await bench.send(`/stuck ${kind}`)
  await bench.toast('The agent is stuck').waitFor()
  await bench.idle()
}

/** Opens a row of a list until what is below it is there: a click on a list that is being renewed is lost. */
async function unfold(row: Locator, child: Locator) {
  await until('what is below the row is there', async () => {
    if (await child.isVisible()) return true
    const isOpen = await row.getAttribute('aria-expanded', ONE_TRY).catch(ignore)
    if (isOpen === 'false') await row.locator('.monaco-tl-twistie').click(ONE_TRY).catch(ignore)
    return false
  })
}

// what is tried again needs no patience
const ONE_TRY = { timeout: 2000 }
const ignore = () => {}

describe('the chat', () => {
  it('installs, and answers from the embedded model', async () => {
    await begin()
    await bench.picture('welcome')
    await bench.send('How does the ladder work?')
    await items('answer').getByText('The first report of a loop of calls is a warning').waitFor()
    await bench.idle()
    expect(await items('call').first().textContent()).toContain('read_topic')
  })

  it('shows what goes along with a message, and lets the person take it out', async () => {
    await begin()
    await bench.openFile('login.ts')
    const chips = bench.chat.locator('footer .chip')
    await until('two things go along', async () => {
      await bench.page.locator('.monaco-editor .view-lines').first().click(ONE_TRY).catch(ignore)
      await bench.page.keyboard.press('Control+A')
      return (await chips.count()) === 2
    })
    await bench.send('How does the ladder work?')
    await bench.idle()
    await bench.picture('chat', { clip: { x: 0, y: 30, width: 900, height: 750 }, forReadme: true })
    await bench.chat
      .getByRole('button', { name: 'Remove from the message: src/login.ts' })
      .first()
      .click()
    await until('one is left', async () => (await chips.count()) === 1)
    await bench.send('hello')
    await bench.idle()
    const sent = await items('person').last().locator('.chip').allTextContents()
    expect(sent).toEqual(['src/login.ts:1–4'])
    await bench.command('View: Close All Editors')
  })

  it('asks before a tool changes something', async () => {
    await begin()
    await bench.send('write notes.txt with "remember the milk"')
    await items('question').getByText('notes.txt').first().waitFor()
    await bench.picture('question')
    await items('question').getByRole('button', { name: 'Run it' }).click()
    await bench.idle()
    expect(readFileSync(join(server.workspace, 'notes.txt'), 'utf8')).toContain('milk')
  })

  it('stops when told to', async () => {
    await begin({ 'unloop.model': 'compatible/qwen3' })
    await bench.send('Answer without end.')
    await items('answer').waitFor()
    await bench.chat.locator('button.stop').click()
    await items('notice').getByText('Stopped.').waitFor()
  })
})

describe('a loop', () => {
  it('raises the message, shows the evidence and is logged; reload restores it', async () => {
    await begin()
    await bench.openFile('login.ts')
    await bench.send('hello')
    await bench.idle()
    await getStuck()
    await bench.widen(560)
    await bench.fold('Loops', false)
    await bench.picture('loop', { forReadme: true })
    await bench.fold('Loops', true)
    await bench.widen(300)
    const card = bench.chat.locator('.card.loop')
    const text = (await card.textContent()) ?? ''
    expect(text).toContain('list_topics was called')
    expect(text).toContain('list_topics({})')
    expect(text).toMatch(/Cost\d+ events, [\d,]+ tokens/)
    expect(await card.getByRole('button').allTextContents()).toEqual(expect.arrayContaining(LABELS))
    await until('the warning in the log', () =>
      /\[warning\] loop detected: repeated-call/.test(server.log()),
    )
    await bench.statusSays('waiting for your decision')

    const before = await bench.chat.locator('li.item').allTextContents()
    await bench.load()
    await bench.openChat()
    await card.waitFor()
    await expect.poll(() => bench.chat.locator('li.item').allTextContents()).toEqual(before)
    await bench.picture('restored')
    await bench.command('View: Close All Editors')
    await card.getByRole('button', { name: 'Continue once' }).click()
    await until(
      'it stops again',
      async () => (await bench.chat.locator('.card.loop').count()) === 2,
    )
  })

  it('is listed, with a jump to its place in the chat', async () => {
    await begin()
    await getStuck('failing')
    const rows = bench.page.getByRole('treeitem', { name: /several tools failed/ })
    const row = rows.first()
    await until('two warnings and the stop', async () => (await rows.count()) === 3)
    // a click on a list that is being renewed is lost
    await until('the loop has the focus', async () => {
      await row.click(ONE_TRY).catch(ignore)
      return bench.chat.locator('.card.loop:focus').isVisible()
    })
    await unfold(row, bench.page.getByRole('treeitem', { name: 'Rule: failing (same-error)' }))
    await bench.fold('Chat', false)
    const below = bench.page.getByRole('button', { name: 'Loops Section' })
    await until('the list has all the room', async () => {
      const box = await below.boundingBox()
      return box && box.y < 100
    })
    await bench.widen(400)
    const clip = { x: 48, y: 30, width: 400, height: 320 }
    await bench.picture('loops', { clip, forReadme: true })
    await bench.fold('Chat', true)
  })
})

const LABELS = [
  '1Stop',
  '2Continue once',
  '3Allow list_topics',
  '4Send a hint…',
  '5Go back and retry',
  '6Disable for this session',
]

describe('the button', () => {
  async function more(choice: string) {
    await button('More…').click()
    await bench.page.locator('.quick-input-list').getByText(choice).click()
  }
  const decision = (text: string) => bench.chat.locator('.decision').getByText(text).waitFor()

  it('"Stop" leaves it stopped', async () => {
    await begin()
    await getStuck()
    const before = await calls()
    await button('Stop').click()
    await decision('Stopped:')
    await bench.idle()
    expect(await calls()).toBe(before)
    await bench.statusSays('waiting for your decision', false)
  })

  it('"Continue" goes on, and stops again', async () => {
    await begin()
    await getStuck()
    const before = await calls()
    await button('Continue').click()
    await decision('Continued once')
    await until('a second loop', async () => (await bench.chat.locator('.card.loop').count()) === 2)
    expect(await calls()).toBeGreaterThan(before)
  })

  it('"Allow" lets it repeat', async () => {
    await begin()
    await getStuck()
    await button('Allow').click()
    await decision('list_topics may repeat')
    await items('notice').getByText('the limit is 20 per message').waitFor()
    expect(await bench.chat.locator('.card.loop').count()).toBe(1)
  })

  it('"Send a hint…" asks for one and puts it before the model', async () => {
    await begin()
    await bench.send('/stuck repeated-call heed')
    await bench.idle()
    await getStuck()
    await more('Send a hint…')
    await bench.answer('Send a hint', 'Read the topic "ladder".')
    await decision('Read the topic "ladder".')
    await until('it gets its warnings anew', async () => (await items('warning').count()) > 3)
  })

  it('"Go back and retry" takes the loop back', async () => {
    await begin()
    await getStuck()
    await more('Go back and retry')
    await decision('Went back')
    await until(
      'calls are taken back',
      async () => (await bench.chat.locator('.undone').count()) > 3,
    )
    await bench.picture('go-back')
    await bench.idle()
  })

  it('"Disable" finds nothing any more in this session', async () => {
    await begin()
    await getStuck()
    await more('Disable for this session')
    await decision('Disabled')
    await items('notice').getByText('the limit is 20 per message').waitFor()
    await bench.statusSays('The guard is off')
    expect(await bench.chat.locator('.card.loop').count()).toBe(1)
  })
})

describe('the rules of the fork', () => {
  it.each([
    ['gemini-3-pro-preview', 'call-flood', 4],
    ['gemini-3-pro-preview', 'same-answer', 5],
    ['gemini-2.0-flash', 'identical-call', 10],
  ])('catch %s in %s at call %i', async (model, kind, count) => {
    await begin({ 'unloop.preset': 'deepv', 'unloop.model': `embedded/${model}` })
    await getStuck(kind)
    const facts = await bench.chat.locator('.card.loop dd').allTextContents()
    expect(facts).toContain(String(count))
    expect(await calls()).toBe(count - 1)
  })
})

describe('a provider', () => {
  const lastKey = () => {
    const headers = provider.exchanges.at(-1)?.headers
    return [headers?.authorization, headers?.['x-api-key'], headers?.['x-goog-api-key']].join('')
  }

  it.each(['openai/gpt-5', 'google/gemini-2.5-flash', 'compatible/qwen3'])(
    'of %s is asked with the key of the environment, and cut off when it loops',
    async (model) => {
      await begin({ 'unloop.model': model })
      await bench.send('What is there?')
      await bench.toast('The agent is stuck').waitFor()
      expect(lastKey()).toContain('key-of-the-environment')
      expect(await bench.chat.locator('.card.loop').textContent()).toContain('list_topics')
    },
  )

  it('without a key says so, and takes one that is kept as a secret', async () => {
    await begin({ 'unloop.model': 'anthropic/claude-sonnet-4-5' })
    await bench.send('What is there?')
    await items('error').getByText('needs an API key').waitFor()
    await bench.picture('no-key')
    await items('error').getByRole('button', { name: 'Set API key…' }).click()
    await bench.page.locator('.quick-input-list').getByText('anthropic').click()
    await bench.answer('API key for anthropic', 'key-of-the-person')
    await bench.toast('was saved').waitFor()
    await bench.send('What is there?')
    await bench.toast('The agent is stuck').waitFor()
    expect(lastKey()).toContain('key-of-the-person')
    expect(server.log()).not.toContain('key-of-the-person')
  })
})

describe('settings', () => {
  it('that are wrong are named, and the default stays', async () => {
    await begin()
    await server.apply({ 'unloop.preset': 'nonsense' })
    await bench.toast('unloop.preset').waitFor()
    await bench.picture('bad-setting')
    await getStuck()
    expect(await bench.chat.locator('.card.loop').textContent()).toContain('repeated-call')
  })
})

describe('the pages of the editor', () => {
  it('have the settings and the walkthrough', async () => {
    await begin()
    await bench.command('unloop: Open settings')
    await bench.page.locator('.settings-editor').getByText('Guard Mode').first().waitFor()
    await bench.picture('settings')
    await bench.command('Welcome: Open Walkthrough...', 'Get started with unloop')
    await bench.page
      .locator('.gettingStartedContainer')
      .getByRole('heading', { name: 'See an agent get stuck' })
      .waitFor()
    await bench.picture('walkthrough')
    await bench.command('View: Close All Editors')
  })
})

it('a new chat is shown, whatever the side bar showed', async () => {
  await bench.hideChat()
  await begin()
})

/** Chooses from the menu of a row. */
async function menu(row: Locator, name: string) {
  const entry = bench.page.getByRole('menuitem', { name, exact: true })
  const focused = bench.page.locator('.action-item.focused', { has: entry })
  await until('the menu is open', async () => {
    if (await focused.isVisible()) return true
    // a menu takes no click in its first moments, so the entry is pointed at
    if (await entry.isVisible()) await entry.hover(ONE_TRY).catch(ignore)
    // the menu of the row as it was before
    else if (await bench.page.getByRole('menu').last().isVisible()) {
      await bench.page.keyboard.press('Escape')
    } else await row.click({ button: 'right', ...ONE_TRY }).catch(ignore)
    return false
  })
  await bench.page.keyboard.press('Enter')
  await entry.waitFor({ state: 'hidden' })
}

describe('watching', () => {
  // these go on with the same transcript, but need no more of each other
  beforeEach(async () => {
    await bench.dismiss()
    await bench.openChat()
    await bench.clearToasts()
  })

  it('warns of a loop that grows in a transcript, and leads to it', async () => {
    await begin({ 'unloop.watch.enabled': true })
    await until('it watches', () => server.log().includes('watching transcripts of'))
    const path = join(server.home, '.claude/projects/-workspace/5e55104.jsonl')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, claudePrompt(server.workspace))
    for (let number = 0; number < 6; number++) {
      appendFileSync(path, claudeCall(number, server.workspace))
    }
    const toast = bench.toast('Claude Code is stuck')
    await toast.waitFor()
    await bench.picture('watch', {
      clip: { x: 0, y: 380, width: 1200, height: 420 },
      forReadme: true,
    })
    expect(await toast.textContent()).toContain('Read({"file_path":"src/login.ts"})')
    await until('the place in the log', () => server.log().includes(`loop in ${path}:8`))
    await toast.getByRole('button', { name: 'Show transcript' }).click()
    await bench.page.locator('.tab.active', { hasText: 'Claude Code 5e55104.md' }).waitFor()
    await bench.page.locator('.view-lines', { hasText: 'Read was called 4 times' }).waitFor()
    await bench.picture('transcript', { forReadme: true })
    const row = bench.page.getByRole('treeitem', { name: /Read was called/ }).first()
    await menu(row, 'Show raw lines')
    await bench.page.locator('.tab.active', { hasText: '5e55104.jsonl' }).waitFor()
    await bench.page.locator('.statusbar-item', { hasText: 'Ln 2, Col 1' }).waitFor()
    await bench.command('View: Close All Editors')
  })

  const row = () => bench.page.getByRole('treeitem', { name: /Read was called/ }).first()
  const path = () => join(server.home, '.claude/projects/-workspace/5e55104.jsonl')
  const grow = (from: number, to: number) => {
    for (let number = from; number < to; number++) {
      appendFileSync(path(), claudeCall(number, server.workspace))
    }
  }

  it('says what it watches, and gives the advice', async () => {
    const watching = bench.page.getByRole('treeitem', { name: 'Watching 1 session' })
    const session = /Claude Code, workspace, .* ago, \d+ events/
    await unfold(watching, bench.page.getByRole('treeitem', { name: session }))
    await bench.statusSays('Watching 1 session.')
    await menu(row(), 'Copy advice')
    await bench.toast('The advice is in the clipboard').waitFor()
    await menu(row(), 'Read advice')
    await bench.toast('You have made this exact call several times').waitFor()
    await bench.picture('watching')
  })

  it('warns again when the loop has doubled, with a badge until it is looked at', async () => {
    await bench.hideChat()
    await row().waitFor({ state: 'hidden' })
    grow(6, 8)
    await bench.toast('Claude Code is stuck').waitFor()
    const badge = bench.page
      .locator('.activitybar .action-item', { has: bench.page.locator('[aria-label*="unloop"]') })
      .locator('.badge-content')
    await until('the badge', async () => (await badge.textContent()) === '1')
    await bench.picture('badge')
    await bench.openChat()
    await until('the badge is gone', async () => !(await badge.isVisible()))
    grow(8, 16)
    await until(
      'the count in the list',
      async () =>
        (await bench.page.getByRole('treeitem', { name: /Read was called 16 times/ }).count()) > 0,
    )
    await until('one message', async () => (await bench.toasts()) === 1)
  })

  it('is silent about what was muted, and offers the hook', async () => {
    await menu(row(), 'Mute this loop')
    await bench.page.getByRole('treeitem', { name: /Read was called .*, muted/ }).waitFor()
    grow(16, 40)
    await bench.page.getByRole('treeitem', { name: /Read was called 40 times/ }).waitFor()
    expect(await bench.toasts()).toBe(0)
    await menu(row(), 'Unmute')
    await bench.page.getByRole('treeitem', { name: /Read was called .*, stuck/ }).waitFor()
    // an npx that only writes down what it was called with
    const script = 'npx() { echo "$@" > "$HOME/npx-ran"; }\n'
    writeFileSync(join(server.home, '.bashrc'), script)
    await menu(row(), 'Install hook…')
    await bench.toast('Press Enter in the terminal').waitFor()
    await bench.page.locator('.terminal-outer-container:focus-within').waitFor()
    const ran = join(server.home, 'npx-ran')
    expect(existsSync(ran)).toBe(false)
    await bench.picture('hook')
    await until('it runs once the person says so', async () => {
      await bench.page.keyboard.press('Enter')
      return existsSync(ran)
    })
    await until(
      'what it ran',
      () => readFileSync(ran, 'utf8') === '-y @unloop/cli init claude-code\n',
    )
    await bench.command('Terminal: Kill All Terminals')
    await bench.command('View: Close All Editors')
  })
})

describe('outside text', () => {
  const trap = `src/${TRAP} $(error).ts`

  it('is no link in the message of a stopped agent, or in the list of decisions', async () => {
    await begin({ 'unloop.model': 'compatible/qwen3' })
    await bench.send('This is a trap.')
    const toast = bench.toast('The agent is stuck')
    await toast.waitFor()
    await bench.picture('outside-text-stopped')
    expect((await toast.textContent())?.replaceAll('\u2060', '')).toContain(TRAP)
    const title = bench.page.locator('.quick-input-title', { hasText: 'click' })
    await bench.press('Control+Alt+Shift+D', title)
    expect(await bench.page.locator('[href*="sendSequence"]').count()).toBe(0)
    expect(await bench.chat.locator('a, [href*="sendSequence"]').count()).toBe(0)
    await bench.page.keyboard.press('Escape')
  })

  it('is no link and no icon in the message of a watched agent, the list of loops or a tooltip', async () => {
    await begin({ 'unloop.watch.enabled': true })
    await until('it watches', () => server.log().includes('watching transcripts of'))
    await bench.command('unloop: Clear loops of watched agents')
    const row = bench.page.getByRole('treeitem', { name: /Read was called/ }).first()
    await row.waitFor({ state: 'hidden' })
    const path = join(server.home, '.claude/projects/-workspace/7ra9.jsonl')
    mkdirSync(dirname(path), { recursive: true })
    const calls = Array.from({ length: 6 }, (_, at) => claudeCall(at, server.workspace, trap))
    writeFileSync(path, claudePrompt(server.workspace) + calls.join(''))
    const toast = bench.toast('Claude Code is stuck')
    await toast.waitFor()
    await bench.picture('outside-text')
    // as it was written, but for what nobody sees
    expect((await toast.textContent())?.replaceAll('\u2060', '')).toContain(trap.slice(4, 30))
    await row.hover()
    await bench.page.locator('.monaco-hover', { hasText: 'click' }).first().waitFor()
    await bench.picture('outside-text-tooltip')
    await unfold(row, bench.page.getByRole('treeitem', { name: /Seen: .*click/ }))
    expect(await bench.page.locator('[href*="sendSequence"]').count()).toBe(0)
    expect(await bench.page.locator('[data-href*="sendSequence"]').count()).toBe(0)
    expect(await toast.locator('.notification-list-item-message a').count()).toBe(0)
    expect(await toast.locator('.notification-list-item-message .codicon').count()).toBe(0)
  })
})

describe('in other themes, by keyboard alone', () => {
  it('a loop is decided', async () => {
    await begin({ 'workbench.colorTheme': 'Default Light Modern', 'unloop.watch.enabled': false })
    await bench.command('unloop: Clear loops of watched agents')
    await bench.page.locator('.monaco-workbench.vs').waitFor()
    await bench.openFile('login.ts')
    await bench.openChat()
    await bench.page.keyboard.type('/stuck call-cycle')
    await bench.page.keyboard.press('Enter')
    await bench.toast('The agent is stuck').waitFor()
    await bench.widen(560)
    await bench.picture('loop-light', { forReadme: true })
    await bench.widen(300)
    const other = bench.page.locator('.quick-input-list').getByText('Go back and retry')
    await bench.press('Control+Alt+Shift+D', other)
    await bench.page.locator('.quick-input-widget input:focus').waitFor()
    await bench.page.keyboard.type('Stop')
    await other.waitFor({ state: 'hidden' })
    await bench.page.keyboard.press('Enter')
    await bench.chat.locator('.decision').getByText('Stopped:').waitFor()
  })

  it('a loop is seen in high contrast', async () => {
    await begin({ 'workbench.colorTheme': 'Default High Contrast' })
    await bench.page.locator('.monaco-workbench.hc-black').waitFor()
    await bench.send('/stuck chanting')
    await bench.toast('The agent is stuck').waitFor()
    await bench.picture('high-contrast')
    expect(await bench.chat.locator('.card.loop').textContent()).toContain('chanting')
  })
})

beforeEach(async ({ onTestFailed, task }) => {
  onTestFailed(async () => {
    await bench.picture(`failed ${task.name}`.replace(/\W+/g, '-'))
  })
})

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Provider, startProvider } from '@unloop/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CodeServer, startCodeServer } from './code-server.js'
import { manyItems } from './many-items.js'
import { until } from './until.js'
import { openWorkbench, type Workbench } from './workbench.js'

let server: CodeServer
let bench: Workbench
let provider: Provider

const NICE = `## What I found

The check in [src/login.ts](src/login.ts:2) is wrong; see \`src/login.ts:2\`, and [the docs](https://example.com/docs).

1. Read it

2. Change it
   - [x] the name
   - [ ] the password

| file | lines |
| --- | ---: |
| src/login.ts | 3 |

> An empty name is no name.

\`\`\`ts
// the new check
export const isNamed = (name: string) => name.trim() !== '' && name.length < 100
\`\`\``

const RICH = `${NICE}

[run this](command:workbench.action.closeWindow) <img src=x onerror=alert(1)>`

// what some answers wait for
let gate: Promise<void>
let openGate: () => void
beforeEach(() => {
  gate = new Promise((resolve) => {
    openGate = resolve
  })
})

// every kind of block, again and again
const LONG = `${RICH}\n\n`.repeat(Math.ceil(250_000 / RICH.length))

beforeAll(async () => {
  provider = await startProvider(async ({ body }) => {
    const asked = JSON.stringify(body)
    if (asked.includes('a long one')) return { text: LONG }
    if (asked.includes('slowly') && !asked.includes('and then')) {
      await gate
      return { text: 'one two three' }
    }
    if (asked.includes('without end')) return { text: 'one two three', fault: 'silence', after: 5 }
    if (asked.includes('Jot down')) {
      const calls = [{ name: 'edit_file', args: { path: 'notes.txt', new: 'milk' } }]
      if (asked.includes('"tool"')) return { text: 'Done.' }
      await gate
      return { text: 'I write it down.', calls }
    }
    return { text: asked.includes('should I change') ? NICE : RICH }
  })
  server = await startCodeServer({
    files: { 'src/login.ts': 'export function login(name: string) {\n  return name !== ""\n}\n' },
    variables: { OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: 'key-of-the-environment' },
  })
  server.set(USUAL)
  bench = await openWorkbench(server.url, server.workspace)
  await bench.load()
  await bench.openChat()
}, 300_000)

afterAll(async () => {
  await bench?.close()
  await server?.stop()
  await provider?.close()
})

const items = (type: string) => bench.chat.locator(`li.item.${type}`)

/** The first file below a folder with this ending. */
const findFile = (folder: string, ending: string) =>
  join(
    folder,
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith(ending),
    ) ?? '',
  )

/** A new chat with these settings and nothing left of what was before, be it a test that failed. */
async function begin(settings: Record<string, unknown> = {}) {
  await server.apply({ ...USUAL, ...settings })
  await bench.newChat()
  await bench.chat.locator('textarea').fill('')
  await bench.clearToasts()
}

const USUAL = {
  'unloop.model': 'compatible/qwen3',
  'unloop.guardMode': 'off',
  'unloop.judge.model': undefined,
  'unloop.maxTurns': undefined,
  'workbench.colorTheme': 'Default Dark Modern',
}

describe('an answer', () => {
  it('has lists, tables, quotes, colored code and links, and nothing that runs', async () => {
    await begin()
    await bench.openFile('login.ts')
    await bench.openChat()
    await bench.send('What is wrong?')
    await bench.idle()
    const text = items('answer').last().locator('.text')
    await text.locator('td', { hasText: '3' }).waitFor()
    // what comes last
    await text.getByText('run this').waitFor()
    expect(await text.locator('ol > li').count()).toBe(2)
    expect(await text.locator('.task').count()).toBe(2)
    expect(await text.locator('blockquote').textContent()).toContain('no name')
    expect(await text.locator('.hljs-keyword').first().textContent()).toBe('export')
    expect(
      await text.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href'))),
    ).toEqual([...['https://example.com/docs']])
    expect(await text.locator('img, script').count()).toBe(0)
    await bench.picture('outside-text-answer')
  })

  it('leads to the files it names, by keyboard', async () => {
    await bench.command('View: Close All Editors')
    const path = items('answer').last().locator('button.path', { hasText: 'src/login.ts:2' })
    await path.press('Enter')
    await bench.page.locator('.tab.active', { hasText: 'login.ts' }).waitFor()
    await bench.page.locator('.statusbar-item', { hasText: 'Ln 2, Col 1' }).waitFor()
  })

  it('gives its code to the clipboard and to the cursor', async () => {
    const code = items('answer').last().locator('.code-block')
    await code.getByRole('button', { name: 'Insert at cursor' }).press('Enter')
    await until('the code is in the file', async () =>
      (await bench.page.locator('.view-lines').textContent())?.includes('isNamed'),
    )
    await bench.chat
      .locator('[role=status]', { hasText: 'Inserted.' })
      .waitFor({ state: 'attached' })
    await code.getByRole('button', { name: 'Copy' }).press('Enter')
    await bench.chat.locator('[role=status]', { hasText: 'Copied.' }).waitFor({ state: 'attached' })
    await bench.command('File: Revert File')
    await bench.command('View: Close All Editors')
  })
})

it('looks well in the editor', async () => {
  await begin({ 'unloop.guardMode': 'enforce' })
  await bench.openFile('login.ts')
  await bench.openChat()
  await bench.send('What should I change?')
  await items('answer').last().locator('.code-block').waitFor()
  await bench.idle()
  await bench.widen(480)
  await bench.picture('answer', { forReadme: true })
  await bench.widen(300)
  await bench.command('View: Close All Editors')
})

it('what is typed while 250 KB are written stays as it is typed, and all is drawn', async () => {
  await begin()
  await bench.send('Write a long one.')
  const input = bench.chat.locator('textarea')
  for (let key = 0; key < 20; key++) await input.press('x')
  const blocks = Math.ceil(250_000 / RICH.length)
  await until(
    'all is drawn',
    async () => (await items('answer').last().locator('.code-block').count()) === blocks,
  )
  await bench.idle()
  expect(await input.inputValue()).toBe('x'.repeat(20))
})

it('a long chat is there after a reload', async () => {
  await bench.load()
  await bench.openChat()
  await items('answer').last().locator('.code-block').last().waitFor()
})

it('a message that is sent meanwhile waits, can be edited or removed, and is sent afterwards', async () => {
  await begin()
  await bench.send('Answer slowly.')
  const input = bench.chat.locator('textarea')
  for (const text of ['and then', 'never mind', 'at last']) {
    await input.fill(text)
    await input.press('Enter')
  }
  const waiting = bench.chat.locator('.waiting li')
  await until('three wait', async () => (await waiting.count()) === 3)
  await bench.picture('waiting')
  await bench.chat.getByRole('button', { name: 'Remove: never mind' }).press('Enter')
  await bench.chat.getByRole('button', { name: 'Edit: at last' }).press('Enter')
  await until('one waits', async () => (await waiting.count()) === 1)
  await expect.poll(() => input.inputValue()).toBe('at last')
  openGate()
  await until('the other is answered', async () => (await items('answer').count()) === 2)
  await bench.idle()
  expect(await items('person').locator('.said').allTextContents()).toEqual([
    'Answer slowly.',
    'and then',
  ])
})

it('a message that waits goes back to the input when the agent is stopped', async () => {
  await begin()
  await bench.send('Answer without end.')
  const input = bench.chat.locator('textarea')
  await input.fill('keep this')
  await input.press('Enter')
  await bench.chat.locator('.waiting li').waitFor()
  await input.press('Escape')
  await items('notice').getByText('Stopped.').waitFor()
  await until('it is back', async () => (await input.inputValue()) === 'keep this')
  await items('notice').getByRole('button', { name: 'Try again' }).press('Enter')
  await bench.chat.locator('#items[aria-busy="true"]').waitFor()
  await bench.chat.locator('button.stop').click()
  await until('it is stopped again', async () => (await items('notice').count()) === 2)
})

it('another model is chosen by keyboard, and counts at once', async () => {
  await begin()
  await bench.send('hello')
  await bench.idle()
  await bench.chat.getByRole('button', { name: /Choose another/ }).press('Enter')
  const list = bench.page.locator('.quick-input-list')
  await list.getByText('compatible/qwen3').waitFor()
  await list.getByText('Other…').waitFor()
  await bench.picture('models')
  await bench.page.locator('.quick-input-widget input:focus').waitFor()
  await bench.page.keyboard.type('embedded')
  await list.getByText('compatible/qwen3').waitFor({ state: 'hidden' })
  await bench.page.keyboard.press('Enter')
  await bench.chat.locator('.status', { hasText: 'embedded' }).waitFor()
  await server.apply({ 'unloop.model': 'compatible/qwen3' })
  await bench.chat.locator('.status', { hasText: 'compatible/qwen3' }).waitFor()
})

it('settings count while nothing runs', async () => {
  await begin()
  await bench.send('hello')
  await bench.idle()
  await server.apply({ 'unloop.guardMode': 'observe' })
  await bench.chat.locator('.status', { hasText: 'guard observing' }).waitFor()
  await server.apply({ 'unloop.guardMode': 'enforce', 'unloop.judge.model': 'nonsense/x' })
  await bench.chat.locator('.status', { hasText: 'guard on' }).waitFor()
  await items('notice').getByText('There is no judge').waitFor()
  await bench.send('hello')
  await until('it is answered all the same', async () => (await items('answer').count()) === 2)
})

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RUN_AXE = `async () => {
  const { violations } = await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'] })
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => id + ': ' + html.slice(0, 150) + ' ' + (any[0]?.message ?? '')))
}`

describe('everything at once', () => {
  it.each([
    ['Default Dark Modern', 'vs-dark', 'vscode-dark'],
    ['Default Light Modern', 'vs', 'vscode-light'],
    ['Default High Contrast', 'hc-black', 'vscode-high-contrast'],
    ['Default High Contrast Light', 'hc-light', 'vscode-high-contrast-light'],
  ])('is accessible in %s', async (theme, name, nameInChat) => {
    await begin({
      'workbench.colorTheme': theme,
      'unloop.model': 'embedded',
      'unloop.guardMode': 'enforce',
    })
    await bench.page.locator(`.monaco-workbench.${name}`).waitFor()
    await bench.chat.locator(`body.${nameInChat}`).waitFor()
    await bench.send('/stuck repeated-call')
    await bench.chat.locator('.card.loop').waitFor()
    await bench.toast('The agent is stuck').waitFor()
    await bench.clearToasts()
    await server.apply({ 'unloop.model': 'compatible/qwen3' })
    await bench.chat.locator('.status', { hasText: 'compatible/qwen3' }).waitFor()
    await bench.send('What is wrong?')
    await bench.idle()
    await server.apply({ 'unloop.model': 'embedded' })
    await bench.chat.locator('.status', { hasText: 'embedded' }).waitFor()
    await bench.send('write notes.txt with "remember the milk"')
    await items('question').getByRole('button', { name: 'Run it' }).waitFor()
    await bench.chat.locator('textarea').fill('and then')
    await bench.chat.locator('textarea').press('Enter')
    await bench.chat.locator('.waiting li').waitFor()
    await bench.picture(`all-${name}`)
    const inner = await bench.chatFrame()
    // the page is transparent; what is behind it is known to the editor only
    await inner.evaluate("document.body.style.background = 'var(--vscode-sideBar-background)'")
    await inner.evaluate(axe)
    expect(await inner.evaluate(`(${RUN_AXE})()`)).toEqual([])
    await items('question').getByRole('button', { name: 'Refuse' }).press('Enter')
    await bench.idle()
  })
})

it('a question is told of where the chat cannot be seen', async () => {
  await begin({ 'unloop.guardMode': 'enforce' })
  await bench.send('Jot down the milk.')
  await bench.hideChat()
  openGate()
  const toast = bench.toast('edit_file needs your permission')
  await toast.waitFor()
  await bench.picture('question-hidden')
  await bench.page.locator('.activitybar .badge-content', { hasText: '1' }).waitFor()
  await toast.getByRole('button', { name: 'Show' }).click()
  await items('question').getByRole('button', { name: 'Refuse' }).press('Enter')
  await items('call').getByText('you refused it').waitFor()
  await bench.idle()
})

it('a loop is decided with the keys of its card, without a mouse', async () => {
  await begin({
    'unloop.model': 'embedded',
    'unloop.guardMode': 'enforce',
    'unloop.maxTurns': 20,
  })
  const { keyboard } = bench.page
  const cards = bench.chat.locator('.card.loop')
  const toCard = () =>
    until('the card has the keyboard', async () => {
      await keyboard.press('Shift+Tab')
      return bench.chat.locator('.card.loop:focus-within').last().isVisible()
    })
  await bench.openChat()
  await keyboard.type('/stuck repeated-call')
  await keyboard.press('Enter')
  await cards.waitFor()
  await toCard()
  await keyboard.press('2')
  await bench.chat.locator('.decision', { hasText: 'Continued once' }).waitFor()
  await until('it stops again', async () => (await cards.count()) === 2)
  await bench.openChat()
  await toCard()
  await keyboard.press('4')
  await bench.chat.locator('.hint input:focus').waitFor()
  await keyboard.type('Read 1 topic.')
  await keyboard.press('Enter')
  await bench.chat.locator('.decision', { hasText: 'Read 1 topic.' }).waitFor()
})

it('3,000 items are there', async () => {
  await begin()
  await bench.send('hello')
  await bench.idle()
  const chats = dirname(findFile(join(server.workspace, '../user-data'), '.chat.json'))
  const path = join(chats, 'many.chat.json')
  writeFileSync(
    path,
    JSON.stringify({ id: 'many', changedAt: Date.now() + 60_000, items: manyItems(3000) }),
  )
  await bench.command('unloop: Open earlier chat…', 'Question 0')
  await until('all are there', async () => (await bench.chat.locator('li.item').count()) === 3000)
})

it('is usable in a side bar of 200 px', async () => {
  await begin({ 'unloop.model': 'embedded', 'unloop.guardMode': 'enforce' })
  await bench.send('/stuck repeated-call')
  await bench.chat.locator('.card.loop').waitFor()
  await bench.toast('The agent is stuck').waitFor()
  await bench.clearToasts()
  await bench.widen(200)
  const width = () => bench.chat.locator('body').evaluate((body) => body.clientWidth)
  await expect.poll(width).toBeLessThanOrEqual(200)
  await bench.picture('narrow')
  for (const part of ['.card.loop', 'footer', '.choices']) {
    const over = () => bench.chat.locator(part).evaluate((one) => one.scrollWidth - one.clientWidth)
    await expect.poll(over, { message: part }).toBe(0)
  }
})

it('a workspace of two folders is seen as a whole, with paths that can be opened', async () => {
  const other = join(server.workspace, '../site')
  mkdirSync(other)
  writeFileSync(join(other, 'page.ts'), 'export const page = 1\n')
  const file = join(server.workspace, '../both.code-workspace')
  const folders = [{ path: 'workspace' }, { path: 'site' }]
  const settings = { 'unloop.model': 'compatible/qwen3' }
  writeFileSync(file, JSON.stringify({ folders, settings }))
  // the web build now and then opens such a file as if it were empty
  await until('both folders are open', async () => {
    await bench.page.goto(`${server.url}/?workspace=${encodeURIComponent(file)}`)
    await bench.page.locator('.statusbar-item', { hasText: 'unloop' }).waitFor()
    await bench.page.keyboard.press('Control+Shift+E')
    const folder = bench.page.getByRole('treeitem', { name: /site/ })
    return folder.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    )
  })
  await bench.openFile('page.ts')
  await bench.openChat()
  await bench.chat.locator('footer .chip', { hasText: 'site/page.ts' }).waitFor()
  await bench.send('Look around.')
  await bench.idle()
  const asked = JSON.stringify(provider.exchanges.at(-1)?.body)
  expect(asked).toContain('open file: site/page.ts')
  expect(asked).toContain('run_command_in_site')
  expect(asked).toContain('Paths begin with the name of a folder: workspace, site.')
  // the answer says src/login.ts, which is no path here
  expect(await items('answer').locator('button.path').count()).toBe(0)
})

beforeEach(async ({ onTestFailed, task }) => {
  onTestFailed(async () => {
    await bench.picture(`failed ${task.name}`.replace(/\W+/g, '-'))
  })
})

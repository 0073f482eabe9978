import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createSessionLog, type Message } from '@unloop/agent'
import { type Reply, startProvider } from '@unloop/testing'
import { describe, expect, onTestFinished } from 'vitest'
import { emptyHome } from './terminal.js'
import { ASKED, count, READY, test } from './test.js'

/** Options for a chat with a model that answers so. */
async function answering(reply: Reply) {
  const provider = await startProvider(() => reply)
  onTestFinished(() => provider.close())
  const args = ['--model', 'compatible/m', '--base-url', `${provider.url}/v1`]
  return { args, env: { OPENAI_COMPATIBLE_API_KEY: 'none' } }
}

const MARKDOWN = `# The plan

Read **both** files, \`a.ts\` first:

1. one

2. two

\`\`\`ts
const answer: number = 42 // why
\`\`\`

| file | lines |
| --- | --- |
| a.ts | 10 |
`

describe.concurrent('the screen', () => {
  test('has Markdown without its marks, and code in colours', async ({ start }) => {
    const terminal = await start({ ...(await answering({ text: MARKDOWN })), columns: 80 })
    await terminal.until(READY)
    await terminal.send('Go on.')
    const screen = await terminal.until(/a\.ts +10(.|\n)*\/help/)
    expect(screen).toContain('The plan\n\nRead both files, a.ts first:\n\n1. one\n\n2. two')
    expect(screen).toContain('\n  const answer: number = 42 // why\n')
    expect(screen).toMatch(/file {2}lines\n─+ {2}─+\na\.ts {2}10/)
    const coloured = await terminal.screen({ colours: true })
    expect(coloured).toContain('\x1b[35mconst')
    expect(coloured).toContain('\x1b[1mboth')
  })

  test('is plain where colours are not wanted', async ({ start }) => {
    const { args, env } = await answering({ text: MARKDOWN })
    const terminal = await start({ args, env: { ...env, NO_COLOR: '1' }, columns: 80 })
    await terminal.until(READY)
    await terminal.send('Go on.')
    await terminal.until(/a\.ts +10(.|\n)*\/help/)
    expect(await terminal.screen({ colours: true })).not.toContain('\x1b')
  })

  test('says that it works, and for how long', async ({ start }) => {
    const slow = await answering({ text: 'one two three four', pauseMs: 600 })
    const terminal = await start(slow)
    await terminal.until(READY)
    await terminal.send('Go on.')
    const screen = await terminal.until(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] working, [1-9] s/)
    expect(screen).toContain('Esc stops')
    expect(await terminal.until(/four(.|\n)*· \/help/)).not.toContain('working')
  })

  test('unfolds what is folded, and folds it again', async ({ start }) => {
    const terminal = await start({ rows: 80 })
    await terminal.until(READY)
    await terminal.send('/stuck repeated-call')
    await terminal.until(ASKED)
    await terminal.press('Escape')
    const folded = await terminal.until(/\(\+\d+ lines?\)(.|\n)*· \/help/)
    await terminal.press('C-o')
    const whole = await terminal.until((screen) => !/\(\+\d+ lines?\)/.test(screen))
    expect(whole.split('\n').filter(Boolean).length).toBeGreaterThan(
      folded.split('\n').filter(Boolean).length,
    )
    expect(whole).toContain('· unloop chat')
    await terminal.press('C-o')
    await terminal.until(/\(\+\d+ lines?\)(.|\n)*· \/help/)
  })

  test('has no ghosts of wide characters', async ({ start }) => {
    const terminal = await start({ columns: 40, rows: 20 })
    await terminal.until(READY)
    const text = '日本語のとても長い文章がここにあり、端末の幅を超えます👩‍👩‍👧🇩🇪'
    await terminal.type(text.repeat(2))
    await terminal.until('👧')
    for (let times = 0; times < 30; times++) await terminal.press('BSpace')
    const screen = await terminal.until(/超えます👩|> 日本語/)
    expect(count(screen, '> 日本語'), screen).toBe(1)
    expect(count(screen, 'guard enforce'), screen).toBe(1)
  })

  test('has all of a conversation of 3,000 entries after it is resumed', async ({ start }) => {
    const home = emptyHome()
    save(home, 3000)
    const terminal = await start({ home, args: ['--resume'] })
    const screen = await terminal.until(/resumed longlong(.|\n)*· \/help/)
    expect(screen).toContain('> Question 0')
    expect(screen).toContain('> Question 1499')
    expect(count(screen, '> Question ')).toBe(1500)
  })
})

function save(home: string, entries: number): void {
  const folder = join(home, 'unloop', 'sessions')
  mkdirSync(folder, { recursive: true })
  const createdAt = new Date(0).toISOString()
  const header = { id: 'longlong', model: 'embedded', folder: home, createdAt }
  const saved = { header, entries: [], state: undefined }
  const log = createSessionLog(join(folder, 'longlong.jsonl'), saved)
  for (let number = 0; number < entries; number++) {
    const message: Message =
      number % 2 === 0
        ? { role: 'user', content: `Question ${number / 2}` }
        : { role: 'assistant', content: [{ type: 'text', text: `Answer **${number}**.` }] }
    log.append({ message, first: number, last: number })
  }
}

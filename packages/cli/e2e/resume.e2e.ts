import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import { ASKED, READY, test } from './test.js'

describe.concurrent('a saved conversation', () => {
  test('is not opened twice, and is free when its chat has ended', async ({ start }) => {
    const first = await start()
    await first.until(READY)
    await first.send('What is unloop?')
    await first.until(/The library has no dependencies(.|\n)*\/help/)
    const second = await start({ home: first.home, args: ['--resume'] })
    await second.until(/is open in another unloop chat, process \d+/)
    await second.until('left with 2')
    await first.press('C-c', 'C-c')
    await first.until('left with 0')
    const third = await start({ home: first.home, args: ['--resume'] })
    await third.until(/resumed \w+, begun/)
  })

  test('that cannot be written says so, and the chat goes on', async ({ start }) => {
    const terminal = await start({ env: { UNLOOP_HOME: '/dev/null' } })
    await terminal.until(READY)
    await terminal.send('What is unloop?')
    await terminal.until('cannot save the conversation')
    await terminal.until('The library has no dependencies')
  })
})

describe.concurrent('after kill -9', () => {
  test('a conversation goes on with its history, its usage and its pending question', async ({
    start,
  }) => {
    const first = await start()
    await first.until(READY)
    await first.send('What is unloop?')
    await first.until(/The library has no dependencies(.|\n)*\/help/)
    await first.send('/stuck repeated-call')
    const before = await first.until(ASKED)
    first.kill()
    await first.until('left with 137')

    const second = await start({ home: first.home, args: ['--resume'] })
    const screen = await second.until(ASKED)
    expect(screen).toContain('> What is unloop?')
    expect(screen).toContain('> /stuck repeated-call')
    expect(tokens(screen)).toBe(tokens(before))
    await second.press('2')
    await second.until((screen) => /→ Continued once/.test(screen) && screen.includes(ASKED))
    await second.press('Escape')
    await second.until(/→ Stopped(.|\n)*\/help/)
    await second.press('Up', 'Up')
    await second.until(/> What is unloop\?\s*\n.*tokens/)
  })

  test('one that was killed in the middle of an answer is offered by /resume', async ({
    start,
  }) => {
    const first = await start({ env: { UNLOOP_PACE_MS: '60' } })
    await first.until(READY)
    await first.send('What is unloop?')
    await first.until('This is what')
    first.kill()
    await first.until('left with 137')
    expect(conversations(first.home)).toHaveLength(1)

    const second = await start({ home: first.home })
    await second.until(READY)
    await second.send('/resume')
    await second.until(/❯ What is unloop\? {2}\d+ messages, (now|.* ago)(.|\n)*arrows and Enter/)
    await second.press('Enter')
    await second.until(/resumed \w+, begun/)
    await second.send('What is a guard?')
    await second.until(/tokens · guard enforce · \/help/)
    expect(conversations(first.home)).toHaveLength(1)
  })
})

describe.concurrent('a chat that is ended from outside', () => {
  test.for([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 130],
  ] as const)(
    'by %s leaves no lock and gives the terminal back',
    async ([signal, code], { start }) => {
      const terminal = await start({ env: { UNLOOP_PACE_MS: '60' } })
      await terminal.until(READY)
      await terminal.send('What is unloop?')
      await terminal.until('This is what')
      expect(locks(terminal.home)).toHaveLength(1)
      terminal.kill(signal)
      await terminal.until(`left with ${code}`)
      expect(locks(terminal.home)).toEqual([])
      expect(conversations(terminal.home)).toHaveLength(1)
      await terminal.paste('pasted')
      // a terminal that still marks what is pasted shows the marks
      expect(await terminal.until('pasted')).not.toContain('200~')
    },
  )

  test('by the end of its terminal leaves no lock', async ({ start }) => {
    const terminal = await start()
    await terminal.until(READY)
    await terminal.send('What is unloop?')
    await terminal.until(/The library has no dependencies(.|\n)*\/help/)
    expect(locks(terminal.home)).toHaveLength(1)
    await terminal.close()
    await vi.waitFor(() => expect(locks(terminal.home)).toEqual([]), { timeout: 20_000 })
    await vi.waitFor(() => expect(() => terminal.kill()).toThrow('ESRCH'), { timeout: 20_000 })
  })
})

const locks = (home: string) =>
  readdirSync(join(home, 'unloop/sessions')).filter((name) => name.endsWith('.lock'))

const conversations = (home: string) =>
  readdirSync(join(home, 'unloop/sessions')).filter((name) => name.endsWith('.jsonl'))

const tokens = (screen: string) => /([\d,]+) tokens · guard/.exec(screen)?.[1]

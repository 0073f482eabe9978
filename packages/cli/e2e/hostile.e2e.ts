import { startProvider } from '@unloop/testing'
import { describe, expect } from 'vitest'
import type { Terminal } from './terminal.js'
import { ASKED, MAY_RUN, READY, test } from './test.js'

// the title of the window, a colour, the same colour in one character, and a turn of the direction
const EVIL = '\x1b]0;owned\x07\x1b[41m\x9b41m\u202e'
const WIDE = '日本語のとても長い文章 👩‍👩‍👧‍👦🇩🇪 مرحبا שלום '

describe.concurrent('a model that means harm', () => {
  test('does nothing to the terminal, in its words, calls, thoughts and questions', async ({
    start,
  }) => {
    const provider = await startProvider((_, turn) =>
      turn < 2
        ? {
            text: `${EVIL}one ${WIDE.repeat(3)}`,
            calls: [{ name: 'edit_file', args: { path: `a${EVIL}.txt`, new: `x${EVIL}` } }],
          }
        : { calls: [{ name: `no_such${EVIL}${'x'.repeat(300)}`, args: { text: EVIL } }] },
    )
    try {
      const terminal = await openChat(start, provider.url)
      await terminal.send('Go on. 日本語')
      await terminal.until(MAY_RUN)
      await terminal.press('n')
      await terminal.until((screen) => /edit_file: no/.test(screen) && screen.includes(MAY_RUN))
      await terminal.press('n')
      await terminal.until(ASKED)
      const screen = await terminal.screen({ colours: true })
      expect(screen).toContain('日本語')
      // tmux tells the colours it was told; ours have no background
      const commands = screen.split('\x1b').slice(1)
      expect(commands.filter((command) => /^\[[\d;]*41m/.test(command))).toEqual([])
      expect(screen).not.toContain('\u202e')
      expect(await terminal.screen({ visible: true })).toMatch(/❯ 1 Stop +The agent stays stopped/)
    } finally {
      await provider.close()
    }
  })
})

describe.concurrent('a terminal that is smaller than the dialog', () => {
  test.for([
    [30, 6],
    [100, 5],
    [24, 12],
  ] as const)(
    'of %i by %i shows the question, and every choice when it is reached',
    async ([columns, rows], { start }) => {
      const terminal = await start({ columns, rows })
      await terminal.until(READY)
      await terminal.send('/stuck repeated-call')
      await terminal.until(ASKED)
      for (const choice of ['1 Stop', '2 Cont', '3 Allow', '4 Send', '5 Go back', '6 Disable']) {
        await terminal.until(`❯ ${choice}`)
        const screen = await terminal.screen({ visible: true })
        expect(screen).toContain('The agent is stuck')
        expect(screen).toContain('guard enforce')
        await terminal.press('Down')
      }
      await terminal.press('Up')
      await terminal.until('❯ 6 Disable')
      await terminal.press('Enter')
      await terminal.until('guard off')
    },
  )
})

async function openChat(
  start: (options: { args: string[]; env: Record<string, string> }) => Promise<Terminal>,
  url: string,
) {
  const args = ['--model', 'compatible/x', '--base-url', `${url}/v1`]
  const terminal = await start({ args, env: {} })
  await terminal.until(READY)
  return terminal
}

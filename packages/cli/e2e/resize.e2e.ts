import { describe, expect } from 'vitest'
import { bin, type Terminal } from './terminal.js'
import { ASKED, count, READY, test } from './test.js'

/** The words of a screen, however its lines are broken. */
const words = (screen: string) => screen.replace(/[\s│]+/g, ' ')

/** Changes the size, and waits until what is on the screen has been drawn for it and stays as it is. */
async function resize(terminal: Terminal, columns: number, rows: number): Promise<string> {
  await terminal.redraw(columns, rows)
  let before = ''
  await terminal.until((screen) => {
    const isStill = screen === before && screen.includes('guard enforce')
    before = screen
    return isStill
  })
  return terminal.screen({ joined: true })
}

const SHELL = `sh -c 'seq 1001 1060; exec "${process.execPath}" "${bin}" chat'`

describe.concurrent('a terminal whose size changes', () => {
  test('has one dialog, the transcript above it, and what was there before the chat', async ({
    start,
  }) => {
    const terminal = await start({ columns: 100, rows: 40, command: SHELL })
    await terminal.until(READY)
    await terminal.send('/stuck repeated-call')
    await terminal.until(ASKED)
    for (const [columns, rows] of [
      [60, 30],
      [80, 40],
      [120, 40],
      [100, 40],
      [70, 34],
      [100, 50],
    ] as const) {
      const screen = await resize(terminal, columns, rows)
      const at = `${columns} by ${rows}:\n${screen}`
      expect(count(screen, ASKED), at).toBe(1)
      // of a higher dialog the top may have scrolled off, where nobody can take it back
      const seen = await terminal.screen({ visible: true })
      expect(count(seen, 'The agent is stuck. What now?'), at).toBe(1)
      expect(count(screen, '> /stuck repeated-call'), at).toBe(1)
      expect(count(screen, '■ stopped by a loop'), at).toBe(1)
      expect(screen.match(/^10\d\d$/gm), at).toHaveLength(60)
    }
    await terminal.press('Escape')
    const after = await terminal.until(/→ Stopped: the agent waits(.|\n)*\/help/)
    expect(count(after, '■ stopped by a loop'), after).toBe(1)
  })

  test('has all of a long transcript once, wrapped anew where it can be seen', async ({
    start,
  }) => {
    const terminal = await start({ columns: 100, rows: 30 })
    await terminal.until(READY)
    for (const question of ['What is unloop?', 'How does the ladder work?']) {
      await terminal.send(question)
      // an answer of some lines, and the prompt below it
      await terminal.until((screen) =>
        /(?:.*\n){4,}> *\n.* · \/help/.test(screen.slice(screen.lastIndexOf(question))),
      )
    }
    for (const [columns, rows] of [
      [50, 20],
      [90, 40],
      [40, 30],
      [100, 30],
    ] as const) {
      const screen = await resize(terminal, columns, rows)
      const at = `${columns} by ${rows}:\n${screen}`
      expect(count(screen, '> What is unloop?'), at).toBe(1)
      expect(count(screen, '> How does the ladder work?'), at).toBe(1)
      expect(count(screen, 'guard enforce'), at).toBe(1)
    }
    const whole = words(await terminal.screen({ joined: true }))
    expect(whole).toContain('The library has no dependencies')
  })

  test('has what is being written once, and nothing looks sent', async ({ start }) => {
    const terminal = await start({ columns: 100, rows: 40 })
    await terminal.until(READY)
    const text = 'a text that is not sent yet and takes more than one row in a narrow terminal'
    await terminal.type(text)
    await terminal.until(`> ${text}`)
    for (const [columns, rows] of [
      [50, 20],
      [30, 24],
      [90, 40],
    ] as const) {
      const screen = await resize(terminal, columns, rows)
      expect(count(screen, '> a text'), screen).toBe(1)
      expect(words(screen)).toContain(`> ${text} `)
      expect(count(screen, 'guard enforce'), screen).toBe(1)
      expect(count(screen, '· unloop chat'), screen).toBe(1)
    }
  })

  test('while an answer streams has all of it once', async ({ start }) => {
    const terminal = await start({ columns: 100, rows: 30, env: { UNLOOP_PACE_MS: '40' } })
    await terminal.until(READY)
    await terminal.send('What is unloop?')
    await terminal.until('This is what')
    await terminal.drag([70, 40, 55, 30, 90], 30)
    const screen = await terminal.until(/The library has no dependencies(.|\n)*\/help/)
    expect(count(screen, '> What is unloop?'), screen).toBe(1)
    expect(count(screen, 'This is what'), screen).toBe(1)
    expect(count(screen, 'guard enforce'), screen).toBe(1)
  })

  test('of a few rows has an answer that streams once', async ({ start }) => {
    const terminal = await start({ columns: 40, rows: 6, env: { UNLOOP_PACE_MS: '5' } })
    await terminal.until(READY)
    await terminal.send('What is unloop?')
    const screen = await terminal.until(/The library has no(.|\n)*\/help/)
    expect(count(screen, '> What is unloop?'), screen).toBe(1)
    expect(count(screen, 'This is what'), screen).toBe(1)
    expect(count(screen, 'guard enforce'), screen).toBe(1)
  })
})

import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import type { Terminal } from './terminal.js'
import { ASKED, count, READY, test } from './test.js'

/** The words of a screen, however its lines are broken; what is cut to one line has more or less of them. */
const words = (screen: string) =>
  screen.replace(/Not run.*…|struggling[^›]*/g, '').replace(/[\s│]+/g, ' ')

/** Changes the size, and waits until what is on the screen has been drawn for it and stays as it is. */
async function resize(terminal: Terminal, columns: number, rows: number): Promise<string> {
  await terminal.resize(columns, rows)
  // a size counts when it stays for a moment
  await pause(300)
  let before = ''
  return terminal.until((screen) => {
    const isStill = screen === before && screen.includes('guard enforce')
    before = screen
    return isStill
  })
}

describe.concurrent('a terminal whose size changes', () => {
  test('has one dialog, and the whole transcript above it', async ({ start }) => {
    const terminal = await start({ columns: 100, rows: 40 })
    await terminal.until(READY)
    await terminal.send('/stuck repeated-call')
    const whole = words(await terminal.until(ASKED))
    const transcript = whole.slice(whole.indexOf('· unloop'), whole.indexOf('╭'))
    expect(transcript).toMatch(/and it continues \(\d+ events, \d+ tokens\) $/)
    for (const [columns, rows] of [
      [60, 40],
      [80, 24],
      [100, 12],
      [60, 14],
      [100, 40],
    ] as const) {
      const screen = await resize(terminal, columns, rows)
      const at = `${columns} by ${rows}:\n${screen}`
      expect(count(screen, ASKED), at).toBe(1)
      expect(screen.match(/tokens\)\n╭/g), at).toHaveLength(1)
      expect(words(screen).startsWith(transcript), at).toBe(true)
    }
    await resize(terminal, 30, 8)
    const back = await resize(terminal, 100, 40)
    expect(words(back)).toContain(transcript)
    await terminal.press('Escape')
    const after = await terminal.until(/→ stopped: the prompt ends here(.|\n)*\/help/)
    expect(words(after)).toContain(`${transcript}→ stopped`)
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
    for (const columns of [70, 40, 55, 30, 90]) {
      await terminal.resize(columns, 30)
      await pause(60)
    }
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

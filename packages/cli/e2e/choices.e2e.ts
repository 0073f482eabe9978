import { describe, expect } from 'vitest'
import type { Terminal } from './terminal.js'
import { ASKED, count, READY, test } from './test.js'

/** Brings the model to the dialog. */
async function getStuck(terminal: Terminal) {
  await terminal.until(READY)
  await terminal.send('/stuck repeated-call')
  await terminal.until(ASKED)
}

const calls = (screen: string) => count(screen, '› list_topics')
const stops = (screen: string) => count(screen, '■ stopped by a loop')

describe.concurrent('the dialog', () => {
  test('1 stops: the prompt is over, and the next one is answered', async ({ start }) => {
    const terminal = await start()
    await getStuck(terminal)
    await terminal.press('1')
    const screen = await terminal.until(/→ Stopped: the agent waits for a new message(.|\n)*\/help/)
    expect(screen).not.toContain(ASKED)
    await terminal.send('What is unloop?')
    await terminal.until('The library has no dependencies')
  })

  test('2 continues once, and asks again when it goes on', async ({ start }) => {
    const terminal = await start()
    await getStuck(terminal)
    const before = calls(await terminal.screen())
    await terminal.press('2')
    const screen = await terminal.until(
      (text) => stops(text) === 2 && text.includes(ASKED) && calls(text) > before,
    )
    expect(screen).toContain('→ Continued once')
  })

  test('3 allows the tool, which then repeats itself up to the limit of turns', async ({
    start,
  }) => {
    const terminal = await start({ args: ['--max-turns', '15'] })
    await getStuck(terminal)
    await terminal.press('3')
    const screen = await terminal.until('turns, the limit')
    expect(screen).toContain('→ Allowed: list_topics may repeat')
    expect(stops(screen)).toBe(1)
  })

  test('4 sends a hint', async ({ start }) => {
    const terminal = await start()
    await getStuck(terminal)
    await terminal.press('4')
    await terminal.until('A hint to the model')
    await terminal.type('look under ladder')
    await terminal.until('hint: look under ladder')
    await terminal.press('Enter')
    const screen = await terminal.until((text) => stops(text) === 2 && text.includes(ASKED))
    expect(screen).toContain('→ Hint to the model: look under ladder')
  })

  test('5 goes back, says what was removed and tries again', async ({ start }) => {
    const terminal = await start()
    await getStuck(terminal)
    await terminal.press('5')
    const screen = await terminal.until((text) => stops(text) === 2 && text.includes(ASKED))
    expect(screen).toMatch(
      /→ Went back to before the loop; the model tries again\. Removed: \d+ messages with \d+ calls/,
    )
  })

  test('6 is off for the session, and the same request goes on', async ({ start }) => {
    const terminal = await start({ args: ['--max-turns', '15'] })
    await getStuck(terminal)
    await terminal.press('6')
    const screen = await terminal.until(/turns, the limit(.|\n)*guard off/)
    expect(screen).toContain('→ Disabled: loops are no longer looked for in this session')
    expect(count(screen, '> /stuck repeated-call')).toBe(1)
    expect(stops(screen)).toBe(1)
  })

  test('takes arrows and Enter', async ({ start }) => {
    const terminal = await start()
    await getStuck(terminal)
    await terminal.press('Down', 'Down', 'Up')
    await terminal.until('❯ 2 Continue once')
    await terminal.type('\x1b[A\x1b[B\x1b[B')
    await terminal.until('❯ 3 Allow')
    await terminal.press('Up')
    await terminal.until('❯ 2 Continue once')
    await terminal.press('Enter')
    await terminal.until((text) => stops(text) === 2 && text.includes(ASKED))
  })

  test('fits a small terminal', async ({ start }) => {
    const terminal = await start({ columns: 60, rows: 16 })
    await getStuck(terminal)
    const screen = await terminal.screen({ visible: true })
    expect(screen).toContain('The agent is stuck. What now?')
    expect(screen).toContain('6 Disable for this session')
  })
})

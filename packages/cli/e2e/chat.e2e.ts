import { describe, expect } from 'vitest'
import { bin, root } from './terminal.js'
import { MAY_RUN, READY, test } from './test.js'

describe.concurrent('unloop chat in a terminal', () => {
  test('starts, answers, and shows calls folded and a status line', async ({ start }) => {
    const terminal = await start()
    expect(await terminal.until(READY)).toContain('conversations are saved in')
    await terminal.send('What is unloop?')
    const screen = await terminal.until(/The library has no dependencies(.|\n)*\/help/)
    expect(screen).toContain('> What is unloop?')
    expect(screen).toMatch(/› read_topic \{"topic":"unloop"\}\n {2}unloop is .*\(\+\d+ lines\)/)
    expect(screen).toMatch(/embedded\/demo · turn 2 · [\d,]+ tokens · guard enforce/)
  })

  test('explains its commands, turns the guard off and on, and lists loops', async ({ start }) => {
    const terminal = await start()
    await terminal.until(READY)
    await terminal.send('/help')
    await terminal.until('/stuck KIND [heed]')
    await terminal.send('/guard off')
    await terminal.until(/tokens · guard off/)
    await terminal.send('/guard observe')
    await terminal.until(/tokens · guard observe/)
    await terminal.send('/loops')
    await terminal.until('no loops so far')
    await terminal.send('/nonsense')
    await terminal.until('unknown command /nonsense')
  })

  test('recalls prompts with the arrow keys and edits within a line', async ({ start }) => {
    const terminal = await start()
    await terminal.until(READY)
    await terminal.send('/guard observe')
    await terminal.until('guard mode: observe')
    await terminal.send('/guard enforce')
    await terminal.until('guard mode: enforce')
    await terminal.press('Up', 'Up')
    await terminal.until(/> \/guard observe\s*\n.*tokens/)
    await terminal.press('BSpace', 'BSpace', 'BSpace', 'BSpace', 'BSpace', 'Left', 'Right', 'Enter')
    await terminal.until('must be one of enforce, observe, off; got "ob"')
  })

  test('sends the lines that were typed before it was there', async ({ start }) => {
    const command = `sh -c 'sleep 2; exec "${process.execPath}" "${bin}" chat'`
    const terminal = await start({ command })
    await terminal.type('What is unlo')
    await terminal.press('o', 'BSpace', 'p', '?', 'Enter')
    await terminal.type('/guard observe')
    await terminal.press('Enter', 'Enter')
    await terminal.type('And a guard?')
    await terminal.press('Enter')
    await terminal.type('not sent')
    const screen = await terminal.until(/guard mode: observe(.|\n)*> And a guard\?(.|\n)*\/help/)
    expect(screen).toMatch(/> What is unlop\?\n(.|\n)*> \/guard observe\n/)
    await terminal.until(/> not sent\s*\n.*guard observe · \/help/)
    await terminal.press('C-j')
    await terminal.type('and more')
    await terminal.until(/> not sent\n {2}and more\s*\n.*tokens/)
  })

  test('stops an answer with Esc', async ({ start }) => {
    const terminal = await start({ env: { UNLOOP_PACE_MS: '60' } })
    await terminal.until(READY)
    await terminal.send('What is unloop?')
    await terminal.until(/This is what(.|\n)*Esc stops/)
    await terminal.press('Escape')
    const screen = await terminal.until(/· stopped(.|\n)*\/help/)
    expect(screen).not.toContain('The library has no dependencies')
  })

  test('leaves with Ctrl+C twice and with /exit, and gives the terminal back', async ({
    start,
  }) => {
    const terminal = await start()
    await terminal.until(READY)
    await terminal.press('C-c')
    await terminal.until('Ctrl+C again to leave')
    await terminal.press('x')
    await terminal.until((screen) => !screen.includes('Ctrl+C again'))
    await terminal.press('C-c', 'C-c')
    await terminal.until('left with 0')
    await terminal.type('echoed')
    await terminal.until('echoed')
    const other = await start()
    await other.until(READY)
    await other.send('/exit')
    await other.until('left with 0')
  })

  test('wraps wide characters and long lines', async ({ start }) => {
    const terminal = await start({ columns: 40 })
    await terminal.until(READY)
    const wide = '日本語の文章はとても長いので折り返す必要があります😀絵文字も'
    await terminal.type(wide)
    await terminal.until((screen) => screen.replace(/\s/g, '').includes(wide))
    await terminal.press('Enter')
    const screen = await terminal.until(/\/help\s*$/)
    for (const line of screen.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(40)
    await terminal.press('BSpace')
    await terminal.type('x'.repeat(100))
    await terminal.until((text) => text.replace(/\s/g, '').includes('x'.repeat(100)))
  })

  test('follows the size of the terminal', async ({ start }) => {
    const terminal = await start({ columns: 100, rows: 40 })
    await terminal.until(READY)
    await terminal.send('What is unloop?')
    await terminal.until(/The library has no dependencies(.|\n)*\/help/)
    await terminal.resize(50, 15)
    // one row: the model goes first
    await terminal.until((screen) =>
      /^turn 2 · .* tokens · guard enforce · \/help$/.test(lastLine(screen)),
    )
    await terminal.type('after the resize')
    const small = await terminal.until(/> after the resize\s*\n.*tokens/)
    expect(small.split('\n').filter((line) => line.includes('tokens ·')).length).toBeLessThan(3)
    await terminal.resize(120, 30)
    await terminal.until((screen) => /^embedded.* guard enforce · \/help$/.test(lastLine(screen)))
    await terminal.press('Escape')
    // Esc and a key in one read are Alt and that key
    await terminal.until((screen) => !screen.includes('after the resize'))
    await terminal.send('/help')
    await terminal.until('make the embedded model get stuck; with heed it follows advice')
  })

  test('has no colours with NO_COLOR, and has some without', async ({ start }) => {
    const show = async (env: Record<string, string>) => {
      const terminal = await start({ env })
      await terminal.until(READY)
      await terminal.send('/stuck failing')
      await terminal.until('What now?')
      return terminal.screen({ colours: true })
    }
    expect(coloursIn(await show({ NO_COLOR: '1' }))).toEqual([])
    expect(coloursIn(await show({}))).not.toEqual([])
  })

  test('keeps pasted lines together', async ({ start }) => {
    const terminal = await start()
    await terminal.until(READY)
    await terminal.paste('first line\nsecond line\nthird line')
    const screen = await terminal.until(/third line(.|\n)*\/help/)
    expect(screen).toMatch(/> first line\n {2}second line\n {2}third line/)
    expect(screen).toContain('turn 0')
  })

  test('keeps a paste that is longer than the terminal within it', async ({ start }) => {
    const terminal = await start({ rows: 20 })
    await terminal.until(READY)
    const lines = Array.from({ length: 60 }, (_, index) => `line number ${index + 1}`)
    await terminal.paste(lines.join('\n'))
    await terminal.until(/line number 60(.|\n)*tokens ·/)
    const visible = await terminal.screen({ visible: true })
    expect(lastLine(visible)).toContain('tokens ·')
    expect(visible).not.toContain('line number 40\n')
    await terminal.press('Escape')
    // Esc and a paste in one read would be something else
    await terminal.until((screen) => !screen.includes('line number'))
    await terminal.paste('x'.repeat(5000))
    await terminal.until(/x{60}(.|\n)*tokens ·/)
    expect(lastLine(await terminal.screen({ visible: true }))).toContain('tokens ·')
    await terminal.press('Enter')
    await terminal.until((screen) => screen.split('x').length > 5000)
  })

  test('asks before a command runs: no, yes, and always', async ({ start }) => {
    const terminal = await start()
    const ask = async (line: string) => {
      await terminal.until(READY)
      await terminal.send(line)
    }
    await ask('Please run "echo first"')
    const asked = await terminal.until(MAY_RUN)
    expect(asked).toMatch(/Run this in .*\n.*echo first(.|\n)*❯ n no/)
    await terminal.press('n')
    await terminal.until('Not run: the person said no to this call')
    await ask('Please run "echo second"')
    await terminal.until(MAY_RUN)
    await terminal.press('a')
    await terminal.until('→ always allowed in this chat: echo')
    await ask('Please run "echo third"')
    const screen = await terminal.until(/› run_command .*echo third(.|\n)*\nthird/)
    expect(screen).not.toContain(MAY_RUN)
  })

  test('draws in a terminal where CI is set', async ({ start }) => {
    const terminal = await start({ env: { CI: 'true' } })
    await terminal.until(READY)
  })

  test('is what npm start leads to', async ({ start }) => {
    const terminal = await start({ command: `sh -c 'cd "${root}" && npm start --silent'` })
    await terminal.until(READY)
    await terminal.press('C-c', 'C-c')
    await terminal.until('left with 0')
  })

  test('shows an early sign while a loop builds up', async ({ start }) => {
    const terminal = await start({ env: { UNLOOP_PACE_MS: '700' } })
    await terminal.until(READY)
    await terminal.send('/stuck repeated-call')
    const screen = await terminal.until('building up? repeated-call 3 of 4')
    expect(screen).not.toContain('! stuck')
    await terminal.press('Escape')
    await terminal.until('· stopped')
  })
})

/** The columns a line takes: two for what is wide. */
const widthOf = (line: string) =>
  [...line.trimEnd()].reduce(
    (sum, char) => sum + (/[\u3000-\u9fff]|\p{Emoji_Presentation}/u.test(char) ? 2 : 1),
    0,
  )

/** The codes of colours on a screen: 2 is dim, 30 to 49 and 90 to 107 colour; 39 and 49 end that. */
const coloursIn = (screen: string) =>
  screen
    .split('\x1b[')
    .slice(1)
    .flatMap((part) => (/^[\d;]*/.exec(part)?.[0] ?? '').split(';').map(Number))
    .filter((code) => code === 2 || (code >= 30 && code <= 107 && code !== 39 && code !== 49))

const lastLine = (screen: string) => screen.trimEnd().split('\n').at(-1)?.trim() ?? ''

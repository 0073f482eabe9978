import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import { openPty } from './pty.js'
import { bin, emptyHome } from './terminal.js'
import { ASKED, MAY_RUN, READY, test } from './test.js'

describe.concurrent('lines that are typed during an answer', () => {
  test('are shown, and sent when it is over', async ({ start }) => {
    const terminal = await start({ env: { UNLOOP_PACE_MS: '40' } })
    await terminal.until(READY)
    await terminal.send('What is unloop?')
    await terminal.until('I look it up')
    await terminal.send('What is a guard?')
    await terminal.until(
      /> What is unloop\?(.|\n)*no dependencies(.|\n)*> What is a guard\?(.|\n)*\/help/,
    )
  })

  test('are put back into the prompt by Esc', async ({ start }) => {
    const terminal = await start({ env: { UNLOOP_PACE_MS: '60' } })
    await terminal.until(READY)
    await terminal.send('What is unloop?')
    await terminal.until('I look it up')
    await terminal.send('and then this')
    await terminal.press('Escape')
    await terminal.until(/· stopped(.|\n)*> and then this\s*\n.*\/help/)
  })
})

describe.concurrent('completion', () => {
  test('offers commands and files, and sends a file along', async ({ start }) => {
    const home = emptyHome()
    mkdirSync(join(home, 'src'))
    writeFileSync(join(home, 'src', 'zebra.ts'), 'export const stripes = 7\n')
    const terminal = await start({ home })
    await terminal.until(READY)
    await terminal.type('/co')
    await terminal.until(/\/cost +tokens and dollars(.|\n)*\/compact/)
    await terminal.press('Enter')
    await terminal.until('this session')
    await terminal.type('What is in @zeb')
    await terminal.until('@src/zebra.ts')
    await terminal.press('Tab')
    await terminal.until('> What is in @src/zebra.ts')
    await terminal.press('Enter')
    await terminal.until('· attached src/zebra.ts (1 line, 25 B)')
  })
})

describe.concurrent('keys of a shell', () => {
  test('search earlier prompts, also of earlier conversations', async ({ start }) => {
    const first = await start()
    await first.until(READY)
    await first.send('What is unloop?')
    await first.until(/no dependencies(.|\n)*\/help/)
    await first.press('C-d')
    await first.until('left with 0')
    const second = await start({ home: first.home })
    await second.until(READY)
    await second.press('C-r')
    await second.type('unlo')
    await second.until('What is unloop?')
    await second.press('Escape')
    await second.until(/> What is unloop\?\s*\n/)
    await second.press('M-b', 'M-d')
    await second.until(/> What is \?\s*\n/)
    await second.press('C-y')
    await second.until(/> What is unloop\?\s*\n/)
  })

  test('Ctrl+Z gives the terminal back, and fg draws the chat again', async ({ start }) => {
    const terminal = await start({ command: 'bash --norc -i', columns: 160 })
    await terminal.type(`'${process.execPath}' '${bin}' chat`)
    await terminal.press('Enter')
    await terminal.until(READY)
    await terminal.type('a draft')
    await terminal.until('> a draft')
    await terminal.press('C-z')
    await terminal.until(/Stopped/)
    await terminal.type('echo $((40 + 2))x')
    await terminal.press('Enter')
    await terminal.until('42x')
    await terminal.type('fg')
    await terminal.press('Enter')
    await terminal.until(/42x(.|\n)*> a draft\s*\n.*\/help/)
    await terminal.type('!')
    await terminal.until(/42x(.|\n)*> a draft!\s*\n.*\/help/)
  })
})

describe.concurrent('a chat without a shell', () => {
  test('is not suspended, and goes on', async ({ start }) => {
    const terminal = await start()
    await terminal.until(READY)
    await terminal.press('C-z')
    await terminal.type('still ')
    await terminal.type('here')
    await terminal.until('> still here')
    await terminal.press('C-a', 'C-k')
    await terminal.until((screen) => !screen.includes('still'))
  })
})

describe.concurrent('a command', () => {
  test('that Esc stops while it runs is not called "not run"', async ({ start }) => {
    const home = emptyHome()
    writeFileSync(join(home, 'wait.sh'), 'touch begun; sleep 60\n')
    const terminal = await start({ home })
    await terminal.until(READY)
    await terminal.send('Please run "sh wait.sh"')
    await terminal.until(MAY_RUN)
    await terminal.press('y')
    await terminal.until('→ run_command: yes')
    await vi.waitFor(() => expect(existsSync(join(home, 'begun'))).toBe(true), 20_000)
    await terminal.press('Escape')
    const screen = await terminal.until('stopped while it ran; it may have had effects')
    expect(screen).not.toMatch(/not run|never begun/)
  })

  test('is allowed by its first words, and others are still asked about', async ({ start }) => {
    const terminal = await start()
    await terminal.until(READY)
    await terminal.send('Please run "git status"')
    await terminal.until('a always: git status')
    await terminal.until(MAY_RUN)
    await terminal.press('a')
    await terminal.until(/→ always allowed in this chat: git status(.|\n)*\/help/)
    await terminal.send('Please run "git status --short"')
    await terminal.until(/› run_command .*--short(.|\n)*\/help/)
    await terminal.send('Please run "git log"')
    await terminal.until('a always: git log')
  })
})

describe.concurrent('conversations', () => {
  test('have names, and are resumed by them', async ({ start }) => {
    const first = await start()
    await first.until(READY)
    await first.send('What is unloop?')
    await first.until(/no dependencies(.|\n)*\/help/)
    await first.send('/rename the guide')
    await first.until('this conversation is called the guide')
    await first.press('C-d')
    await first.until('left with 0')
    const second = await start({ home: first.home, args: ['--resume', 'guide'] })
    await second.until('resumed the guide, begun')
    await second.send('/clear')
    await second.until('a new conversation')
    await second.send('/resume')
    await second.until('❯ the guide')
    await second.type('nothing')
    await second.until((screen) => !screen.includes('❯ the guide'))
    await second.press('C-u')
    await second.until('❯ the guide')
    await second.press('Enter')
    await second.until('resumed the guide, begun')
  })

  test('are begun with a prompt as plain words, and are debugged', async ({ start }) => {
    const terminal = await start({ args: ['--debug', 'debug.jsonl', '/stuck', 'repeated-call'] })
    await terminal.until(ASKED)
    await terminal.press('1')
    await terminal.until('→ Stopped')
    const written = ['start', 'model-request', 'finding', 'choice']
    await vi.waitFor(() => {
      const lines = readFileSync(join(terminal.home, 'debug.jsonl'), 'utf8').trim().split('\n')
      const events = lines.map((line) => JSON.parse(line).event)
      expect(events).toEqual(expect.arrayContaining(written))
    }, 20_000)
  })

  test('can be asked again, and say what they cost', async ({ start }) => {
    const terminal = await start()
    await terminal.until(READY)
    await terminal.send('What is unloop?')
    await terminal.until(/no dependencies(.|\n)*\/help/)
    await terminal.send('/retry')
    await terminal.until(/> \/retry(.|\n)*no dependencies(.|\n)*\/help/)
    await terminal.send('/cost')
    await terminal.until(/this session +.*tokens in.* out, \$0\.00/)
  })
})

describe('a dumb terminal', () => {
  test('gets lines without any commands', async () => {
    const pty = openPty({ env: { TERM: 'dumb' } })
    await pty.until(/line by line/)
    pty.write('What is unloop?\n')
    await pty.until(/no dependencies/)
    pty.write('/exit\n')
    expect(await pty.left).toBe(0)
    expect(pty.output()).not.toContain('\x1b')
    await pty.close()
  })
})

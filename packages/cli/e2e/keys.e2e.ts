import { describe, expect } from 'vitest'
import { test } from './chat-test.js'
import { APPROVAL, isRestored, LOOP, typeAtRandom } from './typing.js'

describe.concurrent('keys the chat does not know', () => {
  test.for([
    ['Ctrl+F1', '\x1b[1;5P'],
    ['Ctrl+F5', '\x1b[15;5~'],
    ['Ctrl+Insert', '\x1b[2;5~'],
    ['the status of the terminal', '\x1b[0n'],
    ['the place of the cursor', '\x1b[12;40R'],
    ['a color', '\x1b]11;rgb:0000/0000/0000\x1b\\'],
    ['what the terminal can do', '\x1b[?62;22c'],
    ['a mouse', '\x1b[<0;10;10M\x1b[M !!'],
    ['focus', '\x1b[I\x1b[O'],
    ['a key that is let go', '\x1b[97;1:3u'],
  ] as const)('%s: nothing is written, and the chat goes on', async ([, bytes], { start }) => {
    const pty = await start()
    pty.write(`be${bytes}`)
    pty.write('fore')
    await pty.until(/before/)
    pty.write('\x03\x03')
    expect(await pty.left).toBe(0)
    expect(isRestored(pty)).toBe(true)
  })

  test('a paste with colors is text without them', async ({ start }) => {
    const pty = await start()
    pty.write('\x1b[200~a \x1b[0mcolored\x1b[1;5P paste\x1b[201~')
    await pty.until(/a colored paste/)
  })

  test('Delete deletes what is under the cursor', async ({ start }) => {
    const pty = await start()
    pty.write('abxc')
    await pty.until(/abxc/)
    pty.write('\x1b[D\x1b[D\x1b[3~')
    await pty.until((written) => plain(written).includes('> abc'))
  })
})

describe.concurrent('the terminal gets its settings back', () => {
  // what a bug of ours would do, whenever this signal comes
  const failing = `data:text/javascript,process.on('SIGUSR2', () => { throw new Error('it broke') })`

  test('after an internal error, which can be read', async ({ start }) => {
    const pty = await start({ node: ['--import', failing] })
    pty.kill('SIGUSR2')
    expect(await pty.left).toBe(70)
    expect(pty.output().slice(pty.output().lastIndexOf('\x1b[?2004l'))).toContain('it broke')
    expect(isRestored(pty)).toBe(true)
  })

  test.for(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('after %s', async (signal, { start }) => {
    const pty = await start()
    pty.kill(signal)
    expect(await pty.left).toBeGreaterThan(128)
    expect(isRestored(pty)).toBe(true)
  })
})

describe('after a paste of a megabyte', () => {
  test.for([
    ['of lines', 'some words in a line\r'.repeat(50_000)],
    ['of one word', 'x'.repeat(2 ** 20)],
    ['of emoji', '👩‍👩‍👧'.repeat(60_000)],
  ] as const)('%s, each key is still drawn', async ([, text], { start }) => {
    const pty = await start()
    pty.write(`\x1b[200~${text}\x1b[201~`)
    await pty.until(/characters above/)
    await pty.quiet()
    for (const letter of 'QZWY') {
      const isDrawn = pty.until((written) => plain(written).includes(letter))
      pty.write(letter)
      await isDrawn
    }
  })
})

describe('questions', () => {
  test('"1st wait, do not run that" does not run it', async ({ start }) => {
    const pty = await start()
    pty.write('Please run "echo it-was-run"\r')
    await pty.until(/y n a, or/)
    // on a busy machine, all of it may be read at once
    const again = /one moment[\s\S]*y n a, or/
    pty.write('yes? 1st wait, do not run that')
    await pty.until(again)
    pty.write('\x1b[200~y\r\x1b[201~')
    await pty.until(again)
    pty.write('\r')
    await pty.until(/run_command: no[\s\S]*wait, do not run that/)
  })
})

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys
const plain = (written: string) => written.replace(/\x1b\[[\d;?]*[a-z]/gi, '')

describe('random bytes', () => {
  test('do not end the chat', { timeout: 300_000 }, async ({ start }) => {
    const pty = await start()
    const reached = await typeAtRandom(pty, 1000, 1)
    expect([...reached]).toEqual(expect.arrayContaining([LOOP, APPROVAL]))
    pty.write('\x03\x03')
    expect(await pty.left).toBe(0)
    expect(isRestored(pty)).toBe(true)
  })
})

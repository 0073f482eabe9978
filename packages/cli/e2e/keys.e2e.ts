import { test as base, describe, expect } from 'vitest'
import { openPty, type Pty } from './pty.js'
import { APPROVAL, isRestored, LOOP, typeAtRandom } from './typing.js'

const test = base.extend<{ start: (options?: Parameters<typeof openPty>[0]) => Promise<Pty> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names from it
  start: async ({}, use) => {
    const opened: Pty[] = []
    await use(async (options) => {
      const pty = openPty(options)
      opened.push(pty)
      await pty.until(/guard enforce.* · \/help/)
      return pty
    })
    await Promise.all(opened.map((pty) => pty.close()))
  },
})

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

describe('questions', () => {
  test('"1st wait, do not run that" does not run it', async ({ start }) => {
    const pty = await start()
    pty.write('Please run "echo it-was-run"\r')
    await pty.until(/y n a, or/)
    pty.write('yes? 1st wait, do not run that')
    await pty.until(/one moment/)
    await pty.until(/y n a, or/)
    pty.write('\x1b[200~y\r\x1b[201~')
    await pty.until(/one moment/)
    await pty.until(/y n a, or/)
    pty.write('\r')
    await pty.until(/run_command: no/)
    await pty.until(/wait, do not run that/)
  })
})

const PRESSES = 7
const MAX_MS = 50

describe('after a paste of a megabyte', () => {
  test.for([
    ['of lines', 'some words in a line\r'.repeat(50_000)],
    ['of one line', 'word '.repeat(210_000)],
    ['of one word', 'x'.repeat(2 ** 20)],
    ['of line ends', '\r'.repeat(2 ** 20)],
    ['of emoji', '👩‍👩‍👧'.repeat(60_000)],
  ] as const)('%s, each key takes less than 50 ms', async ([, text], { start }) => {
    const pty = await start()
    pty.write(`\x1b[200~${text}\x1b[201~`)
    await pty.until(/characters above/)
    const took: [string, number][] = []
    // the first keys of a program take longer, whatever the text
    for (const letter of 'warm up') await drawn(pty, letter)
    const isOfLines = text.includes('\r')
    for (const [name, bytes, before] of [...KEYS, ...(isOfLines ? VERTICAL : [])]) {
      const times: number[] = []
      for (let press = 0; press < PRESSES; press++) {
        if (before) await drawn(pty, before)
        times.push(await drawn(pty, bytes))
      }
      took.push([name, median(times)])
    }
    // these may leave nothing, so the first press counts
    for (const [name, bytes] of ERASING) {
      await drawn(pty, 'a')
      took.push([name, await drawn(pty, bytes)])
    }
    if (process.env.UNLOOP_DEBUG) console.log(JSON.stringify(took))
    expect(took.filter(([, ms]) => ms >= MAX_MS)).toEqual([])
  })
})

/** Keys with what has to be pressed before them, so that they change what is drawn. */
const KEYS: readonly (readonly [string, string, string?])[] = [
  ['Left', '\x1b[D'],
  ['Right', '\x1b[C', '\x1b[D'],
  ['Backspace', '\x7f'],
  ['Delete', '\x1b[3~', 'a\x1b[D'],
  ['a letter', 'a'],
  ['Home', '\x1b[H', 'a'],
  ['End', '\x1b[F', 'a\x1b[D'],
]
const VERTICAL: typeof KEYS = [
  ['Up', '\x1b[A'],
  ['Down', '\x1b[B'],
]
const ERASING = [
  ['Ctrl+W', '\x17'],
  ['Ctrl+U', '\x15'],
] as const

/** The milliseconds until what a key does is drawn. */
async function drawn(pty: Pty, bytes: string): Promise<number> {
  await pty.quiet()
  const start = performance.now()
  const change = pty.until((written) => written !== '')
  pty.write(bytes)
  await change
  return (await pty.quiet()) - start
}

const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1] ?? 0

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

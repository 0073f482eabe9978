import { describe, expect } from 'vitest'
import { test } from './chat-test.js'
import type { Pty } from './pty.js'

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

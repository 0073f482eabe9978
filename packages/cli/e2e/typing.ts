import type { Pty } from './pty.js'

const BATCH = 50
// a dialog takes half a second until it listens to Escape, and a paste two until it ends by itself
const RETRY_MS = 700
const RETRIES = 40
const DIALOG_MS = 3000

export const LOOP = '· 1 to 6'
export const APPROVAL = '· y n a, or'
const SESSIONS = 'arrows and Enter'
const EMPTY_PROMPT = '> \x1b[39m\r'

/**
 * Types so many random sequences, into the prompt, answers and dialogs, and sees that the chat still listens in between.
 * Gives the dialogs that were open meanwhile.
 */
export async function typeAtRandom(pty: Pty, count: number, seed: number): Promise<Set<string>> {
  const random = createRandom(seed)
  const reached = new Set<string>()
  for (let typed = 0; typed < count; typed += BATCH) {
    const [prompt, dialog] = pick(random, PROMPTS)
    if (dialog) {
      // an earlier key may have turned it off, or allowed the tool for good
      const on = pty.until(/guard mode: enforce/)
      pty.write('/guard enforce\r')
      await on
      const open = pty.until((written) => written.includes(dialog), DIALOG_MS)
      pty.write(`${prompt}\r`)
      await open.then(
        () => reached.add(dialog),
        () => {},
      )
    } else pty.write(`${prompt}\r`)
    for (let each = 0; each < BATCH; each++) pty.write(sequence(random))
    await answers(pty, `mark${typed}x`)
  }
  return reached
}

/** Whether the terminal is as it was before the chat: its settings, its cursor, and how it hands over pasted text. */
export function isRestored(pty: Pty): boolean {
  const { before, after } = pty.settings()
  const last = (...codes: string[]) =>
    Math.max(...codes.map((code) => pty.output().lastIndexOf(code)))
  return (
    before === after &&
    last('\x1b[?2004l') > last('\x1b[?2004h') &&
    last('\x1b[?25h') > last('\x1b[?25l')
  )
}

/** Ends whatever has begun, and waits until what is typed then is shown. */
async function answers(pty: Pty, mark: string): Promise<void> {
  for (let left = RETRIES; ; left--) {
    const shown = pty.until((written) => written.includes(`${mark}\r`), RETRY_MS)
    pty.write('\x1b[201~\x1b')
    // Escape and a letter right after it would be one key
    setTimeout(() => pty.write(mark), RETRY_MS / 3)
    try {
      await shown
      const cleared = pty.until((written) => written.includes(EMPTY_PROMPT), RETRY_MS)
      pty.write('\x1b')
      await cleared
      return
    } catch (error) {
      if (left === 0) throw error
    }
  }
}

// what is asked for, and how the dialog it leads to says that it takes answers
const PROMPTS: readonly (readonly [prompt: string, dialog?: string])[] = [
  ['What is unloop?'],
  ['/help'],
  [''],
  ['/stuck repeated-call', LOOP],
  ['/stuck chanting', LOOP],
  ['Please run "echo typed"', APPROVAL],
  ['/resume', SESSIONS],
]

const PIECES = [
  '\x1b',
  '\x1b\x1b',
  '\x1b[',
  '\x1bO',
  '\x1b]0;t',
  '\x1bP',
  '\x1b_',
  '\x1b\\',
  '\x07',
  '\x9b',
  '\x1b[M',
  '\x1b[[',
  '\x1b[200~',
  '\x1b[201~',
  '\x1b[A',
  '\x1b[B',
  '\x1b[C',
  '\x1b[D',
  '\x1b[H',
  '\x1b[F',
  '\x1b[3~',
  '\x7f',
  '\r',
  '\n',
  '\t',
  '1',
  '4',
  'y',
  'n',
  'a',
  ' ',
  'word',
  '日本',
  '👩‍👩‍👧',
  '\u202e',
  '\u0301',
  '\ufeff',
]

// Ctrl+C, Ctrl+D and Ctrl+Z, as bytes and as numbers of their letters
const LEAVING = [3, 4, 26]
const LEAVING_KEYS = /99|67|100|68|122|90/

/** One sequence, without those that leave or suspend. */
function sequence(random: () => number): Uint8Array {
  for (;;) {
    const bytes = Buffer.concat(Array.from({ length: 1 + below(random, 4) }, () => piece(random)))
    const isLeaving = LEAVING.some((byte) => bytes.includes(byte))
    if (!isLeaving && !LEAVING_KEYS.test(bytes.toString('latin1'))) return bytes
  }
}

function piece(random: () => number): Buffer {
  const kind = below(random, 4)
  if (kind === 0)
    return Buffer.from(Array.from({ length: below(random, 8) }, () => below(random, 256)))
  if (kind > 1) return Buffer.from(pick(random, PIECES))
  const fields = Array.from({ length: below(random, 4) }, () => below(random, 130))
  const mark = pick(random, ['', '', '', '?', '>', '<'])
  const final = String.fromCharCode(64 + below(random, 63))
  return Buffer.from(`\x1b[${mark}${fields.join(pick(random, [';', ':']))}${final}`)
}

const below = (random: () => number, end: number) => Math.floor(random() * end)

const pick = <T>(random: () => number, all: readonly T[]): T => all[below(random, all.length)] as T

/** The same numbers for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

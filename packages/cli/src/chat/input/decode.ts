// biome-ignore-all lint/suspicious/noControlCharactersInRegex: terminals speak in them
import { altPress, controlPress, pressOf } from './key-of.js'
import { pastedText } from './pasted-text.js'
import { key, type Press } from './press.js'

/** Bytes of a terminal in, presses out. How the bytes are cut into reads changes nothing. */
export interface Decoder {
  push(bytes: Uint8Array): Press[]
  /** How long to wait for the rest of what has begun, before `flush`; nothing if all is decoded. */
  readonly waitMs: number | undefined
  /** Ends what has begun: an escape character alone is the Escape key, half a sequence is nothing. */
  flush(): Press[]
}

// a terminal sends a sequence in one go; only a network tears it apart
const ESCAPE_MS = 50
const SEQUENCE_MS = 500
const PASTE_MS = 2000
// the longest sequences that mean a key have some 20 characters
const MAX_SEQUENCE = 128
// a longer paste comes in several pieces, so that what waits here is bounded
const MAX_PASTE = 4 * 2 ** 20

const PASTE_START = '\x1b[200~'
const PASTE_END = '\x1b[201~'

export function createDecoder(): Decoder {
  let utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
  let presses: Press[] = []
  /** what is not decoded yet: bounded, since it is a sequence that has only begun */
  let rest = ''
  let mode: 'keys' | 'paste' | 'skip' | 'string' = 'keys'
  let pasted: string[] = []
  let pastedLength = 0

  function decode() {
    let before: { length: number; mode: typeof mode }
    do {
      before = { length: rest.length, mode }
      if (mode === 'paste') readPaste()
      else if (mode === 'string') skipString()
      else if (mode === 'skip') skipSequence()
      else readKeys()
    } while (rest !== '' && (rest.length < before.length || mode !== before.mode))
  }

  /** Takes from the front of `rest` until a sequence is incomplete or another mode begins. */
  function readKeys() {
    let at = 0
    while (at < rest.length && mode === 'keys') {
      const length = rest.charCodeAt(at) === ESC ? readSequence(at) : readPlain(at)
      if (length === 0) break
      at += length
    }
    rest = rest.slice(at)
  }

  function readPlain(at: number): number {
    const text = match(TEXT, rest, at)
    if (text === '') presses.push(controlPress(rest.charCodeAt(at)))
    else presses.push({ type: 'text', text })
    return text.length || 1
  }

  /** The length of the sequence there; 0 if its end has not come yet. */
  function readSequence(at: number): number {
    const second = rest[at + 1]
    if (second === undefined) return 0
    if (second === '\x1b') return readEscapes(at)
    if (second === '[' || second === 'O') return readControl(at)
    if (STRINGS.includes(second)) {
      // Alt and that character, unless more follows
      if (at + 2 === rest.length) return 0
      presses.push(key('unknown'))
      mode = 'string'
      return 2
    }
    presses.push(altPress(second))
    return 1 + String.fromCodePoint(rest.codePointAt(at + 1) ?? 0).length
  }

  /** Two in a row: Alt and a key that has a sequence, which is that key; or the Escape key. */
  function readEscapes(at: number): number {
    const third = rest[at + 2]
    if (third === undefined) return 0
    if (third !== '[' && third !== 'O') presses.push(key('escape'))
    return 1
  }

  function readControl(at: number): number {
    const sequence = match(SEQUENCE, rest, at)
    if (sequence !== '') {
      if (sequence === PASTE_START) mode = 'paste'
      else presses.push(sequence.length > MAX_SEQUENCE ? key('unknown') : pressOf(sequence))
      return sequence.length
    }
    const begun = match(BEGUN, rest, at)
    if (at + begun.length < rest.length) {
      // broken off by something that cannot be part of it
      presses.push(key('unknown'))
      return begun.length
    }
    if (begun.length <= MAX_SEQUENCE) return 0
    presses.push(key('unknown'))
    mode = 'skip'
    return begun.length
  }

  function skipSequence() {
    const more = match(MORE, rest, 0)
    if (more.length === rest.length && !FINAL.test(more)) {
      rest = ''
      return
    }
    rest = rest.slice(more.length)
    mode = 'keys'
  }

  function skipString() {
    const end = rest.search(STRING_END)
    if (end < 0) {
      rest = ''
      return
    }
    const isEscape = rest.charCodeAt(end) === ESC
    if (isEscape && end + 1 === rest.length) {
      rest = '\x1b'
      return
    }
    // any other escape sequence ends it too, and is read as what it is
    if (!isEscape) rest = rest.slice(end + 1)
    else rest = rest.slice(rest[end + 1] === '\\' ? end + 2 : end)
    mode = 'keys'
  }

  function readPaste() {
    const end = rest.indexOf(PASTE_END)
    if (end < 0) {
      const kept = unfinished(rest)
      keep(rest.slice(0, rest.length - kept))
      rest = rest.slice(rest.length - kept)
      if (pastedLength > MAX_PASTE) endPaste()
      return
    }
    keep(rest.slice(0, end))
    rest = rest.slice(end + PASTE_END.length)
    mode = 'keys'
    endPaste()
  }

  function keep(text: string) {
    if (text !== '') pasted.push(text)
    pastedLength += text.length
  }

  function endPaste() {
    presses.push({ type: 'paste', text: pastedText(pasted.join('')) })
    pasted = []
    pastedLength = 0
  }

  function take(): Press[] {
    const taken = presses
    presses = []
    return taken
  }

  return {
    push(bytes) {
      rest += sevenBit(utf8.decode(bytes, { stream: true }))
      decode()
      return take()
    },
    get waitMs() {
      if (mode === 'paste') return PASTE_MS
      if (mode === 'keys' && rest === '') return undefined
      return mode === 'keys' && rest.length <= 2 ? ESCAPE_MS : SEQUENCE_MS
    },
    flush() {
      if (mode === 'paste') {
        keep(rest)
        endPaste()
      } else if (mode === 'keys' && /^\x1b+$/.test(rest)) {
        for (const _ of rest) presses.push(key('escape'))
      } else if (mode === 'keys' && rest !== '') presses.push(key('unknown'))
      rest = ''
      mode = 'keys'
      utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
      return take()
    },
  }
}

const ESC = 0x1b
const TEXT = /\P{Cc}+/uy
// the form of the Linux console, with a second bracket; that of rxvt with Shift, which ends in a dollar sign; that of
// an old mouse, with three characters behind it; and the usual ones, CSI and SS3
const SEQUENCE = /\x1b(?:\[\[[ -~]|\[\d{1,3}\$|\[M[^\x1b]{3}|\[(?!\[|M)[ -?]*[@-~]|O[ -?]*[@-~])/uy
const BEGUN = /\x1b(?:\[\[|\[M[^\x1b]{0,2}|[[O][ -?]*)/uy
const MORE = /[ -?]*[@-~]?/y
const FINAL = /[@-~]$/
/** what begins a string that ends with its own terminator: OSC, DCS, SOS, PM and APC */
const STRINGS = ']PX^_'
const STRING_END = /[\x07\x18\x1a\x1b]/

/** Without what was no UTF-8, and with control characters of one byte in their form of two. */
const sevenBit = (text: string) =>
  text
    .replaceAll('\ufffd', '')
    .replace(/[\x80-\x9f]/g, (control) => `\x1b${String.fromCharCode(control.charCodeAt(0) - 64)}`)

/** How many characters at the end may be the begin of the mark that ends a paste. */
function unfinished(text: string): number {
  const at = text.lastIndexOf('\x1b')
  return at >= 0 && PASTE_END.startsWith(text.slice(at)) ? text.length - at : 0
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

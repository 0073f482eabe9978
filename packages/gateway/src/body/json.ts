import type { Breath } from './breath.js'

/** How much of a body is read. */
export interface JsonLimits {
  /** how many values it may have, those inside of others included */
  values: number
  /** how many of them may be inside of each other */
  depth: number
}

/** A body that has more than is read of one; `reason` says of what. */
export class TooMuch extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(`more ${reason} than are read`)
    this.reason = reason
  }
}

// the engine's own parser takes less than a millisecond for one, whatever is in it, and a few for the other, if most of it is text
const SMALL = 16 * 2 ** 10
const MEDIUM = 2 ** 20
const FEW = 10_000
// how often the clock is asked
const AT_ONCE = 200

/** What JSON says. */
interface ReadJson {
  value: unknown
  /** how many values it has at most, those inside of others included */
  values: number
}

/** What the bytes say, read in sips. Fails with a `SyntaxError` or `TooMuch`. */
export async function readJson(
  bytes: Buffer,
  limits: JsonLimits,
  breath: Breath,
): Promise<ReadJson> {
  // some servers accept the mark that some programs put before their text
  const text = bytes.length > 2 && bytes.readUIntBE(0, 3) === 0xefbbbf ? bytes.subarray(3) : bytes
  const marks = marksOf(text, limits)
  if (marks !== undefined) return { value: JSON.parse(text.toString()), values: marks + 1 }
  const parser = createParser(text, limits)
  while (!parser.read(AT_ONCE)) if (breath.isDue) await breath.take()
  return { value: parser.value, values: parser.values }
}

/** Whether the engine's own parser takes a few milliseconds for the bytes at most. */
export const isQuick = (bytes: Buffer): boolean =>
  bytes.length <= SMALL || marksOf(bytes, { values: FEW, depth: MAX_QUICK_DEPTH }) !== undefined

// as deep as requests are read
const MAX_QUICK_DEPTH = 200

/**
 * How many values begin in the bytes after the first, if nothing in them takes long to read or is beyond a limit; marks in texts count
 * as well.
 */
function marksOf(bytes: Buffer, limits: JsonLimits): number | undefined {
  const isSmall = bytes.length <= SMALL
  if (bytes.length > MEDIUM) return
  const most = Math.min(FEW, limits.values)
  let marks = 0
  let depth = 0
  for (const byte of bytes) {
    if (byte === COMMA) marks++
    else if (byte === OPEN_LIST || byte === OPEN_RECORD) {
      marks++
      if (++depth > limits.depth && !isSmall) return
    } else if (byte === CLOSE_LIST || byte === CLOSE_RECORD) depth--
  }
  return isSmall || marks < most ? marks : undefined
}

/** A body as JSON, written in sips: the members of its lists one by one. */
export async function writeJson(body: object, breath: Breath): Promise<Buffer> {
  const parts: string[] = []
  let separator = '{'
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue
    parts.push(`${separator}${JSON.stringify(name)}:`)
    separator = ','
    if (!Array.isArray(value)) {
      parts.push(JSON.stringify(value))
      continue
    }
    for (const [at, item] of value.entries()) {
      parts.push(at === 0 ? '[' : ',', JSON.stringify(item) ?? 'null')
      if (breath.isDue) await breath.take()
    }
    parts.push(value.length === 0 ? '[]' : ']')
  }
  parts.push(separator === '{' ? '{}' : '}')
  const pieces: Buffer[] = []
  for (const part of parts) {
    pieces.push(Buffer.from(part))
    if (breath.isDue) await breath.take()
  }
  return Buffer.concat(pieces)
}

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_LIST = 91
const BACKSLASH = 92
const CLOSE_LIST = 93
const U = 117
const OPEN_RECORD = 123
const CLOSE_RECORD = 125

// a longer text is searched by the engine, unless it is full of escapes
const SHORT = 256
// what is read of a text at once
const PIECE = 256 * 2 ** 10
// numbers that programs write are shorter
const MAX_NUMBER = 400

type Target = unknown[] | Record<string, unknown>

/** What may come next. */
type Next = 'value' | 'item-or-end' | 'name-or-end' | 'name' | 'text' | 'comma-or-end' | 'nothing'

/** Reads JSON a few values at a time; what is in the texts is the same as `JSON.parse` makes of it. */
function createParser(bytes: Buffer, limits: JsonLimits) {
  const open: { target: Target; name: string }[] = []
  const { length } = bytes
  let at = 0
  let next: Next = 'value'
  let values = 0
  let root: unknown
  /** the text that is being read, up to here */
  let text = ''
  let isName = false

  function wrong(): never {
    throw new SyntaxError(`not JSON at byte ${at}`)
  }

  function skipSpace(): number {
    for (; at < length; at++) {
      const byte = bytes[at] as number
      if (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9) return byte
    }
    return -1
  }

  function put(value: unknown): void {
    const last = open.at(-1)
    if (!last) root = value
    else if (Array.isArray(last.target)) last.target.push(value)
    // an assignment would change the prototype
    else if (last.name === '__proto__')
      Object.defineProperty(last.target, last.name, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      })
    else last.target[last.name] = value
    next = last ? 'comma-or-end' : 'nothing'
  }

  function enter(target: Target): void {
    put(target)
    if (open.push({ target, name: '' }) > limits.depth) throw new TooMuch('depth')
    next = Array.isArray(target) ? 'item-or-end' : 'name-or-end'
    at++
  }

  function leave(byte: number): void {
    const isList = Array.isArray(open.pop()?.target)
    if (byte !== (isList ? CLOSE_LIST : CLOSE_RECORD)) wrong()
    next = open.length > 0 ? 'comma-or-end' : 'nothing'
    at++
  }

  function startText(isOfName: boolean): void {
    text = ''
    isName = isOfName
    next = 'text'
    at++
  }

  function endText(): void {
    at++
    if (!isName) return put(text)
    const last = open.at(-1)
    if (!last || skipSpace() !== COLON) wrong()
    last.name = text
    at++
    next = 'value'
  }

  /** Reads a piece of a text, which ends at its quotation mark or somewhere between two characters. */
  function readText(): void {
    const from = at
    const end = Math.min(length, from + PIECE)
    let hasEscapes = false
    let quietSince = at
    while (at < end) {
      const byte = bytes[at] as number
      if (byte === QUOTE) break
      if (byte === BACKSLASH) {
        hasEscapes = true
        at += bytes[at + 1] === U ? 6 : 2
        quietSince = at
      } else if (at - quietSince < SHORT) at++
      else {
        const quote = bytes.indexOf(QUOTE, at)
        const most = quote < 0 || quote > end ? end : quote
        const slash = bytes.subarray(at, most).indexOf(BACKSLASH)
        at = slash < 0 ? most : at + slash
        quietSince = at
      }
    }
    if (at >= length) wrong()
    // not within a character
    while (((bytes[at] as number) & 0xc0) === 0x80) at++
    const piece = bytes.toString('utf8', from, at)
    text += hasEscapes ? JSON.parse(`"${piece}"`) : piece
    if (bytes[at] === QUOTE) endText()
  }

  function readWord(): void {
    const from = at
    for (; at < length && at - from <= MAX_NUMBER; at++) {
      const byte = bytes[at] as number
      if (byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_RECORD || byte <= 32) break
    }
    put(JSON.parse(bytes.toString('latin1', from, at)))
  }

  function readValue(byte: number): void {
    if (++values > limits.values) throw new TooMuch('values')
    if (byte === QUOTE) startText(false)
    else if (byte === OPEN_RECORD) enter({})
    else if (byte === OPEN_LIST) enter([])
    else readWord()
  }

  function readNext(): void {
    if (next === 'text') return readText()
    const byte = skipSpace()
    if (byte < 0) wrong()
    if (next === 'value') return readValue(byte)
    if (next === 'comma-or-end') {
      if (byte !== COMMA) return leave(byte)
      next = Array.isArray(open.at(-1)?.target) ? 'value' : 'name'
      at++
    } else if (next === 'item-or-end') {
      if (byte === CLOSE_LIST) leave(byte)
      else readValue(byte)
    } else if (next === 'name-or-end' && byte === CLOSE_RECORD) leave(byte)
    else if (byte === QUOTE) startText(true)
    else wrong()
  }

  return {
    /** Reads on; true when all was read. */
    read(steps: number): boolean {
      const from = at
      for (let step = 0; step < steps && next !== 'nothing' && at - from < PIECE; step++) readNext()
      if (next !== 'nothing') return false
      if (skipSpace() >= 0) wrong()
      return true
    },
    get value() {
      return root
    },
    get values() {
      return values
    },
  }
}

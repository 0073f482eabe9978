import type { AgentEvent } from 'unloop'
import type { Dialect } from 'unloop/wire'
import type { Breath } from '../body/breath.js'
import { decode } from '../body/decode.js'
import { isQuick, readJson } from '../body/json.js'
import type { Tap } from '../proxy/relay.js'
import { type Frame, toFrame } from './frame.js'
import { inSips } from './in-sips.js'

/** What is told about an answer while it comes. */
export interface Listener {
  /** True if the answer has to end here. */
  see(event: AgentEvent): boolean
  /** The answer is complete, or was cut; resolves when the next request may come. */
  finish(isCut: boolean): Promise<void> | undefined
  lose(): void
}

type Reader = ReturnType<Dialect['stream']>

const NEWLINE = 10
const CARRIAGE_RETURN = 13
// no other field begins and ends like `data:`
const D = 100
const COLON = 58
// an event longer than this is not read, as those with pictures; it passes all the same
const MAX_LINE = 2 ** 20
// no model writes as much in one call; what comes after it is not read
const MAX_ARGS = 512 * 2 ** 10

// a new frame after a text with an escape, now and then
const MAX_LESSONS = 50

// the last event of an answer, after which the next request may come
const LAST = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'message_stop',
])

// the same where an event is too long to be read
const LAST_HEAD = new RegExp(`^ ?\\{"type": ?"(${[...LAST].join('|').replaceAll('.', '\\.')})"`)
const MAX_TYPE = 100

const isCall = ({ type }: AgentEvent) => type === 'tool-call'

// where protocols have pieces of arguments, which are kept until the call is complete
const ARGS = new Set(['arguments', 'partial_json', 'input', 'stringValue'])

/** How many characters of arguments an event has. */
function argsIn(value: object): number {
  let characters = 0
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'string') characters += ARGS.has(name) ? inner.length : 0
    else if (typeof inner === 'object' && inner !== null) characters += argsIn(inner)
  }
  return characters
}

/**
 * Reads server-sent events while they pass. An answer that has to end does so after the event that showed it, with an ending of our
 * own, so no byte waits; but with `isHeld` the last event does, until it was taken note of that the answer is complete.
 */
export function tapEvents(reader: Reader, listener: Listener, isHeld: boolean): Tap {
  let carried: Buffer[] = []
  let carriedBytes = 0
  let isOver = false
  let isFirst = true
  let isLast = false
  const held: Buffer[] = []
  const sips = inSips(listener.see)
  let frame: Frame | undefined
  let lessons = 0
  /** characters of arguments whose call is not complete */
  let args = 0
  let isDeaf = false

  /** A frame that serves the next events, if there is one; a stream whose events always differ is not tried for ever. */
  function learn(line: Buffer, said: object, events: readonly AgentEvent[]): Frame | undefined {
    return ++lessons > MAX_LESSONS ? undefined : toFrame(line, said, events)
  }

  function hearAll(events: readonly AgentEvent[]): boolean {
    for (const event of events) if (sips.see(event)) return true
    return false
  }

  /** True if the answer has to end after this line. */
  function hear(line: Buffer): boolean {
    if (line.length < 8 || line[0] !== D || line[4] !== COLON) return false
    isLast ||= isHeld && LAST_HEAD.test(line.toString('latin1', 5, MAX_TYPE))
    if (isDeaf || !isQuick(line)) return false
    const known = frame?.read(line)
    if (known) return hearAll(reader.read(known))
    try {
      const said = JSON.parse(line.toString('utf8', 5))
      if (typeof said !== 'object' || said === null) return false
      isLast ||= isHeld && LAST.has(said.type)
      args += argsIn(said)
      isDeaf = args > MAX_ARGS
      if (isDeaf) return false
      const events = reader.read(said)
      if (events.some(isCall)) args = 0
      frame = learn(line, said, events) ?? frame
      return hearAll(events)
    } catch {
      // `[DONE]`, or a mistake that the client will find
      return false
    }
  }

  function takeLine(chunk: Buffer, from: number, to: number): Buffer {
    const piece = chunk.subarray(from, to)
    if (carriedBytes === 0) return piece
    // the beginning of a long one says what it is
    const line =
      carriedBytes > MAX_LINE ? (carried[0] as Buffer) : Buffer.concat([...carried, piece])
    carried = []
    carriedBytes = 0
    return line
  }

  /** Hears the lines that are complete now; gives the one that ends the answer, and where it ends. */
  function read(chunk: Buffer): { line: Buffer; end: number } | undefined {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const line = takeLine(chunk, from, at)
      from = at + 1
      if (!hear(line)) continue
      isOver = true
      return { line, end: from }
    }
    if (from < chunk.length) {
      if (carriedBytes <= MAX_LINE) carried.push(chunk.subarray(from))
      carriedBytes += chunk.length - from
    }
    return
  }

  return {
    pass(chunk) {
      if (isFirst && !isHeld && isOpening(chunk)) {
        isFirst = false
        return { bytes: chunk, look: () => (read(chunk) ? Buffer.from(reader.end()) : undefined) }
      }
      isFirst = false
      const last = read(chunk)
      if (last) {
        const gap = last.line.at(-1) === CARRIAGE_RETURN ? '\r\n' : '\n'
        const ending = Buffer.from(gap + reader.end())
        return { bytes: Buffer.concat([chunk.subarray(0, last.end), ending]), isLast: true }
      }
      if (!isLast) return { bytes: chunk }
      held.push(chunk)
      return { bytes: undefined }
    },
    end() {
      sips.flush()
      return listener
        .finish(isOver)
        ?.then(() => (held.length > 0 ? Buffer.concat(held) : undefined))
    },
    fail: () => (isOver ? undefined : listener.lose()),
  }
}

// too short for a chant, so that it can be on its way before it is heard
const MAX_OPENING = 1000

/** Whether these are the first events of an answer, whole, and not yet its last ones. */
const isOpening = (chunk: Buffer): boolean =>
  chunk.length <= MAX_OPENING &&
  chunk.at(-1) === NEWLINE &&
  (chunk.at(-2) === NEWLINE || chunk.at(-3) === NEWLINE) &&
  !chunk.includes('[DONE]')

// longer answers are images or the like
const MAX_WHOLE = 32 * 2 ** 20
// as for requests
const LIMITS = { values: 100_000, depth: 200 }
// what takes the guard less than a millisecond
const PIECE = 16 * 2 ** 10

/** The event; a long text in pieces. */
function inPieces(event: AgentEvent): AgentEvent[] {
  if (event.type !== 'text' && event.type !== 'reasoning') return [event]
  const { type, text } = event
  return Array.from({ length: Math.ceil(text.length / PIECE) }, (_, at) => ({
    type,
    text: text.slice(at * PIECE, (at + 1) * PIECE),
  }))
}

/** Reads an answer that comes as one piece of JSON. `isHeld`: the client gets it when its end was taken note of. */
export function tapWhole(
  reader: Reader,
  listener: Listener,
  encoding: string | undefined,
  isHeld: boolean,
  breath: Breath,
): Tap {
  const chunks: Buffer[] = []
  let length = 0
  return {
    pass(chunk) {
      length += chunk.length
      if (isHeld || length <= MAX_WHOLE) chunks.push(chunk)
      return { bytes: isHeld ? undefined : chunk }
    },
    async end() {
      const whole = Buffer.concat(chunks)
      try {
        const bytes = await decode(whole, encoding, MAX_WHOLE)
        const said = bytes && (await readJson(bytes, LIMITS, breath)).value
        // Gemini streams a list to programs that do not ask for events
        for (const one of [said].flat())
          for (const event of reader.read(one).flatMap(inPieces)) {
            listener.see(event)
            if (breath.isDue) await breath.take()
          }
      } catch {
        // not JSON, or too long
      }
      await listener.finish(false)
      return isHeld ? whole : undefined
    },
    fail: () => listener.lose(),
  }
}

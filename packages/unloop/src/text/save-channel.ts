import { toText, toWords } from '../base64.js'
import type { Channel } from './channel.js'
import { type Chant, createChant, MAX_LOOK_BACK, MAX_PERIOD } from './chant.js'
import { RING_MASK, SPACES } from './folded.js'
import { NUMBER } from './text-kind.js'

/** Plain JSON of a channel: the text that can still matter, the table and the counters. */
export function saveChannel({ chant, since }: Channel): unknown {
  if (!chant) return { since }
  const { folded, segments, places, ...counters } = chant
  const { units: _units, values: _values, ...ends } = folded
  const from = Math.max(folded.base, folded.end - KEPT)
  return {
    since,
    text: saveUnits(chant, from),
    numbers: saveNumbers(chant, from),
    places: toText(places),
    ends,
    segments: { ...segments, exact: [...segments.exact], masked: [...segments.masked] },
    counters,
  }
}

/** A channel that goes on where the saved one was. */
export function loadChannel(saved: unknown): Channel {
  const { since, text, numbers, places, ends, segments, counters } = saved as Saved
  if (text === undefined) return { chant: undefined, since, limits: undefined }
  const chant = createChant()
  Object.assign(chant, counters)
  Object.assign(chant.folded, ends)
  Object.assign(chant.segments, segments, {
    exact: Int32Array.from(segments.exact),
    masked: Int32Array.from(segments.masked),
  })
  loadUnits(chant, text, toWords(numbers))
  chant.places.set(toWords(places))
  return { chant, since, limits: undefined }
}

interface Saved {
  since: number
  text?: string
  numbers: string
  places: string
  ends: object
  segments: { exact: number[]; masked: number[] }
  counters: object
}

// the longest period, and as much before it as is compared when it is found
const KEPT = MAX_PERIOD + MAX_LOOK_BACK

// in plain text one character stands for a number and one for white space of some length
const NUMBER_SIGN = 0x7f
const LONG_SPACE_SIGN = 9

function saveUnits({ folded }: Chant, from: number): string {
  const units = Uint16Array.from({ length: folded.end - from }, (_, i) => {
    const place = (from + i) & RING_MASK
    const unit = folded.units[place] as number
    if (unit === NUMBER) return NUMBER_SIGN
    return unit === 32 && folded.values[place] === 1 ? LONG_SPACE_SIGN : unit
  })
  const plain = units.every((unit) => unit < 0x80 && (unit >= 32 || unit === 9 || unit === SPACES))
  return plain ? `=${String.fromCharCode(...units)}` : toText(units)
}

function saveNumbers({ folded }: Chant, from: number): string {
  const numbers: number[] = []
  for (let place = from; place < folded.end; place++) {
    if (folded.units[place & RING_MASK] === NUMBER) {
      numbers.push(folded.values[place & RING_MASK] as number)
    }
  }
  return toText(Uint16Array.from(numbers))
}

function loadUnits({ folded }: Chant, text: string, numbers: Uint16Array): void {
  const units = text.startsWith('=')
    ? Uint16Array.from(text.slice(1), (character) => character.charCodeAt(0))
    : toWords(text)
  let number = 0
  for (const [i, unit] of units.entries()) {
    const place = (folded.end - units.length + i) & RING_MASK
    folded.units[place] = unit === NUMBER_SIGN ? NUMBER : unit === LONG_SPACE_SIGN ? 32 : unit
    folded.values[place] = unit === LONG_SPACE_SIGN ? 1 : 0
    if (unit === NUMBER_SIGN) folded.values[place] = numbers[number++] as number
  }
}

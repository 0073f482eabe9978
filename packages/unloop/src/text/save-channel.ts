import type { Channel } from './channel.js'
import { type Chant, createChant, MAX_LOOK_BACK, MAX_PERIOD } from './chant.js'
import { type Folded, RING_MASK } from './folded.js'
import { NUMBER } from './text-kind.js'

/** A channel without the text that cannot matter any more. */
export function saveChannel({ chant, since }: Channel): unknown {
  if (!chant) return { since }
  const { folded } = chant
  const { base, end } = folded
  const from = Math.max(base, end - KEPT)
  const places = Array.from({ length: end - from }, (_, i) => (from + i) & RING_MASK)
  const units = Uint16Array.from(places, (place) => folded.units[place] as number)
  const valued = places.filter((place) => hasValue(folded.units[place] as number))
  const values = Uint16Array.from(valued, (place) => folded.values[place] as number)
  const text = String.fromCharCode(...units)
  return {
    since,
    chant: { ...chant, folded: { ...folded, units: PLAIN.test(text) ? text : units, values } },
  }
}

/** A channel that goes on where the saved one was. */
export function loadChannel(saved: unknown): Channel {
  const { since, chant } = saved as Saved
  if (!chant) return { chant, since }
  const { folded } = createChant()
  const { units, values, ...ends } = chant.folded
  Object.assign(folded, ends)
  let value = 0
  const start = folded.end - units.length
  for (let i = 0; i < units.length; i++) {
    const place = (start + i) & RING_MASK
    const unit = typeof units === 'string' ? units.charCodeAt(i) : (units[i] as number)
    folded.units[place] = unit
    if (hasValue(unit)) folded.values[place] = values[value++] as number
  }
  return { chant: { ...chant, folded }, since }
}

interface Saved {
  since: number
  chant?: Omit<Chant, 'folded'> & {
    folded: Omit<Folded, 'units'> & { units: string | Uint16Array }
  }
}

// the longest period, and as much before it as is compared when it is found
const KEPT = MAX_PERIOD + MAX_LOOK_BACK

/** what JSON writes in about a byte a character */
const PLAIN = /^[\n -\x7f]*$/

const hasValue = (unit: number) => unit === NUMBER || unit === 32

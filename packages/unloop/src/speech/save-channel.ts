import { createChant } from '../text/chant.js'
import type { ChantOptions } from '../text/chant-limits.js'
import type { Chant } from '../text/chant-state.js'
import { PLACES, REACH, RING_MASK, VALUES } from '../text/folded.js'
import { NUMBER } from '../text/text-kind.js'
import type { Channel } from './channel.js'

/** A channel without the text that no longer matters. */
export function saveChannel({ chant, since, limits }: Channel): unknown {
  if (!chant) return { since, limits }
  const { base, end } = chant
  const from = Math.max(base, end - REACH)
  const kept = Array.from({ length: end - from }, (_, i) => (from + i) & RING_MASK)
  const units = Uint16Array.from(kept, (place) => chant.units[place] as number)
  const valued = kept.filter((place) => hasValue(chant.units[place] as number))
  const values = Uint16Array.from(valued, (place) => chant.units[VALUES + place] as number)
  const places = chant.units.slice(PLACES)
  const text = String.fromCharCode(...units)
  return {
    since,
    limits,
    chant: { ...chant, units: PLAIN.test(text) ? text : units, values, places },
  }
}

/** A channel that continues where the saved one was. */
export function loadChannel(saved: unknown): Channel {
  const { since, limits, chant } = saved as Saved
  if (!chant) return { chant, since, limits }
  const { units } = createChant()
  const { units: kept, values, places, ...rest } = chant
  units.set(places, PLACES)
  let value = 0
  const start = chant.end - kept.length
  for (let i = 0; i < kept.length; i++) {
    const place = (start + i) & RING_MASK
    const unit = typeof kept === 'string' ? kept.charCodeAt(i) : (kept[i] as number)
    units[place] = unit
    if (hasValue(unit)) units[VALUES + place] = values[value++] as number
  }
  return { chant: { ...createChant(), ...rest, units }, since, limits }
}

interface Saved {
  since: number
  limits?: ChantOptions | undefined
  chant?: Omit<Chant, 'units'> & {
    units: string | Uint16Array
    values: Uint16Array
    places: Uint16Array
  }
}

/** text that takes about one byte per character in JSON */
const PLAIN = /^[\n -\x7f]*$/

const hasValue = (unit: number) => unit === NUMBER || unit === 32

import { ringText } from './ring.js'

/**
 * Every window of `size` characters in the recent text, with its earlier places: a rolling hash finds
 * candidates, and the characters themselves decide. One pass, fixed memory, no allocation per
 * character.
 */
export interface Windows {
  readonly size: number
  /** how many characters back a window still counts */
  readonly history: number
  readonly mask: number
  /** the text, a ring of UTF-16 units */
  readonly units: Uint16Array
  /** per place: the last earlier place whose window fell into the same bucket */
  readonly links: Int32Array
  readonly buckets: Int32Array
  readonly shift: number
  /** multiplier of the rolling hash, and the power of it that removes the oldest character */
  readonly factor: number
  readonly oldest: number
  /** where the text began, after the last reset */
  base: number
  /** places before this one do not count: they are before the base, or too old */
  floor: number
  /** place of the next character */
  end: number
  hash: number
}

/** A ring large enough for `history` characters, and windows of `size` over it. */
export function createWindows(size: number, history: number): Windows {
  const capacity = 2 ** Math.ceil(Math.log2(Math.max(history, size) + 1))
  // random, so that nobody can craft a text whose windows all fall into one bucket
  const factor = (Math.floor(Math.random() * 0x4000_0000) << 2) | 0x5
  let oldest = 1
  for (let i = 0; i < size; i++) oldest = Math.imul(oldest, factor)
  return {
    size,
    history,
    mask: capacity - 1,
    units: new Uint16Array(capacity),
    links: new Int32Array(capacity),
    buckets: new Int32Array(4 * capacity).fill(-1),
    shift: 30 - Math.log2(capacity),
    factor,
    oldest,
    base: 0,
    floor: 0,
    end: 0,
    hash: 0,
  }
}

/** Forgets the text so far. */
export function resetWindows(windows: Windows): void {
  windows.base = windows.end
  windows.floor = windows.end
  windows.hash = 0
}

/**
 * Takes `text` from `from` up to `to`. Stops after the first character that completes a window seen
 * at least `count` times, the last `count` of them at most `distance` apart on average, and returns
 * the index after it; -1 if nothing was found. A `count` of 0 only takes the text.
 */
export function addText(
  windows: Windows,
  text: string,
  from: number,
  to: number,
  count: number,
  distance: number,
): number {
  if (windows.end > MAX_PLACE) rebase(windows)
  const { size, history, mask, units, links, buckets, shift, factor, oldest, base } = windows
  const span = distance * (count - 1)
  let { floor, end, hash } = windows
  let found = -1
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i)
    const start = end - size + 1
    const out = start > base ? (units[(start - 1) & mask] as number) : 0
    units[end & mask] = unit
    end++
    hash = (Math.imul(hash, factor) + unit - Math.imul(out, oldest)) | 0
    if (end - history > floor) floor = end - history
    if (start < floor) continue

    const bucket = Math.imul(hash, 0x9e3779b1) >>> shift
    const before = buckets[bucket] as number
    links[start & mask] = before
    buckets[bucket] = start
    const first = Math.max(floor, start - span)
    if (before >= first && count > 0 && timesSeen(windows, start, first, count) === count) {
      found = i + 1
      break
    }
  }
  windows.floor = floor
  windows.end = end
  windows.hash = hash
  return found
}

/** The text that still counts, for a snapshot: everything else can be rebuilt from it. */
export const keptText = (windows: Windows): string => ringText(windows, windows.floor, windows.end)

/** How often the last window was seen, including now, up to `most`; and how far back the previous one is. */
export function lastRepeat(windows: Windows, most: number): { times: number; period: number } {
  const { floor, end, size } = windows
  const start = end - size
  if (start < floor) return { times: 0, period: 0 }
  const times = timesSeen(windows, start, floor, most)
  return { times, period: times > 1 ? start - placeBefore(windows, start, floor) : 0 }
}

/** How often this window was seen from the place `first` on, including now, up to `most`. */
function timesSeen(windows: Windows, start: number, first: number, most: number): number {
  let times = 1
  let place = placeBefore(windows, start, first)
  for (; place >= first && times < most; times++) place = placeBefore(windows, place, first)
  return times
}

/** The last earlier place with exactly the same window; one before `first` if there is none. */
function placeBefore({ units, links, mask, size }: Windows, start: number, first: number): number {
  let place = links[start & mask] as number
  for (; place >= first; place = links[place & mask] as number) {
    let same = 0
    while (same < size && units[(place + same) & mask] === units[(start + same) & mask]) same++
    if (same === size) return place
  }
  return place
}

// places are 32-bit numbers; long before they run out the kept text is moved to the front
const MAX_PLACE = 0x3fff_ffff

function rebase(windows: Windows): void {
  const text = keptText(windows)
  Object.assign(windows, createWindows(windows.size, windows.history))
  addText(windows, text, 0, text.length, 0, 0)
}

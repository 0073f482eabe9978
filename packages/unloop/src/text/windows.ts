/**
 * Every window of `size` characters of the recent text, with the places where it stood before: a
 * rolling hash finds candidates, the characters themselves decide. One pass, fixed memory, nothing
 * allocated per character.
 */
export interface Windows {
  readonly size: number
  /** how many characters back a window still counts */
  readonly history: number
  readonly mask: number
  /** the text, a ring of UTF-16 units */
  readonly units: Uint16Array
  /** per place: the last place before it whose window fell into the same bucket */
  readonly links: Int32Array
  /** per place: the last place before it with the very same window, or -1 */
  readonly same: Int32Array
  readonly buckets: Int32Array
  readonly shift: number
  /** multiplier of the rolling hash, and its power that takes the oldest character out */
  readonly factor: number
  readonly oldest: number
  /** where the text began, after the last reset */
  base: number
  /** places before this one do not count: they lie before the base, or fell off */
  floor: number
  /** place of the next character */
  end: number
  hash: number
  /** where the last window stood before, or -1: its successor is the first guess for the next */
  match: number
}

/** A ring large enough for `history` characters, and windows of `size` over it. */
export function createWindows(size: number, history: number): Windows {
  const capacity = 2 ** Math.ceil(Math.log2(Math.max(history, size) + 1))
  // random, so that no text can be prepared whose windows all fall into one bucket
  const factor = (Math.floor(Math.random() * 0x4000_0000) << 2) | 0x5
  let oldest = 1
  for (let i = 0; i < size; i++) oldest = Math.imul(oldest, factor)
  return {
    size,
    history,
    mask: capacity - 1,
    units: new Uint16Array(capacity),
    links: new Int32Array(capacity).fill(-1),
    same: new Int32Array(capacity).fill(-1),
    buckets: new Int32Array(4 * capacity).fill(-1),
    shift: 30 - Math.log2(capacity),
    factor,
    oldest,
    base: 0,
    floor: 0,
    end: 0,
    hash: 0,
    match: -1,
  }
}

/** Forgets the text so far. */
export function resetWindows(windows: Windows): void {
  windows.base = windows.end
  windows.floor = windows.end
  windows.hash = 0
  windows.match = -1
}

/**
 * Takes `text` from `from` up to `to`. Stops after the first character that completes a window seen
 * at least `count` times, the last `count` of them at most `distance` apart on average, and tells
 * the index behind it; -1 when all was taken and nothing found. A `count` of 0 only takes.
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
  const { size, history, mask, units, links, same, buckets, shift, factor, oldest, base } = windows
  const span = distance * (count - 1)
  let { floor, end, hash, match } = windows
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
    const place = start & mask
    let before = buckets[bucket] as number
    links[place] = before
    buckets[bucket] = start
    while (before >= floor) {
      // if the windows one character earlier were the same, the last character decides
      if (units[(before + size - 1) & mask] === unit) {
        if (match >= 0 && before === match + 1) break
        if (isSame(windows, before, start)) break
      }
      before = links[before & mask] as number
    }
    if (before < floor) before = -1
    match = before
    same[place] = before
    if (before >= 0 && count > 0 && isDense(windows, start, count, span, floor)) {
      found = i + 1
      break
    }
  }
  windows.floor = floor
  windows.end = end
  windows.hash = hash
  windows.match = match
  return found
}

/** The window that ends with the last character. */
export function lastWindow(windows: Windows): string {
  return readText(windows, Math.max(windows.floor, windows.end - windows.size))
}

/** The text that still counts, for a snapshot: all the rest can be made from it. */
export const keptText = (windows: Windows): string => readText(windows, windows.floor)

/** The name of a lap whatever the character it begins with: its length and the sum of its characters' hashes. */
export function lapName(windows: Windows, period: number): string {
  const from = Math.max(windows.floor, windows.end - period)
  let sum = 0
  for (let place = from; place < windows.end; place++) {
    const unit = windows.units[place & windows.mask] as number
    sum = (sum + Math.imul(unit * unit + 1, 0x9e3779b1)) | 0
  }
  return `${period}.${(sum >>> 0).toString(36)}`
}

/** How often the last window was seen, itself included, up to `most`; and how far back it stood before. */
export function lastRepeat(windows: Windows, most: number): { times: number; period: number } {
  const { same, mask, floor, end, size } = windows
  const start = end - size
  if (start < floor) return { times: 0, period: 0 }
  let times = 1
  let place = same[start & mask] as number
  const period = place < floor ? 0 : start - place
  for (; place >= floor && times < most; times++) place = same[place & mask] as number
  return { times, period }
}

/** Whether the last `count` places of this window lie within `span`, and all of them still count. */
function isDense(
  windows: Windows,
  start: number,
  count: number,
  span: number,
  floor: number,
): boolean {
  const { same, mask } = windows
  let place = start
  for (let i = 1; i < count; i++) {
    place = same[place & mask] as number
    if (place < floor || start - place > span) return false
  }
  return true
}

function isSame(windows: Windows, one: number, other: number): boolean {
  const { units, mask, size } = windows
  for (let i = 0; i < size; i++) {
    if (units[(one + i) & mask] !== units[(other + i) & mask]) return false
  }
  return true
}

function readText(windows: Windows, from: number): string {
  const { units, mask, end } = windows
  let text = ''
  for (let place = from; place < end; place++) {
    text += String.fromCharCode(units[place & mask] as number)
  }
  return text
}

// places are 32-bit numbers; long before they run out the kept text is moved to the front
const MAX_PLACE = 0x3fff_ffff

function rebase(windows: Windows): void {
  const text = keptText(windows)
  windows.links.fill(-1)
  windows.same.fill(-1)
  windows.buckets.fill(-1)
  windows.end = 0
  windows.base = 0
  windows.floor = 0
  windows.hash = 0
  windows.match = -1
  addText(windows, text, 0, text.length, 0, 0)
}

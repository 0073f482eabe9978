import { type ChantOptions, segmentLimit } from './chant-limits.js'
import type { Chant, Repeat, Segments } from './chant-state.js'
import { REACH, RING_MASK } from './folded.js'
import { describe } from './look.js'
import { ringText } from './ring.js'
import { areRows, TIMED } from './rows.js'
import { COUNTED, isAboutNumbers, isStop, kindOfText, NUMBER, SHOWN } from './text-kind.js'

// in 676 ordinary texts, the longest stretch of known prose has 317 characters if 32 segments are remembered, 375 for 64 and
// 664 for 96; with 32, a template with eight words for its slot was sometimes missed
const REMEMBERED = 64
/** shorter segments are joined with the next: a bullet, an initial */
const MIN_LENGTH = 6

/** a segment that came this often is not just a copy */
const NO_COPY = 4

/** longer segments are not sentences */
const MAX_ALIKE = 1000

const nothing = () => ({ count: 0, characters: 0 })

const emptySegments = (segmentStart: number): Omit<Segments, 'segments'> => ({
  segment: 0,
  segmentStart,
  segmentValues: 0,
  segmentCount: 0,
  before: [0, 0, 0, 0],
  nextSegmentLook: 300,
  isRunning: false,
  isNews: false,
  runs: { exact: nothing(), masked: nothing(), alike: nothing() },
})

export const startSegments = (): Segments => ({
  segments: new Int32Array(2 * REMEMBERED),
  ...emptySegments(0),
})

export const resetSegments = (chant: Chant): void => {
  Object.assign(chant, emptySegments(chant.end))
}

/** Takes a unit that may end a segment; if it does, reports text that has had nothing new for too long. */
export function addSegment(chant: Chant, unit: number, options: ChantOptions): Repeat | undefined {
  if (chant.end - chant.segmentStart < MIN_LENGTH) return
  if (unit > 32 && !isStop(unit)) return
  return endSegment(chant, options)
}

function endSegment(chant: Chant, options: ChantOptions): Repeat | undefined {
  const { segments, segment, segmentStart: start, segmentCount: count, end, before } = chant
  const exact = segment ^ chant.segmentValues
  const times = timesSeen(segments, 0, count, segment)
  const isMasked = times >= 2
  const isExact = isMasked && timesSeen(segments, REMEMBERED, count, exact) >= 2
  const isSame = isSentence(chant, start, end) && isAlike(chant, start, end)
  segments[count % REMEMBERED] = segment
  segments[REMEMBERED + (count % REMEMBERED)] = exact
  chant.segmentCount = count + 1
  before[2] = before[0]
  before[3] = before[1]
  before[0] = start
  before[1] = end
  chant.segmentStart = end
  chant.segment = 0
  chant.segmentValues = 0
  if (!isMasked) chant.isNews = times === 0
  // there is nearly always something new
  if (!isMasked && !isSame && !chant.isRunning) return
  const { runs } = chant
  const length = end - start
  extend(runs.exact, isExact, length)
  extend(runs.masked, isMasked, length)
  extend(runs.alike, isSame, length)
  chant.isRunning = isMasked || isSame
  return judge(chant, options, start, end, times)
}

function judge(
  chant: Chant,
  options: ChantOptions,
  from: number,
  to: number,
  seen: number,
): Repeat | undefined {
  const { runs } = chant
  const longest = Math.max(runs.exact.characters, runs.masked.characters, runs.alike.characters)
  // the kind of a text does not change with every line, so it is checked less often as the text gets longer
  if (longest < chant.nextSegmentLook) {
    if (longest < 300) chant.nextSegmentLook = 300
    return
  }
  chant.nextSegmentLook = longest * 1.25
  const text = kindOfText(ringText(chant, Math.max(to - SHOWN, chant.base), to))
  for (const name of ['exact', 'masked', 'alike'] as const) {
    const { count, characters } = runs[name]
    const limit = segmentLimit(options, text, name)
    // in a template, numbers may be what it is about: they are called out, or counted
    const isCounted = name === 'alike' && hasNumbers(chant, to)
    const times = 2 ** chant.found * (isCounted ? COUNTED : 1)
    if (count < limit.count * times || characters < limit.characters * times) continue
    // the third copy of a license is known as well, but a new name comes before it
    if (name !== 'alike' && chant.isNews && seen < NO_COPY) continue
    if (isLogged(chant, to - characters, to, name === 'exact')) continue
    runs[name] = nothing()
    chant.found++
    return {
      kind: name === 'alike' ? 'template' : 'shuffled',
      characters,
      period: to - from,
      // a known segment appeared twice before; in a template only the frame is the same
      count: name === 'alike' ? 1 : 3,
      ...describe(chant, Math.max(from, to - REACH), to, 0),
    }
  }
}

/** Whether the sentences that end here contain numbers. */
const hasNumbers = (chant: Chant, to: number) =>
  isAboutNumbers(ringText(chant, Math.max(to - SHOWN, chant.base), to))

/** Whether a stretch is made of rows, or belongs to a log line, like a stack trace. */
function isLogged(chant: Chant, from: number, to: number, exact: boolean): boolean {
  const least = Math.max(chant.base, to - REACH)
  if (areRows(ringText(chant, Math.max(from, least), to), exact)) return true
  const before = ringText(chant, Math.max(from - 400, least), from)
  return exact && TIMED.test(before.slice(before.lastIndexOf('\n', before.length - 2) + 1))
}

function extend(run: Segments['runs']['exact'], goesOn: boolean, length: number): void {
  run.count = goesOn ? run.count + 1 : 0
  run.characters = goesOn ? run.characters + length : 0
}

/** How often a segment came before. */
function timesSeen(segments: Int32Array, from: number, count: number, hash: number): number {
  let times = 0
  const to = from + Math.min(count, REMEMBERED)
  for (let i = from; i < to; i++) if (segments[i] === hash) times++
  return times
}

/** A line of code has no period at its end, and list items are expected to be alike. */
function isSentence({ units }: Chant, from: number, to: number): boolean {
  const first = units[from & RING_MASK] as number
  if (first === NUMBER || first === 45 || first === 42) return false
  return isFullStop(units[(to - 2) & RING_MASK]) || isFullStop(units[(to - 1) & RING_MASK])
}

/** A declaration ends with a semicolon, a sentence rarely does. */
const isFullStop = (unit = 0) => unit !== 59 && isStop(unit)

/** Whether a segment is like one of the two before it, except for one slot of less than half its length. */
function isAlike({ units, before }: Chant, from: number, to: number): boolean {
  return (
    isLike(units, from, to, before[0], before[1]) || isLike(units, from, to, before[2], before[3])
  )
}

function isLike(units: Uint16Array, from: number, to: number, start: number, end: number): boolean {
  const longest = Math.max(to - from, end - start)
  const most = Math.min(to - from, end - start)
  if (longest > MAX_ALIKE || most < SAME_SHARE * longest || to - start > REACH) return false
  let head = 0
  while (head < most && units[(from + head) & RING_MASK] === units[(start + head) & RING_MASK])
    head++
  let tail = 0
  while (
    tail < most - head &&
    units[(to - 1 - tail) & RING_MASK] === units[(end - 1 - tail) & RING_MASK]
  ) {
    tail++
  }
  return head + tail >= SAME_SHARE * longest
}

/** share of the longer one; in ordinary prose such stretches end after 300 characters */
const SAME_SHARE = 0.55

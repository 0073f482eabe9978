import type { Size } from './size.js'

/** A row as it is written, and the columns it takes. */
export interface Painted {
  text: string
  width: number
}

/** What is drawn below the transcript again and again, and where the cursor stands in it. */
export interface LiveArea {
  rows: readonly Painted[]
  cursor: { row: number; column: number }
}

/** An item of the transcript that was printed. */
export interface Printed {
  /** its place in the transcript */
  index: number
  rows: readonly Painted[]
}

/** The part of a terminal in which we draw: what is printed stays, the live area below it changes. */
export interface Canvas {
  /** Prints items below those that are there, and the live area below them. */
  draw(items: readonly Printed[], live: LiveArea): void
  /**
   * The size has changed, and with it where things are. Gives the first item that is wholly on the screen: it and those after
   * it are to be drawn again. What has scrolled off stays as it is. `cursorRow` is that of the screen, if it is known.
   */
  resize(size: Size, cursorRow: number | undefined): number | undefined
  /** The first item of which something is on the screen. */
  firstShown(): number | undefined
  /** Empties the screen; what has scrolled off it stays. */
  clear(): void
  /** Takes the live area away, for somebody else to write there. */
  release(): void
  /** Leaves the cursor below everything. */
  close(): void
}

// from here to there at once: no half of it is seen where the terminal knows that; rows that are too wide are cut
const BEGIN = '\x1b[?2026h\x1b[?25l\x1b[?7l'
const END = '\x1b[?7h\x1b[?25h\x1b[?2026l'
const NEXT = '\r\n'
const ERASE_ROW = '\x1b[2K'
const ERASE_BELOW = '\x1b[J'
const HOME = '\x1b[H'
/** The index of an item that is there in part, and of rows of an earlier live area. */
export const PART = -1
const GHOST = -2
// rows that may come back to the screen when it gets higher
const MAX_KEPT = 2000

const up = (rows: number) => (rows > 0 ? `\x1b[${rows}A` : '')
const right = (columns: number) => (columns > 0 ? `\x1b[${columns}C` : '')
const erased = ({ text }: Painted) => ERASE_ROW + text

/** A canvas below the cursor, which stands at the beginning of a row. */
export function createCanvas(
  write: (text: string) => void,
  initial: Size,
  isReflowing: boolean,
): Canvas {
  let size = initial
  let live: LiveArea = NOTHING
  /** the rows of the transcript that may be on the screen, with their items */
  let kept: { width: number; index: number }[] = []
  /** how many of them the next drawing draws again */
  let stale = 0
  /** how far the cursor is below the first row of what is drawn again, where that is not the live area's own */
  let reach: number | undefined

  const heightOf = (width: number) =>
    isReflowing ? Math.max(1, Math.ceil(width / size.columns)) : 1
  const heightOfAll = (rows: readonly { width: number }[]) =>
    rows.reduce((sum, { width }) => sum + heightOf(width), 0)

  /** To the first of these rows, all of them written, and to the place of the cursor. */
  function rewrite(from: number, printed: readonly Painted[], next: LiveArea) {
    const rows = [...printed, ...next.rows.slice(from)]
    const last = next.rows.length - 1
    write(
      `${BEGIN}${rows.map(erased).join(NEXT)}${ERASE_BELOW}${up(last - next.cursor.row)}\r${right(next.cursor.column)}${END}`,
    )
    live = next
  }

  return {
    draw(items, next) {
      const top = reach ?? live.cursor.row
      const isMoved = reach !== undefined || items.length > 0
      reach = undefined
      if (stale > 0) kept.splice(kept.length - stale)
      stale = 0
      for (const { index, rows } of items) {
        for (const { width } of rows) kept.push({ width, index })
      }
      if (kept.length > 2 * MAX_KEPT) kept = kept.slice(-MAX_KEPT)
      const same = isMoved ? 0 : sameRows(live.rows, next.rows)
      const isSame = same === next.rows.length && same === live.rows.length
      if (!isMoved && isSame && isEqual(live.cursor, next.cursor)) return
      // a row that has not changed is not written again
      const from = Math.min(same, live.rows.length - 1, next.rows.length - 1)
      if (isMoved || from <= 0) {
        write(`${up(top)}\r`)
        return rewrite(
          0,
          items.flatMap(({ rows }) => rows),
          next,
        )
      }
      const step = from - live.cursor.row
      write(`${step > 0 ? `\x1b[${step}B` : up(-step)}\r`)
      rewrite(from, [], next)
    },
    resize(changed, cursorRow) {
      size = changed
      const { cursor, rows } = live
      const within = isReflowing ? Math.floor(cursor.column / size.columns) : 0
      const below = heightOfAll(rows.slice(cursor.row)) - 1 - within
      // otherwise it is at the end of the screen, with the rest of the live area below it
      const furthest = cursorRow ?? size.rows - 1 - below
      const above = rows.slice(0, cursor.row)
      let height = heightOfAll(above) + within
      // what has scrolled off stays there, and goes when it comes back
      for (let at = 0; height > furthest && at < above.length; at++) {
        const { width } = above[at] as Painted
        height -= heightOf(width)
        kept.push({ width, index: GHOST })
      }
      reach = height
      stale = 0
      let first: number | undefined
      for (let at = kept.length - 1; at >= 0; at--) {
        const { width, index } = kept[at] as (typeof kept)[number]
        height += heightOf(width)
        if (height > furthest) break
        if (index !== GHOST && (index === PART || kept[at - 1]?.index === index)) continue
        reach = height
        stale = kept.length - at
        if (index !== GHOST) first = index
      }
      return first
    },
    firstShown() {
      let height = heightOfAll(live.rows)
      let first: number | undefined
      for (let at = kept.length - 1; at >= 0 && height < size.rows; at--) {
        const { width, index } = kept[at] as (typeof kept)[number]
        height += heightOf(width)
        if (index >= 0) first = index
        // a part belongs to the item before
        else if (index === PART && kept[at + 1]?.index === first && first !== undefined) first--
      }
      return first
    },
    clear() {
      const rows = Array.from({ length: size.rows }, () => ERASE_ROW)
      write(`${BEGIN}${HOME}${rows.join(NEXT)}${HOME}${END}`)
      live = NOTHING
      kept = []
      stale = 0
      reach = undefined
    },
    release() {
      write(`${up(reach ?? live.cursor.row)}\r${ERASE_BELOW}`)
      live = NOTHING
      reach = undefined
      stale = 0
    },
    close() {
      const down = live.rows.length - 1 - live.cursor.row
      write(`${down > 0 ? `\x1b[${down}B` : ''}${NEXT}`)
    },
  }
}

const NOTHING: LiveArea = { rows: [], cursor: { row: 0, column: 0 } }

const isEqual = (a: LiveArea['cursor'], b: LiveArea['cursor']) =>
  a.row === b.row && a.column === b.column

/** How many rows are the same from the top. */
function sameRows(before: readonly Painted[], after: readonly Painted[]): number {
  const changed = after.findIndex(({ text }, index) => before[index]?.text !== text)
  return changed < 0 ? after.length : changed
}

import { printable } from '../../printable.js'
import type { Chat } from '../chat.js'
import { openDialog } from '../dialog.js'
import type { ChatState, Item } from '../state.js'
import {
  type Canvas,
  createCanvas,
  type LiveArea,
  PART,
  type Painted,
  type Printed,
} from './canvas.js'
import { widthOfRow } from './columns.js'
import { askCursorRow } from './cursor-row.js'
import { dialogRows } from './dialog-rows.js'
import { itemRows } from './item-rows.js'
import { liveRows, SPIN_MS } from './live-rows.js'
import { loadHighlighter } from './markdown/highlight.js'
import { completionRows, promptRows, queuedRows, searchRow } from './prompt-rows.js'
import { windowOf } from './prompt-window.js'
import { type Row, toTerminal } from './row.js'
import { isReflowing, onResize, sizeOf } from './size.js'
import { statusRows } from './status-line.js'

export interface ViewOptions {
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  env: NodeJS.ProcessEnv
  isColoured: boolean
}

/** A chat on a terminal. */
export interface View {
  /** Lets somebody else write to the terminal. */
  release(): void
  /** Draws again, after that. */
  restore(): void
  close(): void
}

/** Draws a chat, and draws it again whenever it changes, until it is closed. */
export function openView({ store }: Chat, { stdin, stdout, env, isColoured }: ViewOptions): View {
  let size = sizeOf(stdout)
  const canvas: Canvas = createCanvas((text) => stdout.write(text), size, isReflowing(env))
  let items: readonly Item[] = []
  let printed = 0
  let drawn = store.get().drawn
  let isExpanded = store.get().isExpanded
  let isTorn = false
  let isReleased = false
  let changes = 0
  let spinner: NodeJS.Timeout | undefined

  const paint = (row: Row): Painted => ({
    text: toTerminal(row, isColoured),
    width: widthOfRow(row),
  })

  /** The items from this one on, as they are printed. */
  const print = (from: number): Printed[] =>
    items.slice(from).map((item, at) => ({
      index: from + at,
      rows: itemRows(item, { columns: size.columns - 1, isExpanded }).map(paint),
    }))

  function draw() {
    if (isTorn || isReleased) return
    const state = store.get()
    const isAnew = state.drawn !== drawn
    const isOther = state.items[0] !== items[0]
    const isRefolded = state.isExpanded !== isExpanded
    ;({ drawn, isExpanded, items } = state)
    if (isRefolded && !isOther) return void reprint(lastAsked())
    const live = liveArea(state)
    if (isAnew) {
      canvas.clear()
      canvas.draw(isOther ? print(0) : latest(live.rows.length), live)
    } else canvas.draw(print(printed), live)
    printed = items.length
    spin(state)
  }

  const lastAsked = () => items.findLastIndex(({ type }) => type === 'person')

  /** The last items, as many as fill the screen. */
  function latest(below: number): Printed[] {
    const room = Math.max(0, size.rows - below)
    const shown: Printed[] = []
    let height = 0
    for (let at = items.length - 1; at >= 0 && height < room; at--) {
      const [one] = print(at).slice(0, 1)
      if (!one) break
      shown.unshift(one)
      height += one.rows.length
    }
    const extra = Math.max(0, height - room)
    const [first, ...rest] = shown
    if (!first || extra === 0) return shown
    return [{ index: PART, rows: first.rows.slice(extra) }, ...rest]
  }

  function liveArea(state: ChatState): LiveArea {
    const { rows, columns } = size
    const { editor, completion, search } = state
    const width = columns - 1
    const now = Date.now()
    const status = statusRows(state, width)
    const dialog = openDialog(state)
    if (dialog) {
      const { rows: asked, cursor } = dialogRows(dialog, editor, {
        rows: rows - status.length + 1,
        columns: width,
        now,
      })
      const above = liveRows(
        state,
        width,
        Math.min(2, rows - asked.length - status.length - 1),
        now,
      )
      return join(above, asked, cursor, status)
    }
    const shown = windowOf(editor, Math.max(1, Math.floor(rows / 2) - 3), columns - PROMPT_MARGIN)
    const written = promptRows(shown, '>')
    const left = rows - written.rows.length - status.length - 2
    const queued = queuedRows(state.queued, width).slice(-Math.max(0, Math.min(3, left)))
    const offered = search
      ? [searchRow(search, width)]
      : completion && completion.options.length > 0 && left > 0
        ? completionRows(completion, width, left)
        : []
    const room = Math.max(0, left - queued.length - offered.length)
    const above = [...liveRows(state, width, room, now), ...queued, ...(left > 0 ? [[]] : [])]
    return join(above, written.rows, written.cursor, [...offered, ...status])
  }

  function join(
    above: readonly Row[],
    written: readonly Row[],
    cursor: LiveArea['cursor'],
    below: readonly Row[],
  ): LiveArea {
    const rows = [...above, ...written, ...below].map(paint)
    // all that changes has to fit, since what has scrolled off the screen cannot be drawn over
    const extra = Math.max(0, rows.length - Math.max(1, size.rows - 1))
    const row = Math.max(0, above.length + cursor.row - extra)
    return { rows: rows.slice(extra), cursor: { row, column: cursor.column } }
  }

  function spin({ isRunning }: ChatState) {
    if (isRunning && !spinner) spinner = setInterval(draw, SPIN_MS).unref()
    if (isRunning) return
    clearInterval(spinner)
    spinner = undefined
  }

  /** Prints again what is on the screen, wherever the terminal has put it; all from this item on, at least. */
  async function reprint(from = items.length) {
    isTorn = true
    const change = ++changes
    const row = await askCursorRow(stdin, stdout)
    // it has changed again, or there is nothing to draw any more
    if (change !== changes) return
    size = sizeOf(stdout)
    printed = Math.min(printed, canvas.resize(size, row) ?? printed, Math.max(0, from))
    isTorn = false
    draw()
  }

  const stopWatching = onResize(stdout, {
    onChange() {
      isTorn = true
      changes++
    },
    onSettled: () => void reprint(),
  })
  const stopListening = store.subscribe(draw)
  if (needsColours(store.get().items)) loadHighlighter().then(draw, draw)
  else {
    draw()
    // while the person reads and writes
    setImmediate(() => loadHighlighter().catch(() => {}))
  }

  return {
    release() {
      isReleased = true
      canvas.release()
    },
    restore() {
      isReleased = false
      draw()
    },
    close() {
      stopWatching()
      stopListening()
      changes++
      isTorn = false
      draw()
      clearInterval(spinner)
      canvas.close()
    },
  }
}

// the mark, a space behind the last column, and the cursor behind that
const PROMPT_MARGIN = 4
const needsColours = (items: readonly Item[]) =>
  items.some((item) => item.type === 'answer' && printable(item.text).includes('```'))

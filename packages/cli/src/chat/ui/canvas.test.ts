import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openTinyTerminal } from '../../../test/tiny-terminal.js'
import { createCanvas, type LiveArea, PART, type Painted } from './canvas.js'

const COLUMNS = 20
const ROWS = 8

const rowOf = (text: string): Painted => ({ text, width: text.length })
const words = fc.string({ unit: fc.constantFrom(...'abc'), minLength: 1, maxLength: COLUMNS - 1 })
const live = fc.array(words, { minLength: 1, maxLength: ROWS - 1 }).chain((texts) =>
  fc.record({
    rows: fc.constant(texts.map(rowOf)),
    cursor: fc.record({
      row: fc.nat({ max: texts.length - 1 }),
      column: fc.nat({ max: COLUMNS - 1 }),
    }),
  }),
)
const items = fc.array(fc.array(words, { minLength: 1, maxLength: 6 }), { maxLength: 4 })

const texts = (rows: readonly Painted[]) => rows.map(({ text }) => text)

describe('the canvas', () => {
  it('shows all that was printed once, the live area as it is now, and the cursor in it', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(items, live), { minLength: 1, maxLength: 12 }), (steps) => {
        const terminal = openTinyTerminal(COLUMNS, ROWS)
        const canvas = createCanvas(terminal.write, { columns: COLUMNS, rows: ROWS }, true)
        const printed: string[] = []
        let index = 0
        for (const [added, area] of steps) {
          canvas.draw(
            added.map((rows) => ({ index: index++, rows: rows.map(rowOf) })),
            area,
          )
          printed.push(...added.flat())
          expect(terminal.all()).toEqual([...printed, ...texts(area.rows)])
          const { row, column } = area.cursor
          expect(terminal.cursor()).toEqual({ row: printed.length + row, column })
        }
      }),
    )
  })

  it('writes nothing where nothing has changed, and one row where one has', () => {
    const written: string[] = []
    const canvas = createCanvas((text) => written.push(text), { columns: 20, rows: 8 }, true)
    const area = (...rows: string[]): LiveArea => ({
      rows: rows.map(rowOf),
      cursor: { row: 0, column: 0 },
    })
    canvas.draw([], area('one', 'two', 'three'))
    written.length = 0
    canvas.draw([], area('one', 'two', 'three'))
    expect(written).toEqual([])
    canvas.draw([], area('one', 'two', 'four'))
    expect(written.join('')).toContain('four')
    expect(written.join('')).not.toContain('two')
  })

  it('knows the first item of which something is on the screen', () => {
    const canvas = createCanvas(() => {}, { columns: COLUMNS, rows: ROWS }, true)
    const area: LiveArea = { rows: [rowOf('>')], cursor: { row: 0, column: 1 } }
    const item = (index: number) => ({ index, rows: [1, 2, 3].map((row) => rowOf(`row ${row}`)) })
    expect(canvas.firstShown()).toBeUndefined()
    canvas.draw([item(0)], area)
    expect(canvas.firstShown()).toBe(0)
    canvas.draw([item(1), item(2)], area)
    expect(canvas.firstShown()).toBe(0)
    canvas.draw([item(3)], area)
    expect(canvas.firstShown()).toBe(1)
    canvas.clear()
    canvas.draw([{ ...item(PART), rows: [rowOf('row 3')] }, item(2), item(3)], area)
    expect(canvas.firstShown()).toBe(1)
  })

  it('after a change of size prints again what is wholly on the screen, and keeps the rest', () => {
    const terminal = openTinyTerminal(COLUMNS, ROWS)
    const size = { columns: COLUMNS, rows: ROWS }
    const canvas = createCanvas(terminal.write, size, true)
    const area: LiveArea = { rows: [rowOf('>')], cursor: { row: 0, column: 1 } }
    const three = [0, 1, 2].map((index) => ({
      index,
      rows: [1, 2, 3, 4].map((row) => rowOf(`item ${index} row ${row}`)),
    }))
    canvas.draw(three, area)
    // seven rows are above the cursor: one item and most of another
    const first = canvas.resize(size, ROWS - 1)
    expect(first).toBe(2)
    canvas.draw([{ index: 2, rows: [rowOf('wrapped anew')] }], area)
    const shown = terminal.all()
    expect(shown).toEqual([
      ...texts(three.slice(0, 2).flatMap(({ rows }) => rows)),
      'wrapped anew',
      '>',
    ])
  })
})

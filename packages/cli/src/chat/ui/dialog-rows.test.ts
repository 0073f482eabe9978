import type { Finding } from 'unloop'
import { choicesOf } from 'unloop/words'
import { describe, expect, it } from 'vitest'
import { EMPTY } from '../editor.js'
import type { Dialog, LoopCall } from '../state.js'
import { widthOf } from './columns.js'
import { dialogRows } from './dialog-rows.js'
import { lapRows } from './lap-rows.js'
import { toTerminal } from './row.js'

const finding: Finding = {
  ...{ detector: 'repeated-call', kind: 'same-answer', certainty: 'certain', action: 'ask' },
  ...{ detail: 'read was called 4 times in a row', advice: 'Read something else.', tool: 'read' },
  ...{ identity: 'x', count: 4, period: 1, firstEvent: 3, lastEvent: 9, sample: 'read({})' },
  ...{ strike: 3, wasted: { events: 7, characters: 0, tokens: 900 } },
}
const calls: LoopCall[] = ['one', 'one', 'two'].map((output) => ({
  name: 'read',
  args: '{"path":"a"}',
  output,
}))
const loop: Dialog = { type: 'loop', finding, tool: 'read', calls, dollars: 0.5, selected: 0 }

const draw = (rows: number, columns: number) =>
  dialogRows(loop, EMPTY, { rows, columns, now: 0 }).rows.map((row) => toTerminal(row, false))

describe('the dialog about a loop', () => {
  it('has every choice with its key and what it will do, and the cost so far', () => {
    const drawn = draw(40, 120).join('\n')
    for (const { key, label, effect } of choicesOf({ tool: 'read' })) {
      expect(drawn).toMatch(new RegExp(`${key} ${label} +${effect}`))
    }
    expect(drawn).toContain('7 events, 900 tokens; the session has cost $0.50 so far')
  })

  it.each(choicesOf({ tool: 'read' }).map((choice, at) => ({ ...choice, at })))(
    'says all of what the selected choice will do in 80 columns: $name',
    ({ at, effect }) => {
      const { rows } = dialogRows({ ...loop, selected: at }, EMPTY, {
        rows: 24,
        columns: 80,
        now: 0,
      })
      const drawn = rows.map((row) => toTerminal(row, false).replace('│', '').trim()).join(' ')
      expect(drawn.replace(/ +/g, ' ')).toContain(effect)
      expect(rows.length).toBeLessThan(24)
    },
  )

  it('has the looping calls side by side', () => {
    expect(draw(40, 100).join('\n')).toMatch(
      /2 before +1 before +last\n.*(read \{"path":"a"\} *){3}\n.*one +one +two/,
    )
  })

  it.each([
    [40, 100],
    [24, 80],
    [12, 60],
    [8, 40],
    [3, 20],
  ])('fits into %i rows of %i columns, with the selected choice in it', (rows, columns) => {
    const drawn = draw(rows, columns)
    expect(drawn.length).toBeLessThan(rows)
    for (const row of drawn) expect(widthOf(row)).toBeLessThanOrEqual(columns)
    expect(drawn.join('\n')).toContain('❯ 1 Stop')
  })
})

describe('laps', () => {
  it('are columns of whole laps, as many as can be read', () => {
    const cycle = ['a', 'b', 'a', 'b', 'a', 'b'].map((name) => ({ name, args: '', output: 'x' }))
    const drawn = lapRows(cycle, 2, 50).map((row) => toTerminal(row, false))
    expect(drawn[0]).toMatch(/^1 before +last$/)
    expect(drawn[1]).toMatch(/^a +a$/)
    expect(drawn[3]).toMatch(/^b +b$/)
    expect(lapRows(cycle, 2, 30)).toEqual([])
  })

  it('mark what differs from the lap before', () => {
    const styles = lapRows(calls, 1, 90)
      .at(-1)
      ?.filter(({ text }) => text.trim() !== '')
    expect(styles?.map(({ style }) => style)).toEqual([undefined, undefined, 'yellow'])
  })
})

import type { Finding } from 'unloop'
import { describe, expect, it } from 'vitest'
import type { Item } from '../state.js'
import { itemRows } from './item-rows.js'
import { toTerminal } from './row.js'

const draw = (item: Item, columns = 60, isExpanded = false) =>
  itemRows(item, { columns, isExpanded }).map((row) => toTerminal(row, false))

const finding: Finding = {
  ...{ detector: 'repeated-call', kind: 'same-answer', certainty: 'certain' },
  ...{ detail: 'read was called 4 times in a row with the same arguments', advice: 'Stop.' },
  ...{ identity: 'x', count: 4, period: 1, firstEvent: 3, lastEvent: 9, sample: '', strike: 1 },
  ...{ action: 'warn', wasted: { events: 7, characters: 0 } },
}
const likely: Finding = { ...finding, certainty: 'likely' }

describe('a warning', () => {
  it('that is only likely is one quiet line', () => {
    expect(draw({ type: 'warning', finding: likely })).toEqual([
      '· struggling, the model was told: read was called 4 times…',
    ])
  })

  it('that is certain has the advice beneath it', () => {
    expect(draw({ type: 'warning', finding }, 120)).toEqual([
      '! stuck, the model was told: read was called 4 times in a row with the same arguments',
      '  the model was told: Stop.',
    ])
  })

  it('that was only recorded says which it is', () => {
    expect(draw({ type: 'observed', finding })[0]).toContain('! observed, stuck: read was')
    expect(draw({ type: 'observed', finding: likely })[0]).toContain('! observed, struggling: read')
  })
})

describe('an answer that broke off', () => {
  it('is quiet, in the same words', () => {
    const rows = itemRows(
      { type: 'answer', text: '**half** an', isBroken: true },
      { columns: 60, isExpanded: false },
    )
    expect(rows).toEqual([[], [{ text: '**half** an', style: 'dim' }]])
  })
})

describe('a call', () => {
  const call: Item = { type: 'call', name: 'read', args: '{}', output: 'one\ntwo\nthree' }

  it('is folded to two lines, and shown whole where that is wanted', () => {
    expect(draw(call)).toEqual(['› read {}', '  one (+2 lines)'])
    expect(draw(call, 60, true)).toEqual(['› read {}', '  one', '  two', '  three'])
  })

  it('shows the beginning of what a command wrote, with its exit code', () => {
    const output = 'exit code 0\n\nOn branch main\nnothing to commit'
    const command: Item = { ...call, name: 'run_command', output }
    expect(draw(command).at(-1)).toBe('  exit code 0: On branch main (+1 line)')
    expect(draw({ ...command, output: 'exit code 1\n' }).at(-1)).toBe('  exit code 1')
    expect(draw(command, 60, true)).toContain('  On branch main')
  })

  it('says the truth about what became of it', () => {
    expect(draw({ ...call, outcome: 'stopped' }).at(-1)).toContain('stopped while it ran')
    expect(draw({ ...call, outcome: 'refused' }).at(-1)).toContain('it did not run')
    expect(draw({ ...call, outcome: 'done' }).at(-1)).toContain('one')
    expect(draw({ ...call, outcome: 'done', isWithheld: true }).at(-1)).toContain('withheld')
  })

  it('obeys nothing of what it quotes', () => {
    const hostile = draw({ ...call, output: 'a\x1b[2Jb' }, 60, true).join('')
    expect(hostile).not.toContain('\x1b')
  })
})

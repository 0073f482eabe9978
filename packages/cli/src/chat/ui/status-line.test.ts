import { describe, expect, it } from 'vitest'
import { reduce } from '../reduce.js'
import { type ChatState, startState } from '../state.js'
import { widthOf } from './columns.js'
import { toTerminal } from './row.js'
import { statusRows } from './status-line.js'

const draw = (state: ChatState, columns: number) =>
  statusRows(state, columns).map((row) => toTerminal(row, false))

describe('the status line', () => {
  const failed = reduce(startState(), {
    type: 'client',
    event: { type: 'fault', part: 'chanting', message: `it broke ${'badly '.repeat(50)}` },
    number: 0,
    at: 0,
  })

  it.each([40, 80, 200])('says which part of the guard failed, in %i columns', (columns) => {
    const [fault, status, ...rest] = draw(failed, columns)
    expect(fault).toContain('! chanting failed: i')
    expect(status).toMatch(/guard enforce.* · \/help/)
    expect(rest).toEqual([])
    for (const row of [fault, status]) expect(widthOf(row ?? '')).toBeLessThanOrEqual(columns)
  })

  it('says what it means and what to do', () => {
    expect(draw(failed, 120)[0]).toContain('the guard continues without it; please report this')
    expect(draw(startState(), 120).join()).not.toContain('report')
  })

  it('has the name and the cost of a conversation that has them', () => {
    const { status } = startState()
    const state = { ...startState(), status: { ...status, name: 'parser', dollars: 1.5 } }
    expect(draw(state, 120)[0]).toMatch(/^parser · .* · \$1\.50 · guard enforce/)
  })
})

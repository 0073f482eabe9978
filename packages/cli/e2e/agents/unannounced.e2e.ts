import { describe, expect, test } from 'vitest'
import { openLab } from './lab.js'
import type { Wish } from './model.js'

// the same each time, until somebody stops it
const TURNS = 24
const forever = (wish: Wish) => (turn: number) => (turn < TURNS ? wish : 'Ok.')

const MISTAKES: [string, Wish][] = [
  ['an unknown tool', { calls: [{ name: 'Frobnicate', args: { what: 'it' } }] }],
  ['invalid arguments', { calls: [{ name: 'Bash', args: { comand: 'ls' } }] }],
  [
    'two unknown tools at once',
    {
      calls: [
        { name: 'Frobnicate', args: {} },
        { name: 'Unfrobnicate', args: {} },
      ],
    },
  ],
]

describe.concurrent('calls that Claude Code rejects by itself', () => {
  test.each(MISTAKES)('a loop of calls with %s ends', async (_, wish) => {
    await using lab = await openLab('claude-code', forever(wish))
    expect(await lab.unloop('init', 'claude-code', '--yes')).toMatchObject({ code: 0 })
    const run = await lab.run('Frobnicate it')
    expect(lab.turns().length).toBeLessThanOrEqual(8)
    expect(run.stdout).toContain('unloop stopped this run')
    expect(run.code).toBe(0)
  })

  test('a loop of a sub-agent ends', async () => {
    const prompt = 'Frobnicate all of it'
    const args = { description: 'Frobnicate', prompt, subagent_type: 'general-purpose' }
    const task: Wish = { calls: [{ name: 'Task', args: { ...args, run_in_background: false } }] }
    const mistake: Wish = { calls: [{ name: 'Frobnicate', args: {} }] }
    await using lab = await openLab('claude-code', (turn) =>
      turn === 0 ? task : turn < TURNS ? mistake : 'Ok.',
    )
    expect(await lab.unloop('init', 'claude-code', '--yes')).toMatchObject({ code: 0 })
    const run = await lab.run('Frobnicate it')
    // one for the task
    expect(lab.turns().length).toBeLessThanOrEqual(9)
    expect(run.stdout).toContain('unloop stopped this run')
  })
})

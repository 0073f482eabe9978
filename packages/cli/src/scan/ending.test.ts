import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentEvent } from 'unloop'
import { describe, expect, it } from 'vitest'
import { emptyFolder, jsonLines, unloop } from '../../test/host.js'
import { scanOne } from '../../test/scan-one.js'
import { honestRun, START, stuckRun, writeRun } from '../../test/transcripts.js'

async function endOf(events: readonly AgentEvent[]) {
  const runs = await scanOne(writeRun(emptyFolder(), 'a.jsonl', events))
  expect(runs[0]?.loops.length).toBeGreaterThan(0)
  return runs[0]?.ended
}

const text = (text: string): AgentEvent => ({ type: 'text', text })
const usage: AgentEvent = { type: 'usage', inputTokens: 5, outputTokens: 5 }
const call = (name: string, n = 0): AgentEvent[] => [
  { type: 'tool-call', id: `${name}${n}`, name, args: { n } },
  { type: 'tool-result', id: `${name}${n}`, output: `${name} ${n * 7919}` },
]
const as = (agent: string, events: readonly AgentEvent[]) =>
  events.map((event) => ({ ...event, agent }))
/** Asked in turn, with the same answers. */
const cycle = (laps: number): AgentEvent[] =>
  Array.from({ length: laps }, (_, lap) =>
    ['look', 'list', 'open'].flatMap((name): AgentEvent[] => [
      { type: 'tool-call', id: `${name}${lap}`, name, args: {} },
      { type: 'tool-result', id: `${name}${lap}`, output: `nothing to ${name}` },
    ]),
  ).flat()
const failing = (times: number): AgentEvent[] =>
  Array.from({ length: times }, (_, n): AgentEvent[] => [
    { type: 'tool-call', id: `f${n}`, name: 'edit', args: { n } },
    { type: 'tool-result', id: `f${n}`, output: 'Error: no such file', isError: true },
  ]).flat()
const chant = Array.from({ length: 60 }, () => text('I will now try it once again, I said. '))
const prompt: AgentEvent = { type: 'prompt', text: 'Fix it.' }

describe('a run with a loop ended', () => {
  it.each<[string, AgentEvent[]]>([
    ['with a word right after it', [...stuckRun(), text('All done.')]],
    ['with a word and what it cost', [...stuckRun(), { type: 'turn-start' }, text('So.'), usage]],
    [
      'with other work and a word',
      [...stuckRun(), ...call('edit'), ...call('test'), text('Done.')],
    ],
    ['with a word after errors', [prompt, ...failing(9), ...call('write'), text('Done.')]],
    ['with the word of the main agent', [prompt, ...as('helper', stuckRun()), text('All done.')]],
    [
      'with a word after a chant and other work',
      [prompt, ...chant, ...call('edit'), text('Done.')],
    ],
    ['with another word after a chant', [prompt, ...chant, usage, text('Done.')]],
    ['after another request', [...stuckRun(), prompt, text('Done.')]],
    [
      'with the end of the turn after other work',
      [...stuckRun(), ...call('edit'), { type: 'turn-end' }],
    ],
  ])('well: %s', async (_, events) => expect(await endOf(events)).toBe('finished'))

  it.each<[string, AgentEvent[]]>([
    ['with its last answer', stuckRun()],
    ['with the end of the turn', [...stuckRun(), { type: 'turn-end' }]],
    ['in the middle of a lap', [prompt, ...cycle(8), ...cycle(1).slice(0, 4)]],
    ['while a call of it was not answered', [prompt, ...failing(9), ...failing(10).slice(-2, -1)]],
    ['while it talked', [prompt, ...chant]],
    ['while it talked, with what that cost', [prompt, ...chant, usage]],
    ['with the same message', [prompt, ...chant.flatMap((one) => [one, usage])]],
    ['with a thought', [...stuckRun(), { type: 'reasoning', text: 'Once more.' }]],
    ['while a helper did other work', [...stuckRun(), ...as('helper', call('edit'))]],
    [
      'of a helper, although it had answered',
      [
        prompt,
        { type: 'tool-call', id: 'task', name: 'task', args: {} },
        ...as('helper', stuckRun().slice(1)),
        { type: 'tool-result', id: 'task', output: 'It took too long.' },
      ],
    ],
  ])('in it: %s', async (_, events) => expect(await endOf(events)).toBe('in-loop'))

  it.each<[string, AgentEvent[]]>([
    ['after other work', [...stuckRun(), ...call('edit'), usage]],
    ['after another request', [...stuckRun(), prompt]],
    ['while it did other work', [...stuckRun(), ...call('edit'), ...call('test').slice(0, 1)]],
  ])('in the middle of something: %s', async (_, events) =>
    expect(await endOf(events)).toBe('broke-off'),
  )

  const step = (action: string, n = 0) => ({
    ...{ action, observation: `nothing in ${action}`, response: `${n}`, thought: `Step ${n}.` },
  })
  const loop = Array.from({ length: 20 }, (_, n) => step('ls src', n))
  const other = [
    {
      action: 'edit a.ts',
      observation: 'Updated.',
      response: 'x',
      thought: 'An import is missing.',
    },
    { action: 'npm test', observation: '12 passed', response: 'x', thought: 'Now the tests.' },
  ]
  const exit = {
    action: '',
    observation: 'Exited',
    response: '',
    thought: 'Exit due to cost limit',
  }

  it.each<[string, string, object[], string]>([
    ['in it, whatever its program says', 'in-loop', [...loop, exit], 'exit_cost'],
    ['in it, although something was submitted', 'in-loop', loop, 'submitted (exit_cost)'],
    ['with a submission', 'finished', [...loop, ...other], 'submitted'],
    ['at a limit', 'limit', [...loop, ...other], 'exit_context'],
    ['with an error', 'failed', [...loop, ...other], 'exit_format'],
  ])('as its program says: %s', async (_, ended, trajectory, exit_status) => {
    const path = join(emptyFolder(), 'a.traj')
    writeFileSync(path, JSON.stringify({ trajectory, info: { exit_status } }, null, 1))
    const runs = await scanOne(path)
    expect(runs[0]?.loops.length).toBeGreaterThan(0)
    expect(runs[0]).toMatchObject({ ended, status: exit_status })
  })

  it('at a limit, so that tune does not count it as a false alarm', async () => {
    const cwd = emptyFolder()
    const trajectory = [...loop, ...other]
    for (const exit_status of ['submitted', 'exit_cost', 'exit_error']) {
      const content = JSON.stringify({ trajectory, info: { exit_status } }, null, 1)
      writeFileSync(join(cwd, `${exit_status}.traj`), content)
    }
    const { stdout } = await unloop(['tune', '.', '--json'], { cwd })
    const usual = jsonLines(stdout).find((one) => one.detector === 'repeated-call' && one.isDefault)
    expect(usual).toMatchObject({ flagged: 3, finished: 1 })
  })

  it('well, so that tune counts it as a likely false alarm', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'runs/fine.jsonl', [...stuckRun(4), text('It is fine.')])
    writeRun(cwd, 'runs/stuck.jsonl', [...honestRun(), ...stuckRun(20, START + 1e6)])
    const { stdout } = await unloop(['tune', 'runs', '--json'], { cwd })
    const usual = jsonLines(stdout).find((one) => one.detector === 'repeated-call' && one.isDefault)
    expect(usual).toMatchObject({ flagged: 2, finished: 1 })
  })
})

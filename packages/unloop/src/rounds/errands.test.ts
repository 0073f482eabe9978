import { describe, expect, it } from 'vitest'
import { call, prompt, result, step, times } from '../../test/events.js'
import type { AgentEvent } from '../event.js'
import { createGuard } from '../guard.js'

const by = (agent: string, events: AgentEvent[]) =>
  events.map((event) => ({ ...event, agent }) as AgentEvent)

/** A helper looks for something, and this is what it is told. */
const errand = (name: string, last = 'export const login = 1') =>
  by(name, [
    ...step('grep', { for: 'login' }, 'src/login.ts: export const login = 1'),
    ...step('read_file', { path: 'src/login.ts' }, last),
  ])

/** The findings about errands. */
function found(events: AgentEvent[]) {
  const guard = createGuard()
  for (const event of events) guard.observe(event)
  return guard.findings.filter(({ kind }) => kind === 'same-errand')
}
const helpers = (count: number) => times(count, (lap) => errand(`helper-${lap}`))

describe('the same errand, one agent after the other', () => {
  it('is likely, then certain, and reported to the main agent', () => {
    expect(found(helpers(3))).toEqual([])
    expect(found(helpers(4))).toMatchObject([{ certainty: 'likely', action: 'warn', count: 4 }])
    const [first, second] = found(helpers(6))
    expect(second).toMatchObject({ certainty: 'certain', action: 'block', count: 6 })
    for (const finding of [first, second]) expect(finding).not.toHaveProperty('agent')
  })

  it('begins with the first call of the first helper', () => {
    const before = step('read_file', { path: 'task.md' }, 'find the login')
    expect(found([...before, ...helpers(4)])).toMatchObject([{ firstEvent: 2 }])
  })

  it('stops the run if nobody listens', () => {
    const guard = createGuard()
    for (const event of helpers(8)) guard.observe(event)
    expect(guard.stopped).toBe(true)
  })

  it('is the same whatever the ids and times of its answers', () => {
    const stamped = times(4, (lap) =>
      errand(`helper-${lap}`, `at 10:0${lap}:00, run 8f3c00${lap}a: export const login = 1`),
    )
    expect(found(stamped)).toHaveLength(1)
  })

  it('is another if an answer differs, and the count begins again', () => {
    const other = errand('other', 'export const login = two')
    expect(found([...helpers(3), ...other, ...helpers(3)])).toEqual([])
  })

  it('is a reason to go on if the main agent changed something', () => {
    const edit = (lap: number) => step('edit', { path: 'src/login.ts', new: `${lap}` }, 'ok')
    expect(found(times(8, (lap) => [...edit(lap), ...errand(`helper-${lap}`)]))).toEqual([])
  })

  it('is none if the change only gives out the errand', () => {
    const send = (lap: number) => [
      call('send_message', { to: `helper-${lap}`, text: `Find it, try ${lap}` }),
      ...errand(`helper-${lap}`),
      result(`Nothing came of try ${lap}.`),
    ]
    expect(found(times(4, send))).not.toEqual([])
  })

  it('is none if agents work side by side', () => {
    const [one, two] = [errand('one'), errand('two')]
    const team = one.flatMap((event, index) => [event, two[index] as AgentEvent])
    expect(found(times(8, team))).toEqual([])
  })

  it('is forgotten with a new prompt', () => {
    expect(found(times(3, [prompt(), ...helpers(3)]))).toEqual([])
  })

  it('is not forgotten by a guard that continues from a snapshot', () => {
    const guard = createGuard()
    for (const event of helpers(3)) guard.observe(event)
    const resumed = createGuard({}, JSON.parse(JSON.stringify(guard.snapshot())))
    for (const event of errand('helper-3')) resumed.observe(event)
    expect(resumed.findings).toMatchObject([{ kind: 'same-errand' }])
  })
})

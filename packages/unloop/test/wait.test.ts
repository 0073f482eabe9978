import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../src/event.js'
import { createGuard } from '../src/guard.js'
import { lasting, step, times } from './events.js'

/** The step at which the guard stops a run, or Infinity. */
function stopsAt(events: AgentEvent[]): number {
  const guard = createGuard()
  const at = events.findIndex((event) => guard.observe(event)?.action === 'stop')
  return at < 0 ? Number.POSITIVE_INFINITY : events.slice(0, at + 1).filter(isCall).length
}

const isCall = ({ type }: AgentEvent) => type === 'tool-call'

// what an agent can say to seem to wait, with other arguments each time
const excuses: Record<string, (lap: number) => AgentEvent[]> = {
  'an empty input': (lap) => step('terminal', { input: '', n: lap }, 'no output'),
  'an action called wait': (lap) => step('browser', { action: 'wait', n: lap }, 'waited'),
  'a tool called wait': (lap) => step('wait_for_it', { n: lap }, 'not there yet'),
  'a sleep of no time': (lap) => step('bash', { command: `sleep 0; make # ${lap}` }, 'up to date'),
  'an answer that says so': (lap) => step('get_job', { n: lap }, 'still running'),
  'output to a new file': (lap) => step('bash', { command: `sleep 0; ls > /tmp/o${lap}` }, ''),
  'nothing typed': (lap) => step('write_stdin', { chars: '', n: lap }, ''),
}

describe.each(Object.entries(excuses))('%s', (_name, excuse) => {
  it('is not an excuse if no time passes', () => {
    expect(stopsAt(lasting(0.01, times(100, excuse)))).toBeLessThanOrEqual(14)
  })

  it('is accepted for a while if the time is unknown', () => {
    expect(stopsAt(times(100, excuse))).toBeLessThanOrEqual(20)
  })
})

it('an answer cannot say that it took more time than passed', () => {
  const poll = (seconds: number) =>
    lasting(
      2,
      times(100, () => step('exec', { command: 'make' }, `Wall time: ${seconds} s\nstill running`)),
    )
  expect(stopsAt(poll(9999))).toBe(stopsAt(poll(29)))
  expect(stopsAt(poll(9999))).toBeLessThan(45)
})

describe('a wait that takes its time', () => {
  it.each<[string, (lap: number) => AgentEvent[]]>([
    [
      'a deployment polled unchanged',
      () => step('get_deployment', { name: 'web' }, 'rolling out, pending'),
    ],
    ['a tool that waits', () => step('wait_for_job', { id: 1 }, 'not yet')],
  ])('may come for more than twenty minutes: %s', (_, poll) => {
    expect(stopsAt(lasting(31, times(46, poll)))).toBe(Number.POSITIVE_INFINITY)
    expect(stopsAt(lasting(31, times(90, poll)))).toBeLessThan(60)
  })

  it('may stand between two looks', () => {
    const poll = [
      ...step('bash', { command: 'sleep 30' }, ''),
      ...step('bash', { command: 'kubectl get pods' }, 'web-1 0/1 ContainerCreating'),
    ]
    expect(stopsAt(lasting(30, times(40, poll)))).toBe(Number.POSITIVE_INFINITY)
    expect(stopsAt(lasting(30, times(100, poll)))).toBeLessThan(130)
  })
})

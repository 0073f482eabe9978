import { describe, expect, it } from 'vitest'
import { prompt, step, times } from '../../test/events.js'
import type { AgentEvent } from '../event.js'
import { createGuard } from '../guard.js'

const task = 'Find out why the login fails'
const look = step('read_file', { path: 'src/login.ts' }, 'export const login = 1')

/** What was done about a look that comes again and again, with this prompt between any two. */
function actionsWith(between: AgentEvent) {
  const guard = createGuard()
  const events = [prompt(task), ...look, ...times(4, [between, ...look])]
  return events.flatMap((event) => guard.observe(event)?.action ?? [])
}

describe('a prompt', () => {
  it.each(['continue', 'Continue.', 'please go on!', 'keep going', 'weiter', '继续'])(
    'that asks for nothing new does not begin anew: %s',
    (text) => expect(actionsWith(prompt(text))).toEqual(['warn', 'block', 'stop']),
  )

  it('is a nudge whatever its id', () => {
    const guard = createGuard()
    const events = [prompt(task, { id: '0' }), ...look, prompt('continue', { id: '1' }), ...look]
    for (const event of events) guard.observe(event)
    expect(guard.observe(prompt('continue', { id: '2' }))).toBeUndefined()
    expect(guard.observe(look[0] as AgentEvent)).toMatchObject({ count: 3, action: 'warn' })
  })

  it.each([
    task,
    'Continue with the logout',
    'Now look at the next file',
    'continue?\nNo, stop it',
  ])('that asks for something does, also for the same again: %s', (text) => {
    const guard = createGuard()
    const events = [prompt(task), ...times(2, look), prompt(text), ...times(2, look)]
    expect(events.flatMap((event) => guard.observe(event) ?? [])).toEqual([])
  })

  it('of which nobody knows the words begins anew', () => {
    expect(actionsWith(prompt())).toEqual([])
    expect(actionsWith(prompt(''))).toEqual([])
  })

  it.each(['continue', task])('after a stop is a decision to go on: %s', (text) => {
    const guard = createGuard()
    for (const event of [prompt(task), ...times(5, look)]) guard.observe(event)
    expect(guard.stopped).toBe(true)
    guard.observe(prompt(text))
    expect(guard.stopped).toBe(false)
    expect(times(2, look).flatMap((event) => guard.observe(event) ?? [])).toEqual([])
  })
})

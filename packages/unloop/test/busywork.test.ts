import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../src/event.js'
import { createGuard } from '../src/guard.js'
import { failed, step, times } from './events.js'

/** The step at which the guard stops a run, or Infinity. */
function stopsAt(events: AgentEvent[]): number {
  const guard = createGuard()
  const at = events.findIndex((event) => guard.observe(event)?.action === 'stop')
  return at < 0
    ? Number.POSITIVE_INFINITY
    : events.slice(0, at + 1).filter(({ type }) => type === 'tool-call').length
}

const test = failed('bash', { command: 'npm test' }, 'AssertionError: expected 3 to be 4')

// busy without end, and nothing comes of it
const loops: Record<string, (lap: number) => AgentEvent[]> = {
  'a comment that is edited, and the same failure': (lap) => [
    ...step('edit', { path: 'a.ts', old: `// try ${lap}`, new: `// try ${lap + 1}` }, 'ok'),
    ...test,
  ],
  'random edits, and the same failure': (lap) => [
    ...step('edit', { path: `src/${(lap * 7) % 5}.ts`, new: `const x = ${lap * 31}` }, 'Edited.'),
    ...test,
  ],
}

describe.each(Object.entries(loops))('%s', (_name, loop) => {
  it('comes to an end', () => expect(stopsAt(times(100, loop))).toBeLessThanOrEqual(50))
})

it('is not fixing one test with a dozen edits, or changing many things', () => {
  const fixing = times(10, (lap) => [
    ...step('edit', { path: 'a.ts', new: `return ${lap}` }, 'ok'),
    ...test,
  ])
  const renaming = times(60, (lap) => step('edit', { path: `src/${lap}.ts`, new: 'b' }, 'ok'))
  const writing = times(60, (lap) => step('edit', { path: 'a.ts', new: `line ${lap}` }, 'ok'))
  for (const work of [fixing, renaming, writing])
    expect(stopsAt(work)).toBe(Number.POSITIVE_INFINITY)
})

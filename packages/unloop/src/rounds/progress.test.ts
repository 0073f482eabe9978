import { describe, expect, it } from 'vitest'
import { call, failed, reasoning, step, times, turn } from '../../test/events.js'
import type { AgentEvent } from '../event.js'
import { createGuard } from '../guard.js'
import { FIXED_SEED } from '../reading/hash.js'
import { fold, startLog } from './log.js'

/** What each round of these events brought. */
function progressOf(events: AgentEvent[]) {
  const log = startLog()
  const known = { seed: FIXED_SEED, tools: {}, answers: true }
  for (const [number, event] of events.entries()) fold(log, event, number, known)
  return log.rounds.map(({ changed, learned, newError }) => {
    const brought = { changed, learned, newError }
    return Object.entries(brought).flatMap(([name, is]) => (is ? [name] : []))
  })
}
const changedBy = (events: AgentEvent[]) =>
  progressOf(events).map((brought) => brought.includes('changed'))

/** How many events it took to the first finding of each certainty. */
function verdictOn(events: AgentEvent[]) {
  const guard = createGuard()
  const found = events.flatMap((event) => guard.observe(event) ?? [])
  return Object.fromEntries(
    (['likely', 'certain'] as const).flatMap((certainty) => {
      const first = found.find((finding) => finding.certainty === certainty)
      return first ? [[certainty, first.lastEvent + 1]] : []
    }),
  )
}

const replace = (before: string, after: string, answer = 'ok') =>
  step('edit', { path: 'a.ts', old_string: before, new_string: after }, answer)
const shop = (list: string) => `Page URL: https://shop.test/\n- list [ref=e1]: ${list}`
const click = (element: string, list: string) => step('browser_click', { element }, shop(list))

describe('a change', () => {
  it('is progress if it is new', () => {
    expect(changedBy([...replace('a', 'b'), ...replace('b', 'c')])).toEqual([true, true])
  })

  it('is none if it is made again, or failed', () => {
    expect(changedBy(times(3, replace('a', 'b')))).toEqual([true, false, false])
    expect(changedBy(failed('edit', { path: 'a.ts' }, 'Error: no match'))).toEqual([false])
  })

  it('may be made again later if it answers something else', () => {
    const again = (answer: string) => [
      ...replace('a', 'b', 'one line was replaced'),
      ...step('read_file', { path: 'a.ts' }, 'the text of the file'),
      ...replace('a', 'b', answer),
    ]
    expect(changedBy(again('two more were found and replaced'))).toEqual([true, false, true])
    expect(changedBy(again('one line was replaced'))).toEqual([true, false, false])
  })

  it('is none once it is taken back, and neither is what takes it back', () => {
    const look = step('read_file', { path: 'b.ts' }, 'the text of the file')
    const back = [...replace('a', 'b'), ...look, ...replace('b', 'a')]
    expect(changedBy(back)).toEqual([false, false, false])
    const undo = step('editor', { action: 'undo', path: 'a.ts' }, 'undone')
    const insert = step('editor', { action: 'insert', path: 'a.ts', text: 'x' }, 'inserted')
    expect(changedBy([...insert, ...undo])).toEqual([false, false])
  })

  it('stays if the attempt to take it back fails', () => {
    const back = { path: 'a.ts', old_string: 'b', new_string: 'a' }
    const events = [...replace('a', 'b'), ...failed('edit', back, 'Error: no match')]
    expect(changedBy(events)).toEqual([true, false])
  })

  it('is none if the agent only writes for itself', () => {
    expect(changedBy(step('write_file', { path: 'notes.md', text: 'x' }, 'ok'))).toEqual([false])
    expect(changedBy(step('write_file', { path: 'notes.ts', text: 'x' }, 'ok'))).toEqual([true])
  })

  it('of a page is one if the page differs from all before', () => {
    const clicks = [
      ...click('Fruit', 'apples, pears'),
      ...click('More', 'apples, pears'),
      ...click('More', 'apples, pears, plums'),
      ...click('Less', 'apples, pears'),
    ]
    expect(changedBy(clicks)).toEqual([true, false, true, false])
  })
})

describe('an answer', () => {
  const learnedFrom = (events: AgentEvent[]) =>
    progressOf(events).map((brought) => brought.includes('learned'))

  it('is news if a fair part of it is', () => {
    const lines = (from: number) =>
      Array.from('abcdefghijklmnopqrstuvwxyz'.slice(from, from + 10), (name) => `${name}()`)
    const read = (offset: number) =>
      step('read_file', { path: 'a.ts', offset }, lines(offset).join('\n'))
    expect(learnedFrom([...read(0), ...read(1), ...read(9)])).toEqual([true, false, true])
  })

  it('is not news if an editor only confirms a change', () => {
    const edits = times(3, (lap) =>
      replace(`a${lap}`, `b${lap}`, `The file src/${lap}.ts has been updated successfully.`),
    )
    expect(progressOf(edits)).toEqual([['changed'], ['changed'], ['changed']])
  })

  it('is none if it is a short word of failure, though the first of its kind is progress', () => {
    const fail = (output: string) => failed('bash', { command: 'make' }, output)
    const fails = [...fail('Error: disk full'), ...fail('Error: disk full'), ...fail('fatal: net')]
    expect(progressOf(fails)).toEqual([['newError'], [], ['newError']])
  })

  it('that is missing gets credit once', () => {
    const blind = (path: string) => [turn(), call('read_file', { path })]
    const events = [...blind('a'), ...blind('a'), ...blind('b'), turn()]
    expect(learnedFrom(events)).toEqual([true, false, true])
  })
})

describe('a run that gets nowhere', () => {
  const look = step('read_file', { path: 'a.ts' }, 'the text of the file')

  it.each<[string, AgentEvent[]]>([
    ['edits and takes back', times(20, [...replace('a', 'b'), ...replace('b', 'a')])],
    [
      'edits, runs the tests and takes back',
      times(20, [
        ...replace('a', 'b'),
        ...step('bash', { command: 'npm test' }, '3 failed'),
        ...replace('b', 'a'),
      ]),
    ],
    [
      'makes a file and removes it',
      times(20, [
        ...step('bash', { command: 'touch a' }, ''),
        ...step('bash', { command: 'rm a' }, ''),
      ]),
    ],
    [
      'rewrites its plan and looks again',
      times(20, (lap) => [...step('update_plan', { plan: [`step ${lap}`] }, 'ok'), ...look]),
    ],
    [
      'thinks, writes a note and looks again',
      times(20, (lap) => [
        reasoning(`What about ${'abcdefghijklmnopqrst'[lap]}?`),
        ...step('bash', { command: `echo "try ${lap}" >> notes.md` }, ''),
        ...look,
      ]),
    ],
    [
      'clicks here and there on a page that stays as it is',
      times(20, (lap) => click(`Button ${lap % 3}`, 'apples, pears')),
    ],
  ])('because it %s is stuck within 60 steps', (_, events) => {
    expect(verdictOn(events).certain).toBeLessThanOrEqual(120)
  })

  it('is advised before it is stuck', () => {
    const plan = times(20, (lap) => [
      ...step('update_plan', { plan: [`step ${lap}`] }, 'ok'),
      ...look,
    ])
    const { likely, certain } = verdictOn(plan)
    expect(likely).toBeLessThan(certain as number)
  })
})

describe('a run that gets on', () => {
  it.each<[string, AgentEvent[]]>([
    [
      'edits one file after the other and is told so in the same words',
      times(40, (lap) =>
        step(
          'Edit',
          { file_path: `src/${lap}.ts`, old_string: 'let', new_string: 'const' },
          `The file src/${lap}.ts has been updated successfully.`,
        ),
      ),
    ],
    [
      'writes one file after the other and is told nothing',
      times(40, (lap) => step('bash', { command: `cat > src/${lap}.ts <<'E'\nx\nE` }, '')),
    ],
    [
      'keeps its plan up to date while it works',
      times(30, (lap) => [
        ...step('write_file', { path: `src/${lap}.ts`, text: `export const a = ${lap}` }, 'ok'),
        ...step('update_plan', { plan: [`file ${lap} is done`] }, 'The plan was updated'),
      ]),
    ],
    [
      'sees another page after each click',
      times(30, (lap) =>
        click('Next', `item ${'abcdefghijklmnopqrstuvwxyz'.slice(lap % 26)} ${lap}`),
      ),
    ],
    [
      'makes a change and tests it, and each change is another',
      times(20, (lap) => [
        ...replace(`v${lap}`, `v${lap + 1}`),
        ...failed('bash', { command: 'npm test' }, `${20 - lap} of 40 tests failed`),
      ]),
    ],
  ])('because it %s is left alone', (_, events) => {
    expect(verdictOn(events)).toEqual({})
  })
})

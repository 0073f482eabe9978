import { describe, expect, it } from 'vitest'
import {
  complaintsAbout,
  failsOn,
  families,
  type Outcome,
  roundsOf,
  type Step,
  type Story,
} from '../../testing/src/stories/index.js'
import { type AgentEvent, createGuard, type Finding } from '../src/index.js'

/** Shows a story to a guard, as a program does that tells it everything. */
function play(story: Story): Outcome {
  const guard = createGuard()
  const outcome: Outcome = { said: [] }
  const hasTimes = story.steps.some(({ seconds }) => seconds !== undefined)
  let at = 1_700_000_000_000
  let step = 0

  function show(event: AgentEvent): void {
    const finding = guard.observe(hasTimes ? { at, ...event } : event)
    if (finding) note(outcome, step, finding)
  }

  if (story.prompt !== undefined) show({ type: 'prompt', text: story.prompt })
  for (const round of roundsOf(story)) {
    step++
    show({ type: 'turn-start' })
    for (const { thinks } of round) if (thinks) show({ type: 'reasoning', text: thinks })
    for (const { says } of round) if (says) show({ type: 'text', text: says })
    const calls = round.filter(isCall)
    for (const [index, { name, args }] of calls.entries())
      show({ type: 'tool-call', id: `c${step}-${index}`, name, args })
    // parallel calls run at the same time
    at += 1000 * Math.max(1, ...calls.map(({ seconds = 0 }) => seconds))
    for (const [index, { output, isError }] of calls.entries())
      show({
        type: 'tool-result',
        id: `c${step}-${index}`,
        output,
        ...(isError && { isError }),
      })
    show({ type: 'turn-end' })
    for (const { answered } of round) if (answered) show({ type: 'prompt', text: answered })
    if (outcome.ended) break
    // later steps of a round are steps, too
    step += round.length - 1
  }
  expect(guard.faults).toEqual([])
  return outcome
}

const isCall = (step: Step): step is Step & { name: string } => step.name !== undefined

function note(outcome: Outcome, step: number, { action, detail, advice }: Finding): void {
  outcome.found ??= step
  if (action === 'block') outcome.refused ??= step
  // a message that is cut has come to an end
  if (action === 'stop' || action === 'cut') outcome.ended ??= step
  outcome.said.push(detail, advice)
}

describe.each(Object.entries(families))('%s', (_, stories) => {
  for (const story of stories) {
    const test = failsOn(story, 'core') ? it.fails : it
    test(story.name, () => expect(complaintsAbout(story, play(story)).join('\n')).toBe(''))
  }
})

it('each story has a name of its own', () => {
  const names = Object.values(families).flatMap((stories) => stories.map(({ name }) => name))
  expect(names).toEqual([...new Set(names)])
})

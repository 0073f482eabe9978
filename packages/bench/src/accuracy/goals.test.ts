import { expect, test } from 'vitest'
import { checkGoals } from './goals.js'
import type { ContenderResult } from './measure.js'
import type { Outcome } from './metrics.js'

const found = { found: true, early: false, wrong: false, delay: 1 }
const missed = { found: false, early: false, wrong: false }

test('labeled runs and native sessions are taken from the result with the source left out', () => {
  const usual: ContenderResult = {
    name: 'usual',
    outcomes: {
      labelled: [run({ advice: found, stops: found })],
      native: [run({ loop: false })],
      degenerate: [run({ advice: found })],
    },
  }
  const held: ContenderResult = {
    name: 'held',
    outcomes: {
      labelled: [run({ advice: found, stops: found }), run({})],
      native: [run({ loop: false, advice: { ...missed, wrong: true, at: 3 } })],
    },
  }
  const of = (result: ContenderResult, other?: ContenderResult) =>
    Object.fromEntries(checkGoals(result, other).map(({ what, measured }) => [what, measured]))
  expect(of(usual)).toMatchObject({
    'labeled runs, advice: recall': '1',
    'native sessions flagged': '0',
  })
  expect(of(usual)).not.toHaveProperty('native sessions flagged, with the defaults')
  expect(of(usual, held)).toMatchObject({
    'labeled runs, advice: recall': '0.500',
    'native sessions flagged': '1',
    'native sessions flagged, with the defaults': '0',
    'degenerate texts found': '100 %',
  })
})

test('a loop that nobody would end is no wanted stop, and orchestrators are counted by themselves', () => {
  const labelled = [
    run({ advice: found, stops: found }),
    run({ advice: found, stopWanted: true }),
    run({ advice: found, stopWanted: false }),
    run({ family: 'mast-magentic' }),
    run({ family: 'who-when', advice: found, stops: found }),
  ]
  const goals = checkGoals({ name: 'x', outcomes: { labelled } })
  const measured = (what: string) => goals.find((goal) => goal.what === what)?.measured
  expect(measured('labeled runs, stops: recall of wanted stops')).toBe('0.500')
  expect(measured('labeled runs, stops: recall where the label asks for one')).toBe('0')
  expect(measured('labeled runs of orchestrators, advice: recall')).toBe('0.500')
})

const run = (outcome: Partial<Outcome>): Outcome => ({
  id: 'x',
  kind: 'k',
  family: 'f',
  loop: true,
  talks: false,
  advice: missed,
  stops: missed,
  ...outcome,
})

import type { LoopKind, Stage } from '../case.js'
import { statement } from '../code.js'
import type { Step } from '../trace.js'
import { snippet, startWorking } from '../work.js'
import { evidentAfterLaps } from './evidence.js'
import { someFailure, someRead } from './identical.js'

/** Several steps, round and round. */
export const cycleLoops: readonly LoopKind[] = [
  {
    kind: 'alternating',
    evident: 'the fourth lap of two calls with the same answers',
    write(stage) {
      startWorking(stage)
      return evidentAfterLaps(laps(stage, [someRead(stage), someFailure(stage)]), 4)
    },
  },
  {
    kind: 'read-edit-test',
    evident: 'the fourth lap of reading, an edit that fails and a test that fails',
    write(stage) {
      startWorking(stage)
      const { agent, world } = stage
      const path = world.freshPath()
      const edit = {
        call: agent.edit(path, 'return None', 'return []'),
        output: agent.editFailed(path),
        failed: true,
      }
      return evidentAfterLaps(laps(stage, [someRead(stage), edit, someFailure(stage)]), 4)
    },
  },
  {
    kind: 'long-cycle',
    evident: 'the third complete lap of four to nine calls',
    write(stage) {
      startWorking(stage)
      const steps = Array.from({ length: stage.random.int(4, 9) }, () =>
        stage.random.chance(0.7) ? someRead(stage) : someFailure(stage),
      )
      return evidentAfterLaps(laps(stage, steps), 3)
    },
  },
  {
    kind: 'very-long-cycle',
    evident: 'the third complete lap of ten to thirty calls',
    write(stage) {
      startWorking(stage)
      const steps = Array.from({ length: stage.random.int(10, 30) }, () => someRead(stage))
      return evidentAfterLaps(laps(stage, steps, 4), 3)
    },
  },
  {
    kind: 'cycle-keys-drift',
    evident: 'the fourth lap; from then on the keys of the arguments come in another order',
    write(stage) {
      startWorking(stage)
      const steps = Array.from({ length: stage.random.int(2, 5) }, () => someRead(stage))
      const turned = steps.map(({ call, output }) => ({
        call: { name: call.name, args: Object.fromEntries(Object.entries(call.args).reverse()) },
        output,
      }))
      const first = laps(stage, steps, 3)
      return evidentAfterLaps([...first, ...laps(stage, turned, stage.random.int(2, 5))], 4)
    },
  },
  {
    kind: 'fan-out-again',
    evident: 'the fourth time the same parallel round was sent',
    write(stage) {
      startWorking(stage)
      const calls = Array.from({ length: stage.random.int(2, 5) }, () => someRead(stage))
      const rounds = Array.from({ length: stage.random.int(7, 16) }, () => [
        stage.trace.round(calls),
      ])
      return evidentAfterLaps(rounds, 4)
    },
  },
  {
    kind: 'edit-and-revert',
    evident: 'the fourth time the same edit was made and taken back',
    write(stage) {
      startWorking(stage)
      const { random, agent, world } = stage
      const path = world.freshPath()
      const [one, two] = [statement(random, world.language), statement(random, world.language)]
      const at = random.int(4, 200)
      const steps = [
        { call: agent.edit(path, one, two), output: agent.edited(path, snippet(at, two)) },
        someFailure(stage),
        { call: agent.edit(path, two, one), output: agent.edited(path, snippet(at, one)) },
      ]
      return evidentAfterLaps(laps(stage, steps), 4)
    },
  },
  {
    kind: 'read-then-failing-edit',
    evident: 'the fifth edit that does not find its text, each after reading the file again',
    write(stage) {
      startWorking(stage)
      const { random, agent, world, trace } = stage
      const path = world.freshPath()
      const lines = world.lines(path)
      const read = {
        call: agent.read(path, 1, 80),
        output: agent.shown(path, lines.slice(0, 80), 1, lines.length),
      }
      const rounds = Array.from({ length: random.int(8, 18) }, () => {
        const edit = agent.edit(
          path,
          statement(random, world.language),
          statement(random, world.language),
        )
        return [
          trace.step(read.call, read.output),
          trace.step(edit, agent.editFailed(path), { failed: true }),
        ]
      })
      return evidentAfterLaps(rounds, 5)
    },
  },
]

function laps(
  { random, trace }: Stage,
  steps: readonly { call: Parameters<typeof trace.step>[0]; output: unknown; failed?: boolean }[],
  count = random.int(6, 12),
): Step[][] {
  return Array.from({ length: count }, () =>
    steps.map(({ call, output, failed = false }) => trace.step(call, output, { failed })),
  )
}

import { createRandom } from '../random.js'
import { agents } from './agents.js'
import type { LoopCase, Stage } from './case.js'
import { families } from './families.js'
import { createTrace } from './trace.js'
import { createWorld } from './world.js'

/** `perKind` cases of every kind; the same seed gives the same cases, another seed other ones. */
export function* generateCases(seed: number, perKind: number): Generator<LoopCase> {
  for (const { family, loops, lookalikes } of families) {
    for (const { kind, write } of loops) {
      for (let number = 0; number < perKind; number++) {
        const stage = createStage(`${seed}/${kind}/${number}`)
        const evidence = write(stage)
        yield {
          id: `${kind}/${number}`,
          kind,
          family,
          loop: true,
          ...evidence,
          events: stage.trace.events,
        }
      }
    }
    for (const { kind, write } of lookalikes) {
      for (let number = 0; number < perKind; number++) {
        const stage = createStage(`${seed}/${kind}/${number}`)
        write(stage)
        yield { id: `${kind}/${number}`, kind, family, loop: false, events: stage.trace.events }
      }
    }
  }
}

function createStage(seed: string): Stage {
  const random = createRandom(seed)
  const agent = random.pick(agents)(random)
  return { random, agent, world: createWorld(random), trace: createTrace(random, agent) }
}

import { paragraph, prose, sentence } from '../../prose.js'
import type { LookalikeKind } from '../case.js'
import { someRead } from '../loops/identical.js'
import { keepWorking, startWorking } from '../work.js'

/** Words that resemble each other while the work goes on. */
export const thinkingLookalikes: readonly LookalikeKind[] = [
  {
    kind: 'thought-per-call',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const thought = paragraph(random, 2)
      // one thought of the model, recorded once for each call of its parallel round
      trace.add({ type: 'turn-start' })
      for (let count = random.int(4, 7); count > 0; count--) {
        const { call, output } = someRead(stage)
        trace.add({ type: 'reasoning', text: thought })
        trace.add({ type: 'tool-call', id: `r${count}`, ...call })
        trace.add({ type: 'tool-result', id: `r${count}`, output })
      }
      keepWorking(stage, 4)
    },
  },
  {
    kind: 'thoughts-with-like-openings',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const opening = prose(random, 210)
      for (let count = random.int(5, 9); count > 0; count--) {
        const { call, output } = someRead(stage)
        trace.step(call, output, { think: `${opening} ${paragraph(random, 3)}` })
      }
    },
  },
  {
    kind: 'same-opening-words',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const opening = random.pick([
        "Now I'll look at the next one.",
        'Continuing.',
        'Good. Next:',
        'Let me check the next file.',
      ])
      for (let count = random.int(8, 20); count > 0; count--) {
        const { call, output } = someRead(stage)
        trace.step(call, output, { say: opening })
      }
    },
  },
  {
    kind: 'long-conversation',
    write({ random, trace }) {
      for (let turn = random.int(6, 14); turn > 0; turn--) {
        trace.prompt(sentence(random))
        trace.message(paragraph(random, random.int(2, 9)))
      }
    },
  },
  {
    kind: 'agents-hand-over',
    write(stage) {
      startWorking(stage, 2)
      const { random, trace } = stage
      for (let count = random.int(4, 7); count > 0; count--) {
        trace.add({ type: 'handoff', agent: 'planner', to: 'coder', text: sentence(random) })
        const { call, output } = someRead(stage)
        trace.add({ type: 'tool-call', agent: 'coder', id: `h${count}`, ...call })
        trace.add({ type: 'tool-result', agent: 'coder', id: `h${count}`, output })
        trace.add({ type: 'handoff', agent: 'coder', to: 'planner', text: sentence(random) })
      }
    },
  },
]

import { paragraph, sentence, thing } from '../../prose.js'
import type { Random } from '../../random.js'
import type { LoopKind, Stage } from '../case.js'
import type { Step } from '../trace.js'
import { startWorking } from '../work.js'
import { evidentAfter, evidentAfterLaps } from './evidence.js'
import { someRead } from './identical.js'

/** The same words turn after turn, aloud or in thought, or between two agents. */
export const messageLoops: readonly LoopKind[] = [
  {
    kind: 'repeated-message',
    evident: 'the fourth turn with the same words and no call',
    write(stage) {
      startWorking(stage)
      const text = someAnnouncement(stage)
      return evidentAfter(
        turns(stage, () => text),
        4,
      )
    },
  },
  {
    kind: 'reworded-message',
    evident: 'the fifth turn that says nearly the same and does nothing',
    write(stage) {
      startWorking(stage)
      const { random } = stage
      const about = thing(random)
      return evidentAfter(
        turns(stage, () => reworded(random, about)),
        5,
      )
    },
  },
  {
    kind: 'two-messages',
    evident: 'the third time round of two messages, no call between',
    write(stage) {
      startWorking(stage)
      const [one, two] = [someAnnouncement(stage), someAnnouncement(stage)]
      const rounds = Array.from({ length: stage.random.int(5, 10) }, () => [
        stage.trace.message(one),
        stage.trace.message(two),
      ])
      return evidentAfterLaps(rounds, 3)
    },
  },
  {
    kind: 'message-among-calls',
    evident: 'the fifth time the same words came before a look at something already seen',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const text = someAnnouncement(stage)
      const reads = Array.from({ length: 3 }, () => someRead(stage))
      const steps = Array.from({ length: random.int(9, 16) }, () => {
        const { call, output } = random.pick(reads)
        return trace.step(call, output, { say: text })
      })
      return evidentAfter(steps, 5)
    },
  },
  {
    kind: 'repeated-thought',
    evident: 'the fifth turn with the same thought, calls on things already seen',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const thought = `${paragraph(random, 2)} So I should look at the file again.`
      const reads = Array.from({ length: 3 }, () => someRead(stage))
      const steps = Array.from({ length: random.int(9, 16) }, () => {
        const { call, output } = random.pick(reads)
        return trace.step(call, output, { think: thought })
      })
      return evidentAfter(steps, 5)
    },
  },
  {
    kind: 'thought-without-act',
    evident: 'the fourth turn of the same thought, nothing said or called',
    write(stage) {
      startWorking(stage)
      const thought = paragraph(stage.random, 3)
      const steps = Array.from({ length: stage.random.int(7, 14) }, () =>
        stage.trace.message(thought, 'reasoning'),
      )
      return evidentAfter(steps, 4)
    },
  },
  {
    kind: 'two-thoughts',
    evident: 'the fourth time round of two thoughts, nothing said or called',
    write(stage) {
      startWorking(stage)
      const [one, two] = [paragraph(stage.random, 2), paragraph(stage.random, 2)]
      const rounds = Array.from({ length: stage.random.int(6, 12) }, () => [
        stage.trace.message(one, 'reasoning'),
        stage.trace.message(two, 'reasoning'),
      ])
      return evidentAfterLaps(rounds, 4)
    },
  },
  {
    kind: 'hand-to-and-fro',
    evident: 'the fourth time the same task came back to the agent that gave it away',
    write(stage) {
      startWorking(stage, 3)
      const { random, trace } = stage
      const [one, two] = random.sample(
        ['planner', 'coder', 'reviewer', 'researcher', 'triage', 'billing'],
        2,
      )
      const task = sentence(random)
      const worded = random.chance(0.5)
      const rounds = Array.from({ length: random.int(6, 12) }, () => {
        const say = () =>
          worded ? `${random.pick(['Please', 'Could you', 'Kindly'])} take over: ${task}` : task
        const there = trace.add({
          type: 'handoff',
          agent: one as string,
          to: two as string,
          text: say(),
        })
        const back = trace.add({
          type: 'handoff',
          agent: two as string,
          to: one as string,
          text: say(),
        })
        return [{ startAt: there, callAt: there, resultAt: back }]
      })
      return evidentAfterLaps(rounds, 4)
    },
  },
]

function turns({ random, trace }: Stage, say: (count: number) => string): Step[] {
  return Array.from({ length: random.int(8, 16) }, (_, index) => trace.message(say(index + 1)))
}

function someAnnouncement({ random, world }: Stage): string {
  return random.pick([
    `I am blocked: I have no access to ${random.pick(world.paths)}. ${sentence(random)}`,
    `Let me fix ${random.pick(world.paths)} now. ${sentence(random)}`,
    `I apologise for the confusion. ${sentence(random)} I will take a different approach.`,
    `${sentence(random)} ${sentence(random)} I will now run the command.`,
  ])
}

/** Each part is chosen anew from a few wordings, so two of these share most but not all of their words. */
function reworded(random: Random, about: string): string {
  const opening = random.pick([
    'You are right, and I apologise.',
    'I apologise for the trouble.',
    'I see, my apologies.',
  ])
  const middle = random.pick([
    `The problem is still with the ${about}, so I need a different approach.`,
    `The problem is still the ${about}, so I will take a different approach.`,
    `Since the problem is still with the ${about}, I need a new approach.`,
  ])
  const end = random.pick([
    'I will now rewrite the whole file with the correct content and then check the result.',
    'I will now rewrite the file with the correct content and check the result.',
    'Now I will rewrite the whole file with correct content and then check the result.',
  ])
  return `${opening} ${middle} ${end}`
}

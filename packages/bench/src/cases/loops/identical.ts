import type { Call } from '../agents.js'
import type { LoopKind, Stage } from '../case.js'
import { buildError, clock, listing, seconds, stamp } from '../outputs.js'
import { people } from '../tables/names.js'
import { beforeTrying } from '../tables/talk.js'
import type { Step } from '../trace.js'
import { maybe, runnerFor, startWorking } from '../work.js'
import { evidentAfter } from './evidence.js'

/** The same call again and again, though not always to the letter. */
export const identicalLoops: readonly LoopKind[] = [
  {
    kind: 'identical-call',
    evident: 'the fourth identical answer',
    write(stage) {
      startWorking(stage)
      const { call, output } = someRead(stage)
      return evidentAfter(
        again(stage, () => ({ call, output })),
        4,
      )
    },
  },
  {
    kind: 'identical-error',
    evident: 'the fourth identical error',
    write(stage) {
      startWorking(stage)
      const { call, output } = someFailure(stage)
      return evidentAfter(
        again(stage, () => ({ call, output, failed: true })),
        4,
      )
    },
  },
  {
    kind: 'key-order',
    evident: 'the fourth identical answer, the keys of the arguments in any order',
    write(stage) {
      startWorking(stage)
      const { call, output } = someRead(stage)
      const args = { ...call.args, encoding: 'utf-8', follow: true }
      return evidentAfter(
        again(stage, () => ({ call: { name: call.name, args: reordered(stage, args) }, output })),
        4,
      )
    },
  },
  {
    kind: 'volatile-answer',
    evident: 'the fourth answer that differs only in a time, a duration, an id or a prompt counter',
    write(stage) {
      startWorking(stage)
      const { random, agent, world } = stage
      const command = random.pick([
        'npm run build',
        'make check',
        'python manage.py migrate',
        './gradlew assemble',
      ])
      const error = buildError(random, random.pick(world.paths))
      const wrap = random.pick([
        (count: number) =>
          `[${stamp(random)}] starting\n${error}\nfinished in ${seconds(random)}s (run ${count})`,
        () => `${error}\nrequest id: req_${random.hex(16)}\nelapsed ${random.int(200, 9000)} ms`,
        (count: number) =>
          `In [${count}]: ${error}\n${clock(random)} worker pid=${random.int(300, 32000)} exited`,
        () =>
          `${error}\nA complete log of this run can be found in: /tmp/build-${random.hex(8)}.log`,
      ])
      const call = agent.shell(command, 'Build the project')
      return evidentAfter(
        again(stage, (count) => ({
          call,
          output: agent.printed(random, command, wrap(count), 1),
          failed: true,
        })),
        4,
      )
    },
  },
  {
    kind: 'free-text-varies',
    evident: 'the fifth call of which only a free-text field changes, with the same answer',
    write(stage) {
      startWorking(stage)
      const { random, agent, world } = stage
      const command = random.pick([
        `cat ${random.pick(world.paths)}`,
        'git log -1 --stat',
        'env | sort',
      ])
      const text = listing(random)
      const field = random.pick(['description', 'reason', 'explanation', 'thought'])
      const call = agent.shell(command, '')
      return evidentAfter(
        again(stage, () => ({
          call: {
            name: call.name,
            args: { ...call.args, [field]: `${random.pick(beforeTrying)} ${reason(stage)}` },
          },
          output: text,
        })),
        5,
      )
    },
  },
  {
    kind: 'no-results',
    evident: 'the sixth identical call, when answers are not recorded',
    write(stage) {
      startWorking(stage, 0)
      const { trace, random } = stage
      const { call } = someRead(stage)
      const steps: Step[] = []
      for (let count = 0; count < 6 + random.int(4, 20); count++) {
        trace.add({ type: 'turn-start' })
        const at = trace.add({ type: 'tool-call', name: call.name, args: call.args })
        steps.push({ startAt: at, callAt: at, resultAt: at })
      }
      return evidentAfter(steps, 6)
    },
  },
  {
    kind: 'across-compactions',
    evident: 'the fourth identical answer, though the history was shortened in between',
    write(stage) {
      startWorking(stage)
      const { call, output } = someFailure(stage)
      const { random, trace } = stage
      return evidentAfter(
        again(stage, (count) => {
          if (count % random.int(2, 3) === 0) trace.add({ type: 'compaction' })
          return { call, output, failed: true }
        }),
        4,
      )
    },
  },
  {
    kind: 'sub-agent',
    evident: 'the fourth identical answer within one sub-agent, while the others work',
    write(stage) {
      startWorking(stage, 3)
      const { random, trace } = stage
      const stuck = someFailure(stage)
      const steps: Step[] = []
      for (let count = 0; count < 10 + random.int(0, 10); count++) {
        const other = someRead(stage)
        trace.add({ type: 'tool-call', agent: 'explorer', id: `e${count}`, ...other.call })
        const callAt = trace.add({
          type: 'tool-call',
          agent: 'tester',
          id: `t${count}`,
          ...stuck.call,
        })
        trace.add({ type: 'tool-result', agent: 'explorer', id: `e${count}`, output: other.output })
        const resultAt = trace.add({
          type: 'tool-result',
          agent: 'tester',
          id: `t${count}`,
          output: stuck.output,
          isError: true,
        })
        steps.push({ startAt: callAt, callAt, resultAt })
      }
      return evidentAfter(steps, 4)
    },
  },
  {
    kind: 'runaway-response',
    evident: 'the thirtieth identical call within one response',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const { call, output } = someRead(stage)
      trace.add({ type: 'turn-start' })
      const total = 30 + random.int(10, 80)
      const calls = Array.from({ length: total }, (_, index) =>
        trace.add({ type: 'tool-call', id: `run${index}`, ...call }),
      )
      for (let index = 0; index < total; index++) {
        trace.add({ type: 'tool-result', id: `run${index}`, output })
      }
      return { evidentAt: calls[29] as number, secondRepeatAt: calls[2] as number }
    },
  },
  {
    kind: 'message-sent-again',
    evident: 'the fourth time the same message was sent to the same person',
    write(stage) {
      startWorking(stage, 2)
      const { random } = stage
      const call = {
        name: random.pick(['send_message', 'slack_post_message', 'message', 'mcp__mail__send']),
        args: { to: `@${random.pick(people)}`, text: 'The report is ready, please have a look.' },
      }
      return evidentAfter(
        again(stage, () => ({
          call,
          output: JSON.stringify({
            ok: true,
            messageId: `om_${random.hex(24)}`,
            ts: `${random.int(1.7e9, 1.8e9)}.${random.int(100000, 999999)}`,
          }),
        })),
        4,
      )
    },
  },
]

/** The same thing until well after it is evident, with or without words before each. */
export function again(
  stage: Stage,
  next: (count: number) => { call: Call; output: unknown; failed?: boolean },
  least = 6,
): Step[] {
  const { random, trace } = stage
  const wordy = random.chance(0.5)
  return Array.from({ length: least + random.int(4, 20) }, (_, index) => {
    const { call, output, failed = false } = next(index + 1)
    const say = wordy ? maybe(stage, `${random.pick(beforeTrying)} ${reason(stage)}`) : undefined
    return trace.step(call, output, { failed, say })
  })
}

export function someRead({ random, agent, world }: Stage) {
  const path = world.freshPath()
  const lines = world.lines(path)
  const count = Math.min(lines.length, random.int(20, 120))
  return {
    call: agent.read(path, 1, count),
    output: agent.shown(path, lines.slice(0, count), 1, lines.length),
  }
}

export function someFailure({ random, agent, world }: Stage) {
  const path = world.freshPath()
  return random.pick([
    () => {
      const runner = runnerFor(world.language)
      const text = runner.print(random, world.symbols(random.int(1, 3)), random.int(10, 90))
      return {
        call: agent.shell(runner.command, 'Run the tests'),
        output: agent.printed(random, runner.command, text, 1),
      }
    },
    () => ({ call: agent.read(path, 1, 50), output: agent.noFile(path) }),
    () => ({
      call: agent.edit(path, 'return total', 'return total + 1'),
      output: agent.editFailed(path),
    }),
    () => {
      const command = `python scripts/${random.hex(3)}.py`
      return {
        call: agent.shell(command, 'Run it'),
        output: agent.printed(random, command, buildError(random, path), 1),
      }
    },
  ])()
}

function reordered({ random }: Stage, args: Record<string, unknown>): Record<string, unknown> {
  const keys = Object.keys(args)
  return Object.fromEntries(random.sample(keys, keys.length).map((key) => [key, args[key]]))
}

function reason({ random, world }: Stage): string {
  return random.pick([
    `I want to be certain about ${random.pick(world.paths)}.`,
    'The output should tell us more.',
    `It may depend on ${world.symbols(1)[0]}.`,
    'This will show what is going on.',
    'I need this information before I can go on.',
  ])
}

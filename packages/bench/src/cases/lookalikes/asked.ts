import { prose, sentence } from '../../prose.js'
import type { LookalikeKind } from '../case.js'
import { someFailure, someRead } from '../loops/identical.js'
import { buildError, seconds } from '../outputs.js'
import { beforeTrying } from '../tables/talk.js'
import { keepWorking, readSomething, runnerFor, startWorking } from '../work.js'

/** Repeats that were asked for, honest retries, outages, replays. */
export const askedLookalikes: readonly LookalikeKind[] = [
  {
    kind: 'asked-to-repeat',
    write(stage) {
      const { random, trace } = stage
      const times = random.int(6, 10)
      trace.prompt(
        random.pick([
          `Generate the same sound ${times} times.`,
          `Run the generator ${times} times with the same settings, please.`,
          `Please call the endpoint ${times} times in a row.`,
        ]),
      )
      for (let count = 0; count < times; count++) {
        trace.step(
          { name: 'generate_audio', args: { text: 'Good morning', voice: 'alto' } },
          random.chance(0.5) ? 'ok' : `written out/${count}.wav`,
        )
      }
    },
  },
  {
    kind: 'asked-to-watch',
    write(stage) {
      const { random, trace } = stage
      trace.prompt('Watch the deployment until it is done, then tell me.')
      const call = { name: 'get_deployment', args: { name: 'web' } }
      for (let count = random.int(8, 15); count > 0; count--)
        trace.step(call, '{"phase":"rolling out","ready":2,"wanted":5}')
      trace.step(call, '{"phase":"complete","ready":5,"wanted":5}')
      trace.message('The deployment is complete.')
    },
  },
  {
    kind: 'honest-retries',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      for (let count = random.int(2, 4); count > 0; count--) {
        const { call, output } = someFailure(stage)
        for (let tries = random.int(2, 3); tries > 0; tries--)
          trace.step(call, output, { failed: true, say: random.pick(beforeTrying) })
        keepWorking(stage, random.int(2, 5))
      }
    },
  },
  {
    kind: 'short-outage',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const { call } = someRead(stage)
      const outage = random.pick([
        'HTTP 429 Too Many Requests: retry after 20 seconds',
        'Error: 503 Service Unavailable',
        'connect ETIMEDOUT 10.0.0.7:443',
        'overloaded_error: the server is overloaded, please try again later',
        'getaddrinfo EAI_AGAIN api.example.com',
      ])
      for (let tries = random.int(2, 3); tries > 0; tries--)
        trace.step(call, outage, { failed: true })
      trace.step(call, prose(random, 400))
      keepWorking(stage, 4)
    },
  },
  {
    kind: 'replayed-turns',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      for (let turn = random.int(2, 4); turn > 0; turn--) {
        const { call, output } = someRead(stage)
        const text = sentence(random)
        for (let tries = random.int(2, 4); tries > 0; tries--) {
          trace.add({ type: 'turn-start' })
          trace.add({ type: 'text', text })
          trace.add({ type: 'tool-call', ...call })
          trace.add({ type: 'retry' })
        }
        trace.step(call, output, { say: text })
      }
      keepWorking(stage, 3)
    },
  },
  {
    kind: 'heartbeats',
    write(stage) {
      const { random, trace } = stage
      const call = { name: 'check_inbox', args: { folder: 'new' } }
      for (let beat = random.int(8, 14); beat > 0; beat--) {
        trace.prompt('Heartbeat: look for new mail.')
        trace.step(
          call,
          random.chance(0.9) ? '[]' : JSON.stringify([{ from: 'lena', subject: sentence(random) }]),
        )
        trace.message('Nothing new.')
      }
    },
  },
  {
    kind: 'short-prompts-like-answers',
    write(stage) {
      const { random, trace } = stage
      const code = prose(random, 500)
      for (let count = random.int(3, 5); count > 0; count--) {
        trace.prompt(
          random.pick([
            'Give me the code without line numbers.',
            'Again, please, shorter.',
            'Once more in one block.',
          ]),
        )
        trace.message(`Here it is:\n${code}\n${sentence(random)}`)
      }
    },
  },
  {
    kind: 'flaky-test',
    write(stage) {
      startWorking(stage)
      const { random, trace, agent, world } = stage
      const runner = runnerFor(world.language)
      for (let count = random.int(3, 5); count > 0; count--) {
        const failing = random.chance(0.5) ? world.symbols(1) : []
        trace.step(
          agent.shell(runner.command, 'Test'),
          agent.printed(random, runner.command, runner.print(random, failing, 80), failing.length),
          { failed: failing.length > 0 },
        )
      }
      keepWorking(stage, 4)
    },
  },
  {
    kind: 'read-again-after-compaction',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const reads = Array.from({ length: random.int(3, 6) }, () => someRead(stage))
      for (let count = 0; count < 3; count++) {
        for (const { call, output } of reads) trace.step(call, output)
        keepWorking(stage, random.int(4, 8))
        trace.add({ type: 'compaction' })
      }
    },
  },
  {
    kind: 'different-errors',
    write(stage) {
      startWorking(stage)
      const { random, trace, agent, world } = stage
      for (let count = random.int(8, 14); count > 0; count--) {
        const command = `python step_${random.hex(3)}.py`
        trace.step(
          agent.shell(command, 'Try'),
          agent.printed(
            random,
            command,
            `${buildError(random, world.freshPath())}\n${seconds(random)}s`,
            1,
          ),
          { failed: true },
        )
        if (random.chance(0.5)) readSomething(stage)
      }
    },
  },
]

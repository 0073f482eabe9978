import type { LoopKind } from '../case.js'
import { listing } from '../outputs.js'
import type { Step } from '../trace.js'
import { readSomething, startWorking } from '../work.js'
import { evidentAfter, evidentAfterLaps } from './evidence.js'
import { again, someFailure, someRead } from './identical.js'

/** What was seen is looked at again, in whatever order and disguise. */
export const seenAgainLoops: readonly LoopKind[] = [
  {
    kind: 'test-between-reads',
    evident: 'the sixth identical test run, nothing changed, between files already read',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const reads = Array.from({ length: random.int(2, 4) }, () => someRead(stage))
      const failure = someFailure(stage)
      const steps = Array.from({ length: random.int(9, 20) }, () => {
        const startAt = trace.events.length
        for (const { call, output } of random.sample(reads, random.int(1, 2)))
          trace.step(call, output)
        return { ...trace.step(failure.call, failure.output, { failed: true }), startAt }
      })
      return evidentAfter(steps, 6)
    },
  },
  {
    kind: 're-reading',
    evident:
      'every one of a handful of files read for the fourth time, in no order, nothing changed',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const reads = Array.from({ length: random.int(3, 6) }, () => someRead(stage))
      const rounds = Array.from({ length: random.int(6, 10) }, () =>
        random.sample(reads, reads.length).map(({ call, output }) => trace.step(call, output)),
      )
      return evidentAfterLaps(rounds, 4)
    },
  },
  {
    kind: 'paging-sweep',
    evident: 'the end of the third sweep through one file, page by page',
    write(stage) {
      startWorking(stage)
      const { random, agent, world, trace } = stage
      const path = world.freshPath()
      const lines = world.lines(path)
      const size = random.pick([20, 30, 40])
      const sweeps = Array.from({ length: random.int(4, 7) }, () => {
        const steps: Step[] = []
        for (let from = 1; from <= lines.length; from += size) {
          const page = lines.slice(from - 1, from - 1 + size)
          steps.push(
            trace.step(agent.read(path, from, size), agent.shown(path, page, from, lines.length)),
          )
        }
        return steps
      })
      return evidentAfterLaps(sweeps, 3)
    },
  },
  {
    kind: 'sliding-view',
    evident: 'the twelfth view of the same region, moved by a line or two',
    write(stage) {
      startWorking(stage)
      const { random, agent, world, trace } = stage
      const path = world.freshPath()
      const lines = world.lines(path)
      const size = random.int(30, 60)
      let from = random.int(5, Math.max(6, lines.length - size - 10))
      const start = from
      const steps = Array.from({ length: 12 + random.int(6, 24) }, () => {
        const page = lines.slice(from - 1, from - 1 + size)
        const step = trace.step(
          agent.read(path, from, size),
          agent.shown(path, page, from, lines.length),
        )
        from = Math.max(start - 4, Math.min(start + 4, from + random.pick([-2, -1, 1, 2])))
        from = Math.max(2, from)
        return step
      })
      return evidentAfter(steps, 12)
    },
  },
  {
    kind: 'endless-poll',
    evident: 'the fortieth poll whose answer has not changed',
    write(stage) {
      startWorking(stage, 2)
      const { random } = stage
      const id = `job_${random.hex(8)}`
      const call = random.pick([
        { name: 'process', args: { action: 'log', sessionId: id } },
        { name: 'mcp__ci__get_job_status', args: { job_id: id } },
        { name: 'BashOutput', args: { bash_id: id } },
        { name: 'write_stdin', args: { session_id: 3, chars: '' } },
      ])
      const output = random.pick([
        '(no new output)',
        '{"status":"running","progress":null}',
        'Process is still running',
        '',
      ])
      return evidentAfter(
        again(stage, () => ({ call, output }), 60 + random.int(0, 60)),
        40,
      )
    },
  },
  {
    kind: 'renumbered-references',
    evident: 'the sixth click that leaves the page as it was, under a new reference each time',
    write(stage) {
      startWorking(stage, 2)
      const { random } = stage
      const label = random.pick(['Add to cart', 'Accept all', 'Next', 'Sign in', 'Submit'])
      const others = random.sample(
        ['Home', 'Search', 'Account', 'Help', 'Terms', 'Contact', 'Language'],
        5,
      )
      let base = random.int(10, 90)
      const page = () => {
        base += random.int(7, 40)
        return [
          `- button "${label}" [ref=e${base}]`,
          ...others.map((name, index) => `- link "${name}" [ref=e${base + index + 1}]`),
        ].join('\n')
      }
      return evidentAfter(
        again(
          stage,
          () => ({
            call: { name: 'browser_click', args: { element: `${label} button`, ref: `e${base}` } },
            output: `Page URL: https://shop.example/cart\nPage snapshot:\n${page()}`,
          }),
          8,
        ),
        6,
      )
    },
  },
  {
    kind: 'same-edit-again',
    evident: 'the fourth time the same lines were inserted into a file that grows each time',
    write(stage) {
      startWorking(stage)
      const { random, world } = stage
      const path = world.freshPath()
      const added = world
        .lines(path)
        .slice(4, 4 + random.int(1, 3))
        .join('\n')
      const at = random.int(3, 60)
      let total = world.lines(path).length
      const call = { name: 'edit', args: { command: `edit ${at}:${at}\n${added}\nend_of_edit` } }
      return evidentAfter(
        again(stage, () => {
          total += added.split('\n').length
          return {
            call,
            output: `[File: /testbed/${path} (${total} lines total)]\n${added}\n${listing(random, 3)}\nFile updated.`,
          }
        }),
        4,
      )
    },
  },
  {
    kind: 'new-files-same-test',
    evident: 'the eighth identical test run without any change',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const failure = someFailure(stage)
      const steps = Array.from({ length: random.int(11, 20) }, () => {
        readSomething(stage)
        return trace.step(failure.call, failure.output, { failed: true })
      })
      return evidentAfter(steps, 8)
    },
  },
]

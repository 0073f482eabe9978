import { sentence } from '../../prose.js'
import type { LoopKind } from '../case.js'
import { symbol } from '../code.js'
import { listing } from '../outputs.js'
import { stems } from '../tables/names.js'
import { searchWords } from '../tables/talk.js'
import type { Step } from '../trace.js'
import { readSomething, runnerFor, startWorking } from '../work.js'
import { evidentAfter, evidentAfterLaps } from './evidence.js'
import { again, someFailure, someRead } from './identical.js'

/** Different calls, and nothing new comes back. */
export const nothingLearnedLoops: readonly LoopKind[] = [
  {
    kind: 'reworded-search',
    evident: 'the eighth rewording answered with the same nothing',
    write(stage) {
      startWorking(stage)
      const { random } = stage
      const name = random.pick([
        'tool_search',
        'web_search',
        'Search',
        'kb_lookup',
        'codebase_search',
      ])
      const answer = random.pick([
        '[]',
        'No results found.',
        '{"results": [], "total": 0}',
        'Nothing matched your query. Try different keywords.',
        '',
      ])
      return evidentAfter(
        again(
          stage,
          () => ({
            call: {
              name,
              args: {
                query: random.sample([...searchWords, ...stems], random.int(2, 5)).join(' '),
              },
            },
            output: answer,
          }),
          10,
        ),
        8,
      )
    },
  },
  {
    kind: 'same-results',
    evident: 'the eighth different query answered with the very same results',
    write(stage) {
      startWorking(stage)
      const { random, world } = stage
      const name = random.pick(['tool_search', 'docs_search', 'mcp__kb__query', 'semantic_search'])
      const answer = JSON.stringify(
        random.sample(world.paths, 5).map((path, rank) => ({ rank: rank + 1, path, score: 0.4 })),
      )
      return evidentAfter(
        again(
          stage,
          () => ({
            call: { name, args: { query: random.sample(searchWords, random.int(1, 3)).join(' ') } },
            output: answer,
          }),
          10,
        ),
        8,
      )
    },
  },
  {
    kind: 'prints-instead-of-acting',
    evident: 'the sixth program that only prints what should be done',
    write(stage) {
      startWorking(stage, 2)
      const { random } = stage
      const task = sentence(random)
      return evidentAfter(
        again(
          stage,
          () => {
            const words = `${random.pick(['Please', 'Now', 'Next,', 'Kindly', 'As asked,'])} ${random.pick(['look into this', 'find this out', 'search for this', 'handle this'])}: ${task} ${random.pick(['Give all details.', 'Report the source.', 'Be thorough.', 'Check it twice.', ''])}`
            return {
              call: {
                name: 'python_interpreter',
                args: { code: `request = ${JSON.stringify(words)}\nprint(request)` },
              },
              output: `Execution logs:\n${words}\nLast output from code snippet:\nNone`,
            }
          },
          9,
        ),
        6,
      )
    },
  },
  {
    kind: 'invented-names',
    evident: 'the eighth invented name looked up without a match',
    write(stage) {
      startWorking(stage)
      const { random, agent, world } = stage
      return evidentAfter(
        again(
          stage,
          () => {
            const name =
              symbol(random, world.language) +
              random.pick(['', 'Impl', 'Factory', '_v2', 'Base', 'Async'])
            return { call: agent.search(name, '.'), output: agent.noMatches(name) }
          },
          10,
        ),
        8,
      )
    },
  },
  {
    kind: 'other-flags',
    evident: 'the sixth run of one program under other flags, byte for byte the same',
    write(stage) {
      startWorking(stage)
      const { random, agent, world } = stage
      const runner = runnerFor(world.language)
      const text = runner.print(random, world.symbols(2), 40)
      const flags = random.sample(
        [
          '-v',
          '-vv',
          '--debug',
          '--log-level=debug',
          '--trace',
          '2>&1',
          '| tail -50',
          '--no-color',
          '--verbose',
          '-s',
          '--tb=long',
          '--maxfail=1',
          '| cat',
          '--full-trace',
        ],
        14,
      )
      return evidentAfter(
        again(
          stage,
          (count) => {
            const command = `${runner.command} ${flags[(count - 1) % flags.length]}`
            return {
              call: agent.shell(command, 'Run with more output'),
              output: agent.printed(random, command, text, 1),
              failed: true,
            }
          },
          8,
        ),
        6,
      )
    },
  },
  {
    kind: 'test-between-reads',
    evident: 'the sixth identical test run, nothing changed, between files already read',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const reads = Array.from({ length: random.int(2, 4) }, () => someRead(stage))
      const failure = someFailure(stage)
      const steps = Array.from({ length: random.int(9, 20) }, () => {
        for (const { call, output } of random.sample(reads, random.int(1, 2)))
          trace.step(call, output)
        return trace.step(failure.call, failure.output, { failed: true })
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
    kind: 'git-overviews',
    evident: 'the tenth look at an unchanged repository',
    write(stage) {
      startWorking(stage)
      const { random, agent, world } = stage
      const [one, two] = [random.pick(world.paths), random.pick(world.paths)]
      const status = `On branch main\nChanges not staged for commit:\n\tmodified:   ${one}\n\tmodified:   ${two}\n\nno changes added to commit`
      const diff = ` ${one} | 4 ++--\n ${two} | 9 +++++++++\n 2 files changed, 11 insertions(+), 2 deletions(-)`
      return evidentAfter(
        again(
          stage,
          () => {
            const command = random.pick([
              'git status',
              'git diff --stat',
              'git status --long',
              'git diff --stat HEAD',
              'git status -uno',
              'git status && git diff --stat',
            ])
            const text = [
              command.includes('status') ? status : '',
              command.includes('diff') ? diff : '',
            ]
              .join('\n')
              .trim()
            return {
              call: agent.shell(command, 'Check the state'),
              output: agent.printed(random, command, text, 0),
            }
          },
          14,
        ),
        10,
      )
    },
  },
  {
    kind: 'echo-done',
    evident: 'the sixth rephrased command that does nothing',
    write(stage) {
      startWorking(stage)
      const { random, agent } = stage
      return evidentAfter(
        again(
          stage,
          () => {
            const words = random.pick([
              'I am done',
              'The task is complete',
              'All work has been finished',
              'Done',
              'Task completed successfully',
              'Everything is in place now',
              'The issue has been resolved',
              'No further action is needed',
              'Finished',
              'The fix is complete and verified',
              'Ready for review',
            ])
            const command = `echo "${words}${random.pick(['', '.', '!', ' now.', ' again.'])}"`
            return {
              call: agent.shell(command, 'Report'),
              output: agent.printed(random, command, command.slice(6, -1), 0),
            }
          },
          10,
        ),
        6,
      )
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

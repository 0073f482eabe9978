import { sentence } from '../../prose.js'
import type { LoopKind } from '../case.js'
import { symbol } from '../code.js'
import { stems } from '../tables/names.js'
import { searchWords } from '../tables/talk.js'
import { runnerFor, startWorking } from '../work.js'
import { evidentAfter } from './evidence.js'
import { again } from './identical.js'

/** Different calls, the same nothing comes back. */
export const fruitlessLoops: readonly LoopKind[] = [
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
]

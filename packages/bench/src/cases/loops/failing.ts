import { sentence } from '../../prose.js'
import type { LoopKind } from '../case.js'
import { statement, symbol } from '../code.js'
import { buildError } from '../outputs.js'
import { folders, packagesOnRegistry, stems, subjects } from '../tables/names.js'
import { searchWords } from '../tables/talk.js'
import { readSomething, startWorking } from '../work.js'
import { evidentAfter } from './evidence.js'
import { again } from './identical.js'

/** Errors that do not change, though the call does. */
export const failingLoops: readonly LoopKind[] = [
  {
    kind: 'rejected-edit',
    evident: 'the sixth edit of one file rejected for the same reason',
    write(stage) {
      startWorking(stage)
      const { random, agent, world } = stage
      const path = world.freshPath()
      return evidentAfter(
        again(stage, () => {
          const [before, after] = [
            statement(random, world.language),
            statement(random, world.language),
          ]
          // what an editor quotes is the caller's own text, and new each time
          return {
            call: agent.edit(path, before, after),
            output: agent.editFailed(path, before),
            failed: true,
          }
        }),
        6,
      )
    },
  },
  {
    kind: 'edit-changes-nothing',
    evident: 'the sixth edit answered with "no changes"',
    write(stage) {
      startWorking(stage)
      const { random, agent, world } = stage
      const path = world.freshPath()
      const answer = random.pick([
        'No changes to make: old_string and new_string are exactly the same.',
        `No changes detected in ${path}. The file already contains the new content.`,
        'Error: the edit produced no difference',
      ])
      return evidentAfter(
        again(stage, () => {
          const same = statement(random, world.language)
          return { call: agent.edit(path, same, same), output: answer, failed: true }
        }),
        6,
      )
    },
  },
  {
    kind: 'prose-to-shell',
    evident: 'the eighth sentence given to the shell as a command',
    write(stage) {
      startWorking(stage)
      const { random, agent } = stage
      return evidentAfter(
        again(
          stage,
          (count) => {
            const command = random.chance(0.5)
              ? sentence(random)
              : `The ${random.pick(searchWords)} has been handled, the task is complete.`
            const word = command.split(' ')[0]
            const text =
              count % 2 === 0
                ? `/bin/bash: line 1: ${word}: command not found`
                : "/bin/bash: -c: line 1: unexpected EOF while looking for matching `''"
            return {
              call: agent.shell(command, 'Report'),
              output: agent.printed(random, command, text, 127),
              failed: true,
            }
          },
          10,
        ),
        8,
      )
    },
  },
  {
    kind: 'guessed-paths',
    evident: 'the eighth guess at a path that does not exist',
    write(stage) {
      startWorking(stage)
      const { random, agent, world } = stage
      return evidentAfter(
        again(
          stage,
          () => {
            const path = `${random.pick(folders)}/${random.pick(stems)}_${random.pick(stems)}.${world.language}`
            const call = random.chance(0.7) ? agent.read(path, 1, 100) : agent.list(path)
            return { call, output: agent.noFile(path), failed: true }
          },
          10,
        ),
        8,
      )
    },
  },
  {
    kind: 'guessed-attributes',
    evident: 'the eighth guess at a name, the error differing only in the guess',
    write(stage) {
      startWorking(stage)
      const { random, agent } = stage
      const type = random.pick(subjects)
      return evidentAfter(
        again(
          stage,
          () => {
            const guess = symbol(random, 'py')
            const command = `python -c "from app.models import ${type}; print(${type}().${guess})"`
            const text = `Traceback (most recent call last):\n  File "<string>", line 1, in <module>\nAttributeError: '${type}' object has no attribute '${guess}'`
            return {
              call: agent.shell(command, 'Try'),
              output: agent.printed(random, command, text, 1),
              failed: true,
            }
          },
          10,
        ),
        8,
      )
    },
  },
  {
    kind: 'error-in-other-spellings',
    evident: 'the seventh spelling of a command that fails in the same way',
    write(stage) {
      startWorking(stage)
      const { random, agent, world, trace } = stage
      const module = world.symbols(1)[0]
      const error = buildError(random, random.pick(world.paths))
      const spellings = [
        `python -m ${module}`,
        `python3 -m ${module}`,
        `python ${module}.py`,
        `cd src && python -m ${module}`,
        `PYTHONPATH=. python -m ${module}`,
        `python3 ./${module}.py`,
        `python -B -m ${module}`,
        `time python -m ${module}`,
        `env python -m ${module}`,
        `python -u -m ${module}`,
        `PYTHONPATH=$PWD python3 -m ${module}`,
        `(python -m ${module})`,
      ]
      return evidentAfter(
        again(
          stage,
          (count) => {
            if (random.chance(0.25)) trace.message(`${sentence(random)} ${sentence(random)}`)
            const command = spellings[(count - 1) % spellings.length] as string
            return {
              call: agent.shell(command, 'Run'),
              output: agent.printed(random, command, error, 1),
              failed: true,
            }
          },
          9,
        ),
        7,
      )
    },
  },
  {
    kind: 'invalid-parameters',
    evident: 'the fifth call rejected because its parameters are invalid',
    write(stage) {
      startWorking(stage, 3)
      const { random } = stage
      const name = random.pick([
        'gateway',
        'task',
        'update_plan',
        'mcp__jira__search',
        'todo_write',
        'web_fetch',
      ])
      const wanted = random.pick(['url', 'todos', 'query', 'command', 'subagent_type'])
      return evidentAfter(
        again(stage, () => ({
          call: {
            name,
            args: random.chance(0.5)
              ? {}
              : { [random.pick(['input', 'value', 'payload', 'data'])]: random.pick(stems) },
          },
          output: `params must have required property '${wanted}' (request ${random.hex(8)})`,
          failed: true,
        })),
        5,
      )
    },
  },
  {
    kind: 'error-between-other-work',
    evident: 'the seventh time one tool is called in the same wrong way, other work in between',
    write(stage) {
      startWorking(stage)
      const { random, trace } = stage
      const name = random.pick(['page_down', 'visit_page', 'inspect_file', 'final_check'])
      const error = `TypeError: ${name}() got an unexpected keyword argument '${random.pick(stems)}'`
      const steps = Array.from({ length: random.int(10, 16) }, () => {
        if (random.chance(0.6)) readSomething(stage)
        const args = { [random.pick(['object', 'input', 'step'])]: random.pick(stems) }
        return trace.step({ name, args }, error, { failed: true })
      })
      return evidentAfter(steps, 7)
    },
  },
  {
    kind: 'invented-tools',
    evident: 'the sixth call of a tool that does not exist',
    write(stage) {
      startWorking(stage)
      const { random, agent } = stage
      const invent = random.pick([
        () =>
          random.pick([
            'wri',
            'ed',
            'ba',
            'rea',
            'writ',
            'edi',
            'bas',
            'gre',
            'sear',
            'lis',
            'cre',
            'fi',
          ]),
        () => `${symbol(random, 'py')}`,
        () => `default_api.${symbol(random, 'ts')}`,
      ])
      return evidentAfter(
        again(
          stage,
          () => {
            const name = invent()
            return {
              call: { name, args: { path: random.pick(stems) } },
              output: agent.noTool(name),
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
    kind: 'unauthorised',
    evident: 'the fifth reworded request refused for want of permission',
    write(stage) {
      startWorking(stage, 2)
      const { random } = stage
      const name = random.pick(['web_search', 'sourcegraph', 'mcp__github__search_issues', 'fetch'])
      return evidentAfter(
        again(stage, () => ({
          call: {
            name,
            args: {
              query: `${random.pick(searchWords)} ${random.pick(stems)} ${random.pick(['example', 'docs', 'fix', 'usage'])}`,
            },
          },
          output: random.pick([
            'HTTP 401 Unauthorized: invalid API key',
            `401: {"message":"Bad credentials","request_id":"${random.hex(12)}"}`,
          ]),
          failed: true,
        })),
        5,
      )
    },
  },
  {
    kind: 'install-again',
    evident: 'the fifth attempt to install what cannot be installed',
    write(stage) {
      startWorking(stage)
      const { random, agent } = stage
      const wanted = random.pick(packagesOnRegistry)
      return evidentAfter(
        again(stage, () => {
          const command = random.pick([
            `pip install ${wanted}`,
            `pip3 install ${wanted}`,
            `pip install --user ${wanted}`,
            `python -m pip install ${wanted}`,
            `pip install --no-cache-dir ${wanted}`,
            `pip install ${wanted} --quiet`,
          ])
          const text = `ERROR: Could not find a version that satisfies the requirement ${wanted} (from versions: none)\nERROR: No matching distribution found for ${wanted}`
          return {
            call: agent.shell(command, 'Install'),
            output: agent.printed(random, command, text, 1),
            failed: true,
          }
        }),
        5,
      )
    },
  },
]

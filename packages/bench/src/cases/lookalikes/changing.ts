import type { LookalikeKind } from '../case.js'
import { statement } from '../code.js'
import { buildError, matches } from '../outputs.js'
import { packagesOnRegistry } from '../tables/names.js'
import {
  editSomething,
  fill,
  keepWorking,
  readSomething,
  runnerFor,
  startWorking,
  testSomething,
} from '../work.js'

/** The same command again and again, but always after a change. */
export const changingLookalikes: readonly LookalikeKind[] = [
  {
    kind: 'fewer-failures',
    write(stage) {
      startWorking(stage)
      const { random, world } = stage
      const total = random.int(30, 200)
      const failing = world.symbols(random.int(6, 14))
      while (failing.length > 0) {
        for (let edits = random.int(1, 2); edits > 0; edits--) editSomething(stage)
        if (random.chance(0.8)) failing.pop()
        testSomething(stage, failing, total)
      }
    },
  },
  {
    kind: 'edit-same-error',
    write(stage) {
      startWorking(stage)
      const { random, trace, agent, world } = stage
      const path = world.freshPath()
      const error = buildError(random, path)
      const command = random.pick(['npm run build', 'make', 'cargo build', 'tsc --noEmit'])
      for (let count = random.int(5, 8); count > 0; count--) {
        editSomething(stage, path)
        trace.step(agent.shell(command, 'Build'), agent.printed(random, command, error, 1), {
          failed: true,
        })
      }
      editSomething(stage, path)
      trace.step(
        agent.shell(command, 'Build'),
        agent.printed(random, command, 'Build finished.', 0),
      )
    },
  },
  {
    kind: 'lint-between-edits',
    write(stage) {
      startWorking(stage)
      const { random, trace, agent } = stage
      const command = random.pick([
        'npm run lint',
        'ruff check .',
        'cargo clippy',
        'golangci-lint run',
      ])
      const clean = agent.printed(
        random,
        command,
        random.pick(['All checks passed!', '', 'Checked 212 files. No fixes applied.']),
        0,
      )
      for (let count = random.int(6, 14); count > 0; count--) {
        for (let edits = random.int(1, 3); edits > 0; edits--) editSomething(stage)
        trace.step(agent.shell(command, 'Lint'), clean)
      }
    },
  },
  {
    kind: 'many-edits',
    write(stage) {
      startWorking(stage)
      const { random, trace, agent, world } = stage
      const path = world.freshPath()
      for (let count = random.int(15, 30); count > 0; count--) {
        const call = agent.edit(
          random.chance(0.5) ? path : world.freshPath(),
          statement(random, world.language),
          statement(random, world.language),
        )
        trace.step(call, 'ok')
      }
    },
  },
  {
    kind: 'script-after-change',
    write(stage) {
      startWorking(stage)
      const { random, trace, agent } = stage
      const command = 'python reproduce.py'
      for (let count = random.int(9, 14); count > 0; count--) {
        editSomething(stage)
        const text = random.chance(0.5) ? 'Result: None' : `Result: ${random.int(0, 9)}`
        trace.step(agent.shell(command, 'Reproduce'), agent.printed(random, command, text, 0))
      }
    },
  },
  {
    kind: 'read-again-after-edit',
    write(stage) {
      startWorking(stage)
      const { random, trace, agent, world } = stage
      const path = world.freshPath()
      const lines = [...world.lines(path)].slice(0, 80)
      for (let count = random.int(6, 12); count > 0; count--) {
        trace.step(agent.read(path, 1, 120), agent.shown(path, lines, 1, lines.length))
        const at = random.int(2, lines.length - 1)
        const after = statement(random, world.language)
        trace.step(agent.edit(path, lines[at] ?? '', after), agent.edited(path, `${at}\t${after}`))
        lines.splice(at, random.int(0, 1), after)
      }
    },
  },
  {
    kind: 'install-then-retry',
    write(stage) {
      startWorking(stage)
      const { random, trace, agent } = stage
      const command = 'python app.py'
      for (const missing of random.sample(packagesOnRegistry, random.int(3, 7))) {
        trace.step(
          agent.shell(command, 'Start'),
          agent.printed(random, command, `ModuleNotFoundError: No module named '${missing}'`, 1),
          { failed: true },
        )
        const install = `pip install ${missing}`
        trace.step(
          agent.shell(install, 'Install'),
          agent.printed(
            random,
            install,
            `Successfully installed ${missing}-${random.int(1, 9)}.${random.int(0, 30)}`,
            0,
          ),
        )
      }
      trace.step(
        agent.shell(command, 'Start'),
        agent.printed(random, command, 'Listening on :8080', 0),
      )
    },
  },
  {
    kind: 'commit-each-step',
    write(stage) {
      startWorking(stage)
      const { random, trace, agent, world } = stage
      for (let count = random.int(6, 12); count > 0; count--) {
        editSomething(stage)
        trace.step(agent.shell('git add -A', 'Stage'), agent.printed(random, 'git add -A', '', 0))
        const commit = `git commit -m "fix ${world.symbols(1)[0]}"`
        trace.step(
          agent.shell(commit, 'Commit'),
          agent.printed(
            random,
            commit,
            `[main ${random.hex(7)}] fix\n 1 file changed, ${random.int(1, 20)} insertions(+)`,
            0,
          ),
        )
        trace.step(
          agent.shell('git status', 'State'),
          agent.printed(
            random,
            'git status',
            'On branch main\nnothing to commit, working tree clean',
            0,
          ),
        )
      }
    },
  },
  {
    kind: 'move-and-update-imports',
    write(stage) {
      startWorking(stage)
      const { random, trace, agent, world } = stage
      for (let count = random.int(8, 16); count > 0; count--) {
        const path = world.freshPath()
        trace.step(
          agent.search(path.replace(/.*\//, ''), '.'),
          matches(random, world.paths, 'import'),
        )
        const move = `git mv ${path} ${path.replace(/^[^/]*/, 'modules')}`
        trace.step(agent.shell(move, 'Move'), agent.printed(random, move, '', 0))
        for (let edits = random.int(1, 3); edits > 0; edits--) editSomething(stage)
      }
    },
  },
  {
    kind: 'option-toggled',
    write(stage) {
      startWorking(stage)
      const { random, trace, agent } = stage
      const results = [
        `median ${random.int(40, 60)} ms, 95th ${random.int(70, 90)} ms`,
        `median ${random.int(20, 39)} ms, 95th ${random.int(41, 69)} ms`,
      ]
      for (let lap = random.int(2, 3); lap > 0; lap--) {
        for (const [index, value] of ['off', 'on'].entries()) {
          const set = `sed -i 's/^cache=.*/cache=${value}/' bench.ini`
          trace.step(agent.shell(set, 'Toggle the cache'), agent.printed(random, set, '', 0))
          trace.step(
            agent.shell('./bench.sh', 'Measure'),
            agent.printed(random, './bench.sh', results[index] as string, 0),
          )
        }
      }
      keepWorking(stage, 4)
    },
  },
  {
    kind: 'long-verification',
    write(stage) {
      startWorking(stage)
      const { random, world } = stage
      for (let count = random.int(20, 30); count > 0; count--) {
        const path = world.freshPath()
        readSomething(stage, path)
        editSomething(stage, path)
        if (random.chance(0.6)) testSomething(stage, [], random.int(100, 160))
      }
    },
  },
  {
    kind: 'task-list-updates',
    write(stage) {
      startWorking(stage)
      const { random, trace, world } = stage
      const tasks = world.symbols(random.int(6, 10)).map((name) => fill('Rework {x}', name))
      for (let done = 0; done <= tasks.length; done++) {
        const todos = tasks.map((content, index) => ({
          content,
          status: index < done ? 'completed' : index === done ? 'in_progress' : 'pending',
        }))
        trace.step(
          { name: 'TodoWrite', args: { todos } },
          'Todos have been modified successfully. Ensure that you continue to use the todo list.',
        )
        editSomething(stage)
      }
    },
  },
  {
    kind: 'same-tests-other-code',
    write(stage) {
      startWorking(stage)
      const { random, trace, agent, world } = stage
      const runner = runnerFor(world.language)
      const failing = world.symbols(2)
      for (let count = random.int(4, 7); count > 0; count--) {
        for (let edits = random.int(1, 3); edits > 0; edits--) editSomething(stage)
        trace.step(
          agent.shell(runner.command, 'Test'),
          agent.printed(random, runner.command, runner.print(random, failing, 48), 1),
          { failed: true },
        )
        readSomething(stage)
      }
    },
  },
]

import { bash, claude, codex, exec, plain, shell } from './frames.js'
import { type Invented, loop } from './script.js'

const domain = 'coding'

export const rerunLoops: Invented[] = [
  loop(
    {
      name: 'stash and pop',
      domain,
      evidentAt: 18,
      why: 'The same change is put away and taken back again, and the test result follows it every time.',
      style: claude,
    },
    (run) => {
      run.prompt('Is the failing test caused by my change? Find out and fix it.')
      run.until(144, (lap) => {
        if (lap % 2 === 0)
          run.think(
            'I need to know whether the failure is caused by the change or was there before.',
          )
        run.step(
          lap % 3 ? '' : 'Let me check without the change.',
          bash(
            'git stash',
            `Saved working directory and index state WIP on main: ${run.hex(7)} Speed up the router`,
          ),
        )
        run.step(
          '',
          bash(
            'go test ./internal/router/...',
            `ok  \tacme.dev/edge/internal/router\t${run.decimal(0.2, 0.9, 3)}s`,
          ),
        )
        run.step(
          '',
          bash(
            'git stash pop',
            `On branch main\nChanges not staged for commit:\n\tmodified:   internal/router/match.go\n\nno changes added to commit (use "git add" and/or "git commit -a")\nDropped refs/stash@{0} (${run.hex(40)})`,
          ),
        )
        run.step(
          lap % 4 ? '' : 'And now with it.',
          bash(
            'go test ./internal/router/...',
            `--- FAIL: TestMatchTrailingSlash (0.00s)\n    match_test.go:61: got "/a", want "/a/"\nFAIL\nFAIL\tacme.dev/edge/internal/router\t${run.decimal(0.2, 0.9, 3)}s\nFAIL`,
            1,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'empty commits against a red pipeline',
      domain,
      evidentAt: 20,
      why: 'Nothing is changed, only empty commits are pushed, and the same job fails each time.',
      style: claude,
    },
    (run) => {
      run.prompt('CI is red on my branch, get it green.')
      run.until(150, (lap) => {
        const sha = run.hex(7)
        const message = `${run.pick(['ci: retrigger', 'chore: kick pipeline', 'ci: try again', 'chore: rerun checks'])}${lap % 2 ? '' : ` ${lap}`}`
        run.step(
          '',
          bash(
            `git commit --allow-empty -m "${message}" && git push`,
            `[fix/labels ${sha}] ${message}\nTo github.com:acme/edge.git\n   ${run.hex(7)}..${sha}  fix/labels -> fix/labels`,
          ),
        )
        run.wait(240)
        run.step(
          lap % 4 ? '' : 'Let me see whether the pipeline passes this time.',
          bash(
            'gh pr checks 318',
            `build\tpass\t1m${run.int(2, 50)}s\thttps://github.com/acme/edge/actions/runs/${run.int(1e9, 9e9)}\nlint\tfail\t${run.int(20, 50)}s\thttps://github.com/acme/edge/actions/runs/${run.int(1e9, 9e9)}\nunit\tpass\t2m${run.int(2, 50)}s\thttps://github.com/acme/edge/actions/runs/${run.int(1e9, 9e9)}`,
            1,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'edits sliding down a file',
      domain,
      evidentAt: 12,
      why: 'The same block is proposed one line further down each time and always refused for its syntax.',
      style: { turns: true },
    },
    (run) => {
      run.prompt('Solve the issue: JsonReader must reject trailing commas.')
      run.step(
        '',
        plain(
          'open',
          { command: 'open src/reader.py 200' },
          '[File: /repo/src/reader.py (412 lines total)]\n(150 more lines above)\n151:    def next(self):\n152:        token = self._peek()',
        ),
      )
      const first = run.int(100, 160)
      run.until(130, (lap) => {
        const line = first + lap
        run.step(
          lap % 2 ? '' : 'The indentation seems to be off, I will correct the edit.',
          plain(
            'edit',
            {
              command: `edit ${line}:${line + 3}\n    if token == ',':\n      raise ValueError("trailing comma")\nend_of_edit`,
            },
            `Your proposed edit has introduced new syntax error(s). Please read this error message carefully and then retry editing the file.\n\nERRORS:\n- E999 IndentationError: unindent does not match any outer indentation level\n\nThis is how your edit would have looked if applied\n-------------------------------------------------\n[File: /repo/src/reader.py (412 lines total)]\n${line}:    if token == ',':\n${line + 1}:      raise ValueError("trailing comma")\n-------------------------------------------------\nYour changes have NOT been applied. Please fix your edit command and try again.`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'test output sent to new temporary files',
      domain,
      evidentAt: 16,
      why: 'The same suite runs into ever new files and the same three lines are read back.',
      style: codex,
    },
    (run) => {
      run.prompt('Make tests/test_sync.py pass.')
      run.until(140, (lap) => {
        const out = `/tmp/${run.pick(['out', 'log', 'pytest', 'run'])}${lap}.txt`
        run.step('', exec(run, `pytest tests/test_sync.py -q > ${out} 2>&1`, '', 1))
        run.step(
          lap % 5 ? '' : 'Checking the output.',
          exec(
            run,
            `tail -n 3 ${out}`,
            `FAILED tests/test_sync.py::test_resume - ConnectionRefusedError: [Errno 111] Connection refused\n1 failed, 11 passed in ${run.decimal(1, 4)}s\n`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'build again under other flags',
      domain,
      evidentAt: 14,
      why: 'Gradle is asked for ever more detail, but the missing dependency stays missing.',
      style: { clock: true },
    },
    (run) => {
      run.prompt('Das Projekt baut nicht mehr. Bitte reparieren.')
      run.until(125, (lap) => {
        const flags = run
          .shuffle([
            '--info',
            '--stacktrace',
            '--debug',
            '--no-daemon',
            '--refresh-dependencies',
            '--rerun-tasks',
            '--warning-mode all',
            '--no-build-cache',
            '--offline',
          ])
          .slice(0, 1 + (lap % 4))
          .join(' ')
        run.step(
          lap % 3 ? '' : 'Ich versuche es mit mehr Ausgabe.',
          shell(
            run,
            `./gradlew build ${flags}`,
            `\n> Task :app:compileJava FAILED\n\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':app:compileJava'.\n> Could not resolve all files for configuration ':app:compileClasspath'.\n   > Could not find com.acme:billing-client:4.2.1.\n\nBUILD FAILED in ${run.int(2, 40)}s\n1 actionable task: 1 executed`,
            1,
          ),
        )
      })
    },
  ),
]

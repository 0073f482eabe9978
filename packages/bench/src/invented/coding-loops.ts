import {
  bash,
  claude,
  codex,
  edit,
  exec,
  mini,
  openAi,
  patch,
  plain,
  read,
  shell,
} from './frames.js'
import { cycle, type Invented, loop, type Run } from './script.js'
import { FILES, PARTS } from './words.js'

const domain = 'coding'

export const codingLoops: Invented[] = [
  loop(
    {
      name: 'comment edited, same failing test',
      domain,
      evidentAt: 16,
      why: 'Only a comment changes between test runs, and the same assertion fails each time.',
      style: claude,
    },
    (run) => {
      run.prompt('The discount test fails since yesterday. Please fix it.')
      run.step(
        'Let me look at the test first.',
        bash('npx vitest run src/cart.test.ts', failing(run), 1),
      )
      run.step(
        '',
        read('src/cart.ts', [
          'export function total(items: Item[], code?: string) {',
          '  const sum = items.reduce((all, item) => all + item.price, 0)',
          '  // apply discount',
          '  return code ? sum * 0.9 : sum',
          '}',
        ]),
      )
      let comment = '// apply discount'
      run.until(150, (lap) => {
        const next = `// ${run.pick(['apply', 'compute', 'handle', 'take off', 'subtract'])} the ${run.pick(['discount', 'rebate', 'reduction', 'coupon'])} ${run.pick(['for known codes', 'before rounding', 'once per cart', 'when a code is set', `(rev ${lap + 2})`])}`
        run.step(
          lap % 3 ? '' : 'I see the issue now. Let me fix it.',
          edit('src/cart.ts', comment, next),
        )
        run.step(
          lap % 4 ? '' : 'Now the test should pass.',
          bash('npx vitest run src/cart.test.ts', failing(run), 1),
        )
        comment = next
      })
    },
  ),
  loop(
    {
      name: 'random patch, same panic',
      domain,
      evidentAt: 18,
      why: 'Patches hit unrelated lines, and the same Rust test panics at the same place every time.',
      style: codex,
    },
    (run) => {
      run.prompt('cargo test fails in ring_buffer::wraps. Fix the crate.')
      run.until(140, (lap) => {
        const file = `src/${run.pick(PARTS)}.rs`
        const name = run.pick(['len', 'cap', 'head', 'tail', 'slot', 'next', 'used'])
        run.step(
          lap % 5 === 0 ? 'I’ll adjust the bounds handling.' : '',
          patch(
            file,
            `-    let ${name} = self.${name};\n+    let ${name} = self.${name}.${run.pick(['wrapping_add', 'saturating_sub', 'max', 'min'])}(${run.int(0, 9)});`,
          ),
        )
        run.step(
          '',
          exec(
            run,
            'cargo test -q ring_buffer',
            `\nrunning 6 tests\n....F.\nfailures:\n\n---- ring_buffer::wraps stdout ----\nthread 'ring_buffer::wraps' (${run.int(20000, 90000)}) panicked at src/ring_buffer.rs:88:9:\nassertion \`left == right\` failed\n  left: 7\n right: 8\n\ntest result: FAILED. 5 passed; 1 failed; 0 ignored; finished in ${run.decimal(0, 0.09)}s\n`,
            101,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'replace cannot find its text',
      domain,
      evidentAt: 10,
      why: 'Every replacement is rejected because the old text is not in the file, however it is spelled.',
    },
    (run) => {
      run.prompt('Rename the config key timeoutMs to requestTimeoutMs everywhere.')
      run.step(
        'I will read the file first.',
        plain(
          'read_file',
          { absolute_path: '/home/dev/app/config.yaml' },
          'server:\n  port: 8080\n  timeoutMs: 3000   # keep below the proxy limit\n',
        ),
      )
      run.until(130, (lap) => {
        const gap = ' '.repeat(1 + (lap % 9))
        const old = `timeoutMs:${gap}${run.int(1000, 9000)}${run.pick(['', ' ', '  # proxy', ' # limit'])}`
        run.step(
          cycle(
            ['', 'The whitespace must be different.', '', 'Let me try with more context.'],
            lap,
          ),
          plain(
            'replace',
            {
              file_path: '/home/dev/app/config.yaml',
              old_string: old,
              new_string: old.replace('timeoutMs', 'requestTimeoutMs'),
              instruction: 'Rename the key',
            },
            "Failed to edit, 0 occurrences found for old_string in /home/dev/app/config.yaml. No edits made. The exact text in old_string was not found. Ensure you're not escaping content incorrectly and check whitespace, indentation, and context. Use read_file tool to verify.",
            true,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'rejected edit quotes new text each time',
      domain,
      evidentAt: 12,
      why: 'The tool refuses each edit for the same reason; only the quoted text differs.',
      style: claude,
    },
    (run) => {
      run.prompt('Add retry handling to the uploader.')
      run.step(
        '',
        read('/srv/app/upload.py', [
          'def upload(path):',
          '    with open(path, "rb") as handle:',
          '        send(handle.read())',
        ]),
      )
      run.until(135, (lap) => {
        const guess = `def upload(path${run.pick(['', ', retries=3', ': str', ': Path'])}):\n    ${run.pick(['try:', 'for attempt in range(3):', 'data = load(path)', 'client = get_client()'])}\n        ${run.pick(PARTS)}(${run.pick(['path', 'data', 'handle'])}, ${lap})`
        run.step(lap % 6 ? '' : 'Let me apply the change.', {
          name: 'Edit',
          args: {
            file_path: '/srv/app/upload.py',
            old_string: guess,
            new_string: `${guess}\n        retry()`,
          },
          output: `<tool_use_error>String to replace not found in file.\nString: ${guess}</tool_use_error>`,
          isError: true,
        })
      })
    },
  ),
  loop(
    {
      name: 'new script, same missing module',
      domain,
      evidentAt: 14,
      why: 'Each new reproduction script dies on the same import that was never installed.',
    },
    (run) => {
      run.prompt('Reproduce the bug in issue 4417 with a script, then fix it.')
      run.until(125, (lap) => {
        const script = `${run.pick(['repro', 'test_issue', 'check', 'debug', 'verify'])}_${run.pick(PARTS)}_${lap}.py`
        run.step(
          `THOUGHT: I'll write a ${run.pick(['simpler', 'smaller', 'more direct', 'cleaner'])} script to reproduce the issue.`,
          mini(
            `cat > ${script} <<'EOF'\nimport lxml.etree as ET\nfrom pkg.${run.pick(PARTS)} import load\n\ndoc = ET.fromstring("<a n='${run.int(1, 999)}'/>")\nprint(load(doc))\nEOF\npython ${script}`,
            `Traceback (most recent call last):\n  File "/testbed/${script}", line 1, in <module>\n    import lxml.etree as ET\nModuleNotFoundError: No module named 'lxml'`,
            1,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'two type errors in turn',
      domain,
      evidentAt: 16,
      why: 'Adding the cast brings the first error back, removing it brings the second; nothing else changes.',
      style: openAi,
    },
    (run) => {
      run.prompt('tsc fails on src/api/orders.ts, make it compile.')
      run.until(140, (lap) => {
        const cast = lap % 2 === 0
        run.step(
          cast ? 'Adding the cast.' : 'The cast is wrong, removing it.',
          plain(
            'edit',
            {
              filePath: '/workspace/src/api/orders.ts',
              oldString: cast ? 'return body' : 'return body as Order',
              newString: cast ? 'return body as Order' : 'return body',
            },
            'Edit applied successfully.',
          ),
        )
        run.step(
          '',
          plain(
            'bash',
            { command: 'npx tsc --noEmit', description: 'Type-checks the project' },
            cast
              ? "src/api/orders.ts(41,10): error TS2352: Conversion of type 'Body' to type 'Order' may be a mistake because neither type sufficiently overlaps with the other. If this was intentional, convert the expression to 'unknown' first.\n"
              : "src/api/orders.ts(41,3): error TS2322: Type 'Body' is not assignable to type 'Order'.\n  Property 'total' is missing in type 'Body' but required in type 'Order'.\n",
          ),
        )
      })
    },
  ),
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

function failing(run: Run) {
  return ` RUN  v3.2.4 /home/dev/shop\n\n ❯ ${FILES[0].replace('.ts', '.test.ts')} (8 tests | 1 failed) ${run.int(9, 40)}ms\n   × total > takes 15 percent off with SPRING ${run.int(2, 9)}ms\n     → expected 90 to be 85 // Object.is equality\n\n Test Files  1 failed (1)\n      Tests  1 failed | 7 passed (8)\n   Start at  ${run.int(10, 23)}:${run.int(10, 59)}:${run.int(10, 59)}\n   Duration  ${run.decimal(0.6, 2)}s (transform ${run.int(20, 90)}ms, setup 0ms, collect ${run.int(20, 90)}ms, tests ${run.int(9, 40)}ms)`
}

import { bash, claude, codex, edit, exec, mini, openAi, patch, plain, read } from './frames.js'
import { cycle, type Invented, loop, type Run } from './script.js'
import { FILES, PARTS } from './words.js'

const domain = 'coding'

export const editLoops: Invented[] = [
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
]

function failing(run: Run) {
  return ` RUN  v3.2.4 /home/dev/shop\n\n ❯ ${FILES[0].replace('.ts', '.test.ts')} (8 tests | 1 failed) ${run.int(9, 40)}ms\n   × total > takes 15 percent off with SPRING ${run.int(2, 9)}ms\n     → expected 90 to be 85 // Object.is equality\n\n Test Files  1 failed (1)\n      Tests  1 failed | 7 passed (8)\n   Start at  ${run.int(10, 23)}:${run.int(10, 59)}:${run.int(10, 59)}\n   Duration  ${run.decimal(0.6, 2)}s (transform ${run.int(20, 90)}ms, setup 0ms, collect ${run.int(20, 90)}ms, tests ${run.int(9, 40)}ms)`
}

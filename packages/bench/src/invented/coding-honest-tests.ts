import {
  bash,
  claude,
  codex,
  edit,
  exec,
  gemini,
  mini,
  openAi,
  patch,
  plain,
  shell,
} from './frames.js'
import { honest, type Invented, times } from './script.js'
import { PARTS } from './words.js'

const domain = 'coding'

export const honestTests: Invented[] = [
  honest(
    {
      name: 'compiler errors shrink',
      domain,
      why: 'The error class stays the same, but each patch removes the next place.',
      style: codex,
    },
    (run) => {
      run.prompt('Upgrade to the new async trait; make it build.')
      const places = run.shuffle(PARTS).slice(0, 20)
      places.forEach((part, n) => {
        const line = run.int(20, 300)
        run.step(
          n % 5 ? '' : 'Working through the mismatched types.',
          exec(
            run,
            'cargo check 2>&1 | tail -n 12',
            `error[E0308]: mismatched types\n  --> src/${part}.rs:${line}:9\n   |\n${line} |         self.inner.call(req)\n   |         ^^^^^^^^^^^^^^^^^^^^ expected \`Pin<Box<...>>\`, found future\n\nFor more information about this error, try \`rustc --explain E0308\`.\nerror: could not compile \`edge\` (lib) due to ${places.length - n} previous error${n === places.length - 1 ? '' : 's'}\n`,
            101,
          ),
        )
        run.step(
          '',
          patch(
            `src/${part}.rs`,
            '-        self.inner.call(req)\n+        Box::pin(self.inner.call(req))',
          ),
        )
      })
      run.step(
        '',
        exec(
          run,
          'cargo check',
          `    Finished \`dev\` profile [unoptimized + debuginfo] target(s) in ${run.decimal(3, 9)}s\n`,
        ),
      )
    },
  ),
  honest(
    {
      name: 'components moved one at a time',
      domain,
      why: 'For every component: find its uses, move it, update the imports. Another component each time.',
      style: gemini,
    },
    (run) => {
      run.prompt('Move each component of src/components into a folder of its own.')
      run
        .shuffle(PARTS)
        .slice(0, 20)
        .forEach((part) => {
          run.step(
            '',
            shell(
              run,
              `grep -rn "components/${part}'" src`,
              `src/app.tsx:${run.int(1, 60)}:import { ${part} } from './components/${part}'`,
            ),
          )
          run.step(
            '',
            shell(
              run,
              `mkdir -p src/components/${part} && git mv src/components/${part}.tsx src/components/${part}/index.tsx`,
              '',
            ),
          )
          run.step(
            '',
            plain(
              'replace',
              {
                file_path: '/app/src/app.tsx',
                old_string: `./components/${part}'`,
                new_string: `./components/${part}/index'`,
              },
              'Successfully modified file: /app/src/app.tsx (1 replacements).',
            ),
          )
        })
    },
  ),
  honest(
    {
      name: 'red, green, next',
      domain,
      why: 'Test-driven work: a new test fails, the code follows, the same file of tests passes.',
      style: openAi,
    },
    (run) => {
      run.prompt('Write the roman numeral converter test first, one rule at a time.')
      times(16, (n) => {
        const number = n * 3 + 1
        run.step(
          '',
          plain(
            'edit',
            {
              filePath: '/workspace/roman.test.ts',
              oldString: '// next',
              newString: `it('converts ${number}', () => expect(roman(${number})).toBe('...'))\n// next`,
            },
            'Edit applied successfully.',
          ),
        )
        run.step(
          '',
          plain(
            'bash',
            { command: 'bun test', description: 'Runs the tests' },
            `bun test v1.2.${run.int(2, 20)}\n\nroman.test.ts:\n✗ converts ${number} [${run.decimal(0.1, 2)}ms]\n\n ${n} pass\n 1 fail\nRan ${n + 1} tests across 1 file. [${run.int(8, 30)}.00ms]`,
          ),
        )
        run.step(
          '',
          plain(
            'edit',
            {
              filePath: '/workspace/roman.ts',
              oldString: '  // rules',
              newString: `  [${number}, '...'],\n  // rules`,
            },
            'Edit applied successfully.',
          ),
        )
        run.step(
          '',
          plain(
            'bash',
            { command: 'bun test', description: 'Runs the tests' },
            `bun test v1.2.${run.int(2, 20)}\n\n ${n + 1} pass\n 0 fail\nRan ${n + 1} tests across 1 file. [${run.int(8, 30)}.00ms]`,
          ),
        )
      })
    },
  ),
  honest(
    {
      name: 'prints that close in on a bug',
      domain,
      why: 'The same assertion fails throughout, but every print shows a new fact and the cause is found.',
    },
    (run) => {
      run.prompt('test_merge fails. Find out why.')
      const facts = run.shuffle(PARTS).slice(0, 12)
      facts.forEach((fact, n) => {
        run.step(
          `THOUGHT: ${run.pick(['I want to see', 'Next I look at', 'Let me print'])} ${fact}.`,
          mini(`sed -i '${40 + n}i\\    print("${fact}", ${fact})' merge.py`, ''),
        )
        run.step(
          '',
          mini(
            'python -m pytest test_merge.py -q -s 2>&1 | tail -n 8',
            `${facts
              .slice(0, n + 1)
              .map(
                (name) =>
                  `${name} ${run.pick(['None', '[]', "{'a': 1}", String(run.int(1, 900))])}`,
              )
              .join(
                '\n',
              )}\nF\nE       AssertionError: assert ['a', 'c'] == ['a', 'b', 'c']\n1 failed in ${run.decimal(0.1, 0.9)}s`,
            1,
          ),
        )
      })
      run.step(
        '',
        mini(
          "sed -i 's/pending.pop()/pending.pop(0)/' merge.py && python -m pytest test_merge.py -q",
          `.\n1 passed in ${run.decimal(0.1, 0.9)}s`,
        ),
      )
    },
  ),
  honest(
    {
      name: 'rebase with many conflicts',
      domain,
      why: 'Each --continue stops at the next commit, and there are fewer left every time.',
      style: claude,
    },
    (run) => {
      run.prompt(
        'Rebase feature/invoices onto main, resolve the conflicts in favor of the new API.',
      )
      const commits = run.shuffle(PARTS).slice(0, 14)
      commits.forEach((part, n) => {
        run.step(
          '',
          bash(
            'git rebase --continue',
            `Auto-merging src/${part}.ts\nCONFLICT (content): Merge conflict in src/${part}.ts\nerror: could not apply ${run.hex(7)}... ${part}: use the new client\nhint: Resolve all conflicts manually, mark them as resolved with\nhint: "git add/rm <conflicted_files>", then run "git rebase --continue".\nRebasing (${n + 2}/${commits.length + 1})`,
            1,
          ),
        )
        run.step('', edit(`src/${part}.ts`, '<<<<<<< HEAD', ''))
        run.step('', bash(`git add src/${part}.ts`, ''))
      })
      run.step(
        '',
        bash(
          'git rebase --continue',
          'Successfully rebased and updated refs/heads/feature/invoices.',
        ),
      )
    },
  ),
]

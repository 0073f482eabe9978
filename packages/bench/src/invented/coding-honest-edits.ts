import {
  bash,
  claude,
  codex,
  edit,
  exec,
  gemini,
  grep,
  mini,
  openAi,
  patch,
  plain,
  read,
  shell,
} from './frames.js'
import { cycle, honest, type Invented, type Run, times } from './script.js'
import { FILES, PARTS } from './words.js'

const domain = 'coding'

export const codingHonestEdits: Invented[] = [
  honest(
    {
      name: 'failures go down, edit by edit',
      domain,
      why: 'Each edit fixes a test or two, and the count of failures falls to none.',
      style: claude,
    },
    (run) => {
      run.prompt('We moved to the new money type. Fix the failing tests.')
      let failed = run.int(22, 27)
      const total = failed + 40
      run.step('I will run the suite.', bash('npx vitest run', suite(run, failed, total), 1))
      for (let lap = 0; failed > 0; lap++) {
        const file = cycle(FILES, lap)
        run.step(
          '',
          read(file, [
            'import { toCents } from "./money"',
            `export const ${run.pick(PARTS)} = (value: number) => value * 100`,
          ]),
        )
        run.step(lap % 3 ? '' : `Fixing ${file}.`, edit(file, 'value * 100', 'toCents(value)'))
        if (lap % 4 === 2)
          run.think('The next failure is in the same family: a number that is already in cents.')
        // now and then an edit is not enough
        failed = Math.max(0, failed - (lap % 5 === 3 ? 0 : run.int(1, 3)))
        run.step('', bash('npx vitest run', suite(run, failed, total), failed ? 1 : 0))
      }
      run.step('All tests pass now.')
    },
  ),
  honest(
    {
      name: 'thirty edits with the same success message',
      domain,
      why: 'A rename touches thirty places, and each edit is a different one.',
      style: claude,
    },
    (run) => {
      run.prompt('Rename getUser to fetchUser everywhere; do it by hand, the names overlap.')
      run.step(
        '',
        grep(
          'getUser\\b',
          'src',
          FILES.map((file, n) => `${file}:${n * 9 + 4}:  const user = getUser(id)`).join('\n'),
        ),
      )
      times(30, (n) => {
        const file = cycle(FILES, Math.floor(n / 3))
        const name = `${run.pick(PARTS)}${n}`
        run.step(
          '',
          edit(`/home/dev/shop/${file}`, `const ${name} = getUser(`, `const ${name} = fetchUser(`),
        )
      })
      run.step('', grep('getUser\\b', 'src'))
      run.step('The rename is complete.')
    },
  ),
  honest(
    {
      name: 'files written by here-documents',
      domain,
      why: 'Each command writes another file, and the shell has nothing to say about it.',
    },
    (run) => {
      run.prompt(
        'Scaffold a Django project for the library described in spec.md, one app per section.',
      )
      run
        .shuffle(PARTS)
        .slice(0, 26)
        .forEach((part, n) => {
          const file = `${part}/${cycle(['models', 'views', 'urls', 'admin'], n)}.py`
          run.step(
            n % 4 ? '' : `THOUGHT: Next comes the ${part} app.`,
            mini(
              `mkdir -p ${part} && cat > ${file} <<'EOF'\nfrom django.db import models\n\nclass ${part}(models.Model):\n    name = models.CharField(max_length=${run.int(20, 200)})\nEOF`,
              '',
            ),
          )
        })
      run.step(
        '',
        mini('python manage.py check', 'System check identified no issues (0 silenced).'),
      )
    },
  ),
  honest(
    {
      name: 'clean lint between edits',
      domain,
      why: 'The linter is run after each piece of work and has nothing to report.',
      style: claude,
    },
    (run) => {
      run.prompt('Implement the plan in PLAN.md step by step, run the linter after every step.')
      run
        .shuffle(PARTS)
        .slice(0, 18)
        .forEach((part) => {
          run.step(
            `Next step: ${part}.`,
            edit(
              `internal/${part}/${part}.go`,
              `// TODO ${part}`,
              `func New(limit int) *${part} {\n\treturn &${part}{limit: limit + ${run.int(1, 99)}}\n}`,
            ),
          )
          run.step('', bash('mise run lint', '[lint] $ golangci-lint run ./...\n0 issues.'))
        })
    },
  ),
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

function suite(run: Run, failed: number, total: number) {
  const result = failed ? `${failed} failed | ${total - failed} passed` : `${total} passed`
  return ` Test Files  ${failed ? `${Math.ceil(failed / 4)} failed | 9 passed` : '12 passed'}\n      Tests  ${result} (${total})\n   Start at  ${run.int(10, 23)}:${run.int(10, 59)}:${run.int(10, 59)}\n   Duration  ${run.decimal(2, 5)}s`
}

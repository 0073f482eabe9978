import { bash, claude, edit, grep, mini, read } from './frames.js'
import { cycle, honest, type Invented, type Run, times } from './script.js'
import { FILES, PARTS } from './words.js'

const domain = 'coding'

export const honestEdits: Invented[] = [
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
]

function suite(run: Run, failed: number, total: number) {
  const result = failed ? `${failed} failed | ${total - failed} passed` : `${total} passed`
  return ` Test Files  ${failed ? `${Math.ceil(failed / 4)} failed | 9 passed` : '12 passed'}\n      Tests  ${result} (${total})\n   Start at  ${run.int(10, 23)}:${run.int(10, 59)}:${run.int(10, 59)}\n   Duration  ${run.decimal(2, 5)}s`
}

import { bash, claude, codex, exec, grep, openAi, plain, read } from './frames.js'
import { cycle, honest, type Invented, range, times } from './script.js'
import { PARTS } from './words.js'

const domain = 'coding'

export const honestReads: Invented[] = [
  honest(
    {
      name: 'a long file read page by page',
      domain,
      why: 'Every page shows new lines.',
      style: claude,
    },
    (run) => {
      run.prompt('Read legacy/billing.pl completely and describe the flow.')
      times(28, (page) => {
        run.step(
          '',
          read(
            '/srv/legacy/billing.pl',
            range(40).map(
              (n) => `  my $${run.pick(PARTS)}_${page * 40 + n} = shift; # ${run.hex(4)}`,
            ),
            page * 40 + 1,
          ),
        )
      })
      run.step(
        'The script has four phases: it reads the rates, applies them, rounds, and writes the ledger.',
      )
    },
  ),
  honest(
    {
      name: 'sources read with sed',
      domain,
      why: 'One file after another, one range after another, each with other content.',
      style: codex,
    },
    (run) => {
      run.prompt('Review the last release for security problems.')
      times(30, (n) => {
        const from = (n % 3) * 200 + 1
        run.step(
          n % 6 ? '' : 'Continuing with the next module.',
          exec(
            run,
            `sed -n '${from},${from + 199}p' internal/${cycle(PARTS, Math.floor(n / 3))}.go`,
            range(20)
              .map(() => `\t${run.pick(PARTS)} := ${run.pick(PARTS)}(ctx, ${run.int(1, 99)})`)
              .join('\n'),
          ),
        )
      })
    },
  ),
  honest(
    {
      name: 'long search with many misses',
      domain,
      why: 'Different words are looked for, some are found, and they lead to the place.',
      style: claude,
    },
    (run) => {
      run.prompt('Somewhere we cap uploads at 25 MB, but not where I think. Find it.')
      const guesses = [
        'MAX_UPLOAD',
        'maxFileSize',
        '25 \\* 1024',
        '26214400',
        'fileSizeLimit',
        'client_max_body_size',
        'bodyLimit',
        'payload too large',
        '413',
        'limitBytes',
        'UPLOAD_LIMIT',
        'multer',
        'busboy',
        'sizeCap',
        'tooBig',
        '25MB',
        '25_000_000',
        'rejectLarge',
      ]
      guesses.forEach((guess, n) => {
        run.step(
          n % 4
            ? ''
            : run.pick([
                'Not there, trying another word.',
                'Perhaps it is named otherwise.',
                'Looking at it from the error side.',
              ]),
          grep(
            guess,
            '/srv/app',
            n % 5 === 4
              ? `src/upload/${run.pick(PARTS)}.ts:${run.int(4, 200)}:  // ${guess} see proxy`
              : 'No matches found',
          ),
        )
      })
      run.step(
        '',
        grep(
          'body_size',
          '/srv/app/deploy',
          'deploy/nginx.conf.tmpl:31:  client_max_body_size {{ .size }};',
        ),
      )
      run.step('', read('/srv/app/deploy/values.yaml', ['nginx:', '  size: 25m']))
      run.step('The limit is the template value nginx.size in deploy/values.yaml.')
    },
  ),
  honest(
    {
      name: 'bisecting a regression',
      domain,
      why: 'Each test halves the range of commits until the first bad one is named.',
      style: claude,
    },
    (run) => {
      run.prompt(
        'Find the commit that broke the export, then do the same for the import and the sync.',
      )
      ;['export', 'import', 'sync'].forEach((feature) => {
        run.step(
          '',
          bash(
            `git bisect start HEAD v${run.int(2, 4)}.${run.int(0, 9)}.0`,
            'status: waiting for both good and bad commits\nBisecting: 255 revisions left to test after this (roughly 8 steps)',
          ),
        )
        times(8, (n) => {
          const good = run.chance(0.5)
          run.step(
            '',
            bash(
              `npm test -- ${feature}`,
              good ? 'Tests: 14 passed, 14 total' : 'Tests: 1 failed, 13 passed, 14 total',
              good ? 0 : 1,
            ),
          )
          const left = 2 ** (7 - n) - 1
          run.step(
            '',
            bash(
              `git bisect ${good ? 'good' : 'bad'}`,
              n === 7
                ? `${run.hex(40)} is the first bad commit`
                : `Bisecting: ${left} revision${left === 1 ? '' : 's'} left to test after this (roughly ${7 - n} steps)\n[${run.hex(40)}] ${run.pick(PARTS)}: tidy up`,
            ),
          )
        })
        run.step('', bash('git bisect reset', "Switched to branch 'main'"))
      })
    },
  ),
  honest(
    {
      name: 'stepping through a debugger',
      domain,
      why: 'The same "next" each time, but the program moves on line by line.',
      style: openAi,
    },
    (run) => {
      run.prompt('Step through parse() in gdb and tell me where the pointer goes wrong.')
      times(45, (n) => {
        const line = 120 + n + (n > 20 ? 11 : 0)
        run.step(
          '',
          plain(
            'gdb_command',
            { session: 'gdb-1', command: n % 9 === 8 ? 'print *cursor' : 'next' },
            n % 9 === 8
              ? `$${n} = {at = 0x${run.hex(12)}, left = ${400 - n * 3}, kind = ${run.int(0, 6)}}`
              : `${line}\t    ${run.pick(['cursor->at++;', 'kind = classify(*cursor->at);', 'if (kind == END) break;', 'push(stack, kind);', 'left -= width(kind);'])}`,
          ),
        )
      })
    },
  ),
]

import { bash, claude, codex, edit, exec, openAi, patch, plain } from './frames.js'
import { type Invented, loop } from './script.js'
import { PARTS } from './words.js'

const domain = 'coding'

export const moreCodingLoops: Invented[] = [
  loop(
    {
      name: 'a picture test off by about the same number',
      domain,
      evidentAt: 20,
      why: 'The font is not installed, as the log says; margins are moved by a pixel, and some four thousand pixels differ every time.',
      style: claude,
    },
    (run) => {
      run.prompt('visual test of the header fails on this machine, fix it')
      const pixels = { padding: 12, 'margin-top': 8, 'line-height': 24, height: 56, gap: 6 }
      run.until(76, (lap) => {
        const rule = run.pick(['padding', 'margin-top', 'line-height', 'height', 'gap'] as const)
        const before = pixels[rule]
        pixels[rule] = Math.max(1, before + run.pick([-1, 1]))
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick(['One more pixel.', 'The spacing is off.', 'Let me adjust the header.']),
          edit('src/header.css', `  ${rule}: ${before}px;`, `  ${rule}: ${pixels[rule]}px;`),
        )
        run.step(
          '',
          bash(
            'npx playwright test header.visual',
            `warning: font "Inter" not found, using DejaVu Sans\n  1) header.visual.ts:9:1 › header\n    Error: expect(page).toHaveScreenshot(expected)\n      ${run.int(4180, 4240)} pixels (ratio 0.03 of all image pixels) are different.\n  1 failed (${run.decimal(3, 6, 1)}s)`,
            1,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a bisect begun and given up',
      domain,
      evidentAt: 16,
      why: 'The test cannot run on old commits at all; the bisect is started, skips everything and is reset, again and again.',
      style: codex,
    },
    (run) => {
      run.prompt('find the commit that broke export.test.ts')
      run.until(76, (lap) => {
        run.step(
          (lap + 1) % 2
            ? ''
            : run.pick(['Starting a bisect.', 'Let me bisect over another range.', '']),
          exec(
            run,
            `git bisect start HEAD ${run.pick(['v1.0', 'v1.1', 'v1.2', 'HEAD~50', 'HEAD~120', 'HEAD~300'])} && git bisect run npx vitest run export.test.ts`,
            `Bisecting: ${run.int(20, 150)} revisions left to test after this\nnpm error: lockfile of this commit needs node 12\nThere are only 'skip'ped commits left to test.\nWe cannot bisect more!\nbisect run cannot continue any more\n`,
            2,
          ),
        )
        run.step(
          '',
          exec(
            run,
            'git bisect reset',
            `Previous HEAD position was ${run.hex(7)}\nSwitched to branch 'main'\n`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a type widened and narrowed',
      domain,
      evidentAt: 15,
      why: 'With null the caller complains, without it the parser does; the same word is put in and taken out.',
      style: openAi,
    },
    (run) => {
      run.prompt('mypy is red, make it green pls, no ignores')
      run.until(76, (lap) => {
        const wide = lap % 2 === 0
        run.step(
          run.pick([
            '',
            wide ? 'It may be None.' : 'It must not be None.',
            'Adjusting the annotation.',
          ]),
          plain(
            'replace_in_file',
            {
              path: 'app/parse.py',
              search: wide ? '-> Date:' : '-> Date | None:',
              replace: wide ? '-> Date | None:' : '-> Date:',
            },
            'Replaced 1 occurrence.',
          ),
        )
        run.step(
          '',
          plain(
            'run',
            { cmd: 'mypy app' },
            wide
              ? `app/views.py:61: error: Item "None" of "Date | None" has no attribute "year"  [union-attr]\nFound 1 error in 1 file (checked ${run.int(60, 64)} source files)`
              : `app/parse.py:19: error: Incompatible return value type (got "None", expected "Date")  [return-value]\nFound 1 error in 1 file (checked ${run.int(60, 64)} source files)`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a port that another program holds, under new numbers',
      domain,
      evidentAt: 17,
      why: 'The server binds to 8080 whatever is written into files that it does not read, and the message says so.',
      style: codex,
    },
    (run) => {
      run.prompt('start the dev server, 8080 is taken on my box so use something else')
      run.until(76, (lap) => {
        const port = run.int(3000, 9999)
        const file = run.pick([
          '.env',
          'config/dev.toml',
          'settings.json',
          '.env.local',
          'server.yaml',
          'Procfile',
        ])
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick([
                'I set another port.',
                'The port is configured elsewhere.',
                'Let me try this file.',
              ]),
          patch(file, `+${run.pick(['PORT=', 'port = ', 'SERVER_PORT=', 'http.port: '])}${port}`),
        )
        run.step(
          '',
          exec(
            run,
            run.pick(['make dev', 'make dev', `PORT=${port} make dev`]),
            `loading config from /etc/acme/dev.ini (built in)\nthread 'main' panicked at src/main.rs:44: Os { code: 98, kind: AddrInUse } 0.0.0.0:8080 pid=${run.int(1000, 60000)}\nmake: *** [Makefile:12: dev] Error 101\n`,
            2,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a helper function moved from file to file',
      domain,
      evidentAt: 20,
      why: 'The import circle is the same wherever the function stands; file after file gets it and the same error comes.',
      style: claude,
    },
    (run) => {
      run.prompt('ImportError on start, fix')
      let from = 'helpers'
      run.until(76, (lap) => {
        const to = `${run.pick(PARTS)}_${run.pick(['helpers', 'util', 'common', 'base'])}${lap}`
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick(['I move the helper.', 'It fits better here.', 'This breaks the cycle.']),
          bash(
            `git mv app/${from}.py app/${to}.py && sed -i 's/app.${from}/app.${to}/' app/*.py`,
            '',
          ),
        )
        from = to
        run.step(
          '',
          bash(
            'python -c "import app"',
            `Traceback (most recent call last):\n  File "<string>", line 1, in <module>\n  File "/w/app/__init__.py", line 3, in <module>\n    from app.models import Base\nImportError: cannot import name 'Base' from partially initialized module 'app.models' (most likely due to a circular import)`,
            1,
          ),
        )
      })
    },
  ),
]

import {
  bash,
  claude,
  codex,
  execRunning,
  executeBash,
  openAi,
  plain,
  read,
  stdin,
} from './frames.js'
import { each, honest, type Invented, range, times } from './script.js'
import { PARTS } from './words.js'

const domain = 'coding'

export const honestWaits: Invented[] = [
  honest(
    {
      name: 'a long build watched through its terminal',
      domain,
      why: 'The compiler takes twenty minutes, the output grows now and then, and it ends well.',
      style: codex,
    },
    (run) => {
      run.prompt('Build LLVM from the checkout and run check-all.')
      run.step(
        'Starting the build.',
        execRunning(
          run,
          'ninja -C build',
          4127,
          '[1/3120] Building CXX object lib/Support/APInt.cpp.o\n',
        ),
      )
      let done = 1
      times(32, (n) => {
        run.wait(30)
        const quiet = n % 3 !== 0
        done += quiet ? 0 : run.int(80, 130)
        run.step(
          '',
          stdin(
            run,
            4127,
            quiet ? '' : `[${done}/3120] Building CXX object lib/${run.pick(PARTS)}.cpp.o\n`,
          ),
        )
      })
      run.step('', stdin(run, 4127, '[3120/3120] Linking CXX executable bin/clang\n', 0))
      run.step('The build is complete.')
    },
  ),
  honest(
    {
      name: 'empty input to wait for a long process',
      domain,
      why: 'The command runs for a quarter of an hour without output and then finishes.',
    },
    (run) => {
      run.prompt(
        'Train the baseline with train.sh and report the accuracy. It takes about 15 minutes and prints only at the end.',
      )
      run.step(
        '',
        plain(
          'execute_bash',
          { command: 'bash train.sh' },
          "[The command has no new output after 30 seconds. You may wait longer to see additional output by sending empty command '', send other commands to interact with the current process, or send keys to interrupt/kill the command.]",
        ),
      )
      times(run.int(24, 30), () =>
        run.step(
          '',
          plain(
            'execute_bash',
            { command: '', is_input: 'true' },
            "[Below is the output of the previous command.]\n\n[The command has no new output after 30 seconds. You may wait longer to see additional output by sending empty command '', send other commands to interact with the current process, or send keys to interrupt/kill the command.]",
          ),
        ),
      )
      run.step('', executeBash('', `accuracy 0.9${run.int(10, 99)}`))
      run.step('The baseline is trained.')
    },
  ),
  honest(
    {
      name: 'installation with one fix after another',
      domain,
      why: 'Every attempt gets further: each error is another one and is dealt with.',
      style: claude,
    },
    (run) => {
      run.prompt('Install the geo stack from requirements.txt on this machine.')
      const missing = [
        'pg_config executable not found',
        'fatal error: Python.h: No such file or directory',
        'gdal-config: command not found',
        'fatal error: proj_api.h: No such file or directory',
        "error: command 'g++' failed: No such file or directory",
        'CMake must be installed to build this package',
        'fatal error: geos_c.h: No such file or directory',
        'Could not find HDF5 headers',
        'ImportError: libxml2.so.2: cannot open shared object file',
        'Failed building wheel for rasterio: numpy 2 ABI',
      ]
      const cures = [
        'libpq-dev',
        'python3-dev',
        'gdal-bin',
        'libproj-dev',
        'g++',
        'cmake',
        'libgeos-dev',
        'libhdf5-dev',
        'libxml2',
        'python3-numpy',
      ]
      missing.forEach((error, n) => {
        run.step(
          '',
          bash(
            'pip install -r requirements.txt',
            `Collecting psycopg2\n  Building wheel for ${run.pick(['psycopg2', 'rasterio', 'fiona', 'pyproj'])} (setup.py): finished with status 'error'\n  ${error}\nerror: subprocess-exited-with-error`,
            1,
          ),
        )
        run.step(
          `The build needs ${cures[n]}.`,
          bash(
            `apt-get install -y ${cures[n]}`,
            `Reading package lists... Done\nSetting up ${cures[n]} (${run.int(1, 9)}.${run.int(0, 30)}) ...`,
          ),
        )
      })
      run.step(
        '',
        bash(
          'pip install -r requirements.txt',
          'Successfully installed fiona-1.10.1 psycopg2-2.9.10 pyproj-3.7.0 rasterio-1.4.3',
        ),
      )
    },
  ),
  honest(
    {
      name: 'a parallel batch that fails together',
      domain,
      why: 'Ten reads fail at once because the folder moved; with the new path they all work.',
      style: claude,
    },
    (run) => {
      run.prompt('Document all handlers.')
      const parts = run.shuffle(PARTS).slice(0, 10)
      run.step(
        'Reading all handlers.',
        ...parts.map((part) =>
          plain(
            'Read',
            { file_path: `/srv/app/handlers/${part}.ts` },
            '<tool_use_error>File does not exist.</tool_use_error>',
            true,
          ),
        ),
      )
      run.step(
        'They are not there.',
        bash(
          'find . -name "*.ts" -path "*handlers*" | head -40',
          parts.map((part) => `./src/http/handlers/${part}.ts`).join('\n'),
        ),
      )
      times(2, (half) =>
        run.step(
          '',
          ...parts
            .slice(half * 5, half * 5 + 5)
            .map((part) =>
              read(`/srv/app/src/http/handlers/${part}.ts`, [
                `export const ${part} = (request) => respond(${run.int(200, 299)})`,
              ]),
            ),
        ),
      )
      parts.forEach((part) => {
        run.step(
          '',
          plain(
            'Write',
            { file_path: `/srv/app/docs/${part}.md`, content: `# ${part}` },
            `File created successfully at: /srv/app/docs/${part}.md`,
          ),
        )
      })
      times(10, (n) =>
        run.step(
          '',
          plain(
            'Edit',
            {
              file_path: '/srv/app/docs/index.md',
              old_string: '<!-- next -->',
              new_string: `- [${parts[n]}](${parts[n]}.md)\n<!-- next -->`,
            },
            'The file /srv/app/docs/index.md has been updated successfully.',
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'a flaky test run twenty-five times as asked',
      domain,
      why: 'The person asked for that many runs, and the results differ.',
      style: openAi,
    },
    (run) => {
      run.prompt('Run the checkout e2e test 25 times one by one and tell me how often it fails.')
      times(25, (n) => {
        const ok = !run.chance(0.2)
        run.step(
          n % 8 ? '' : `Run ${n + 1} of 25.`,
          plain(
            'bash',
            {
              command: 'npx playwright test checkout.spec.ts --reporter=line',
              description: 'Runs the checkout test',
            },
            ok
              ? `Running 1 test using 1 worker\n  1 passed (${run.decimal(3, 6, 1)}s)`
              : `Running 1 test using 1 worker\n  1) checkout.spec.ts:14:1 › pays by card\n    Error: expect(locator).toBeVisible() failed\n  1 failed`,
          ),
        )
      })
      run.step('It failed in about one run out of five.')
    },
  ),
  honest(
    {
      name: 'scrolling through a file in a viewer',
      domain,
      why: 'The command is always scroll_down, and the window shows the next lines.',
    },
    (run) => {
      run.prompt(
        'We are solving an issue in sympy. Find where Abs is printed and fix the LaTeX output.',
      )
      times(22, (n) => {
        const from = n * 100 + 1
        run.step(
          n % 3 ? 'Let me scroll further.' : '',
          plain(
            'scroll_down',
            { command: 'scroll_down' },
            `[File: /sympy/printing/latex.py (2600 lines total)]\n(${from - 1} more lines above)\n${range(
              12,
            )
              .map((line) => `${from + line}:    def _print_${run.pick(PARTS)}(self, expr):`)
              .join('\n')}\n(${2600 - from - 100} more lines below)`,
          ),
        )
      })
      run.step(
        '',
        plain(
          'edit',
          { command: 'edit 2105:2105\n        tex = r"\\left|{%s}\\right|"\nend_of_edit' },
          `[File: /sympy/printing/latex.py (2600 lines total)]\n2105:        tex = r"\\left|{%s}\\right|"\nFile updated. Please review the changes and make sure they are correct (correct indentation, no duplicate lines, etc). Edit the file again if necessary.`,
        ),
      )
    },
  ),
  honest(
    {
      name: 'forty files linted one by one',
      domain,
      why: 'Each file is another one; that all are clean is the result the person asked for.',
      style: openAi,
    },
    (run) => {
      run.prompt('Lint every file in src separately and list the ones with problems.')
      each(PARTS, (part) =>
        run.step('', plain('lint_file', { path: `src/${part}.ts` }, 'No problems found')),
      )
      run.step(`All ${PARTS.length} files are clean.`)
    },
  ),
]

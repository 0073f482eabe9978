import { bash, claude, plain, shell } from './frames.js'
import { cycle, type Invented, loop } from './script.js'
import { FILES } from './words.js'

const domain = 'coding'

export const toolLoops: Invented[] = [
  loop(
    {
      name: 'call without its content',
      domain,
      evidentAt: 8,
      why: 'The required parameter is missing every time, and the answer says so every time.',
      style: { turns: true },
    },
    (run) => {
      run.prompt('Create docs/architecture.md describing the services.')
      run.until(124, (lap) => {
        run.step(
          cycle(
            [
              'I will now write the document.',
              'Let me create the file with its full content.',
              'I apologize for the error. Writing the file now.',
              'Let me try that once more.',
            ],
            lap,
          ),
          plain(
            'write_to_file',
            {
              path:
                lap % 3
                  ? 'docs/architecture.md'
                  : `docs/${run.pick(['architecture', 'services', 'overview'])}-${lap}.md`,
            },
            "The tool execution failed with the following error:\n<error>\nMissing value for required parameter 'content'. Please retry with complete response.\n\n# Reminder: Instructions for Tool Use\nTool uses are formatted using XML-style tags.\n</error>",
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'formatter against linter',
      domain,
      evidentAt: 18,
      why: 'Prettier undoes what eslint --fix does, and both are run in turn for ever.',
      style: { clock: true },
    },
    (run) => {
      run.prompt('npm run check must pass.')
      run.until(135, (lap) => {
        const file = cycle(FILES, 5)
        run.step('', shell(run, 'npx eslint --fix src', ''))
        run.step(
          '',
          shell(
            run,
            'npm run check',
            `> check\n> prettier --check src && eslint src\n\nChecking formatting...\n[warn] ${file}\n[warn] Code style issues found in the above file. Run Prettier with --write to fix.`,
            1,
          ),
        )
        run.step(
          lap % 3 ? '' : 'Prettier complains, formatting it.',
          shell(
            run,
            'npx prettier --write src',
            `${file} ${run.int(20, 90)}ms\nsrc/store/index.ts ${run.int(4, 20)}ms (unchanged)`,
          ),
        )
        run.step(
          '',
          shell(
            run,
            'npm run check',
            `> check\n> prettier --check src && eslint src\n\nChecking formatting...\nAll matched files use Prettier code style!\n\n/app/${file}\n  88:14  error  Operator '?' should be placed at the end of the line  operator-linebreak\n\n✖ 1 problem (1 error, 0 warnings)\n  1 error and 0 warnings potentially fixable with the \`--fix\` option.`,
            1,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'stuck in an interactive program',
      domain,
      evidentAt: 12,
      why: 'The shell is held by a program that asks a question, and every new command is typed into it.',
    },
    (run) => {
      run.prompt('Set up a new Angular workspace in /workspace and add a login page.')
      run.step(
        '',
        plain(
          'execute_bash',
          { command: 'npx ng new portal' },
          "? Which stylesheet format would you like to use?\n[The command has no new output after 10 seconds. You may wait longer to see additional output by sending empty command '', send other commands to interact with the current process, or send keys to interrupt/kill the command.]",
        ),
      )
      run.until(126, (lap) => {
        const command = run.pick([
          'ls -la',
          'cd portal && ls',
          'pwd',
          'npm start',
          'cat package.json',
          'npx ng version',
          'ls portal/src',
          'git status',
          'echo done',
          'npm install',
        ])
        run.step(
          lap % 3 ? '' : 'Let me see what was generated.',
          plain(
            'execute_bash',
            { command },
            `[Your command "${command}" is NOT executed. The previous command is still running - You CANNOT send new commands until the previous command is completed. By setting \`is_input\` to \`true\`, you can interact with the current process: You may wait longer to see additional output of the previous command by sending empty command '', send other commands to interact with the current process, send keys ("C-c", "C-z", "C-d") to interrupt/kill the previous command before sending your new command, or use the timeout parameter in execute_bash for future commands.]\n[Below is the output of the previous command.]\n? Which stylesheet format would you like to use?`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a version that was never published',
      domain,
      evidentAt: 14,
      why: 'pip says which versions exist; the agent keeps asking for one that does not, with other flags and mirrors.',
      style: claude,
    },
    (run) => {
      run.prompt('Install the dependencies and start the service.')
      run.until(125, (lap) => {
        const flag = run.pick([
          '--no-cache-dir',
          '--upgrade',
          '--force-reinstall',
          '--user',
          '-v',
          '--prefer-binary',
          '--pre',
          '--no-deps',
          '--index-url https://pypi.org/simple',
          '--extra-index-url https://pypi.org/simple',
          '--retries 10',
          '--ignore-installed',
          `--timeout ${30 + lap}`,
        ])
        run.step(
          lap % 4
            ? ''
            : run.pick([
                'That did not work, trying another option.',
                'Maybe the cache is stale.',
                'Let me try another flag.',
              ]),
          bash(
            `pip install ${flag} "starlark-py==9.4.1"`,
            `ERROR: Could not find a version that satisfies the requirement starlark-py==9.4.1 (from versions: 1.0.0, 1.0.1, 1.1.0)\nERROR: No matching distribution found for starlark-py==9.4.1`,
            1,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'parallel round sent again and again',
      domain,
      evidentAt: 8,
      why: 'The same four reads are made in each turn, in changing order, and nothing follows from them.',
      style: claude,
    },
    (run) => {
      run.prompt('Summarize how authentication works in this repository.')
      const files = ['auth/session.go', 'auth/token.go', 'auth/middleware.go', 'README.md']
      run.until(120, (lap) => {
        run.step(
          lap % 2 ? '' : 'Let me read the files involved in authentication.',
          ...run.shuffle(files).map((file) => ({
            name: 'Read',
            args: { file_path: `/srv/edge/${file}` },
            output: `     1→package auth\n     2→\n     3→// ${file}: see docs\n     4→func init() {}`,
          })),
        )
      })
    },
  ),
]

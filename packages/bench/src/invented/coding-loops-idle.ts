import { bash, claude, openAi, plain } from './frames.js'
import { cycle, type Invented, loop, range } from './script.js'
import { PARTS } from './words.js'

const domain = 'coding'

export const idleLoops: Invented[] = [
  loop(
    {
      name: 'views wandering over one region',
      domain,
      evidentAt: 20,
      why: 'The same hundred lines are viewed in ever other ranges, and nothing is done with them.',
    },
    (run) => {
      run.prompt('Fix the off-by-one in Paginator.')
      const lines = range(100).map(
        (n) =>
          `        ${run.pick(['page', 'size', 'last', 'first', 'rest'])} = self.${run.pick(PARTS)}(${n})`,
      )
      run.until(130, (lap) => {
        const from = (lap * 7) % 60
        const to = from + run.int(20, 40)
        run.step(
          cycle(['', 'Let me view the relevant part.', ''], lap),
          plain(
            'str_replace_editor',
            { command: 'view', path: '/workspace/pager.py', view_range: [from + 1, to] },
            `Here's the result of running \`cat -n\` on /workspace/pager.py:\n${lines
              .slice(from, to)
              .map((line, n) => `${String(from + n + 1).padStart(6)}\t${line}`)
              .join('\n')}`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'touch and remove',
      domain,
      evidentAt: 14,
      why: 'A marker file is made and removed in turn and the watcher never rebuilds.',
      style: claude,
    },
    (run) => {
      run.prompt('The dev server does not pick up changes. Make hot reload work.')
      run.until(138, (lap) => {
        const marker = `src/.${run.pick(['reload', 'trigger', 'touch', 'hmr'])}${lap % 3 ? '' : lap}`
        run.step('', bash(`touch ${marker}`, ''))
        run.step('', bash(`rm ${marker}`, ''))
        run.step(
          lap % 4 ? '' : 'Did it reload?',
          bash(
            'tail -n 2 .vite/dev.log',
            '  ➜  Local:   http://localhost:5173/\n  ➜  Network: use --host to expose',
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'edit that changes nothing',
      domain,
      evidentAt: 8,
      why: 'Old and new text are the same in every edit, and the tool says so.',
    },
    (run) => {
      run.prompt('Make the button blue.')
      run.until(122, (lap) => {
        const line = `.button-${run.pick(['primary', 'main', 'cta', 'blue'])} { color: ${run.pick(['#0055ff', 'blue', 'var(--blue)', 'rgb(0 85 255)'])}; margin: ${lap % 17}px }`
        run.step(
          lap % 2 ? 'Now I will set the color.' : '',
          plain(
            'edit',
            { file_path: '/app/src/button.css', old_string: line, new_string: line },
            'No changes to apply. The old_string and new_string are identical in file: /app/src/button.css',
            true,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'status in every spelling',
      domain,
      evidentAt: 15,
      why: 'The working tree is clean, and the agent keeps asking git whether it is.',
      style: claude,
    },
    (run) => {
      run.prompt('Commit everything and push.')
      run.step(
        '',
        bash(
          'git add -A && git commit -m "Update" && git push',
          "On branch main\nYour branch is up to date with 'origin/main'.\n\nnothing to commit, working tree clean",
          1,
        ),
      )
      const clean =
        "On branch main\nYour branch is up to date with 'origin/main'.\n\nnothing to commit, working tree clean"
      const ways: [string, string][] = [
        ['git status', clean],
        ['git status --short', ''],
        ['git diff --stat', ''],
        ['git status --porcelain', ''],
        ['git diff HEAD', ''],
        ['git status -sb', '## main...origin/main'],
        ['git diff --cached', ''],
        ['git log origin/main..HEAD --oneline', ''],
      ]
      run.until(130, (lap) => {
        const [command, output] = run.pick(ways)
        run.step(
          lap % 3
            ? ''
            : run.pick([
                'Let me check the state.',
                'Let me verify what is left to commit.',
                'Checking again.',
              ]),
          bash(command, output),
        )
      })
    },
  ),
  loop(
    {
      name: 'tools that do not exist',
      domain,
      evidentAt: 10,
      why: 'The names are cut or made up, and each is answered with the list of real tools.',
      style: openAi,
    },
    (run) => {
      run.prompt('Add a changelog entry for 2.4.0.')
      run.until(125, () => {
        const name = run.pick([
          'wri',
          'ed',
          'writ',
          'editFile',
          'file_write',
          'append',
          'save',
          'update_file',
          'modify',
          'patch_file',
          'insert_text',
          'writeFile',
          'put',
          'set_content',
          'filesystem.write',
          'fs_edit',
        ])
        run.step(
          '',
          plain(
            name,
            { path: 'CHANGELOG.md', content: `## 2.4.0\n\n- ${run.pick(PARTS)}: faster` },
            `Model tried to call unavailable tool '${name}'. Available tools: bash, edit, glob, grep, list, read, task, todowrite, webfetch, write.`,
            true,
          ),
        )
      })
    },
  ),
]

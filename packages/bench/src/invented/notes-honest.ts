import { bash, claude, edit, json, mcp, openAi, plain, read, write } from './frames.js'
import { each, honest, type Invented, times } from './script.js'
import { CITIES, COMPANIES, PARTS, PEOPLE, slug } from './words.js'

const domain = 'notes'

export const noteHonest: Invented[] = [
  honest(
    {
      name: 'a list worked off',
      domain,
      why: 'Between updates of the list there is work, and item after item is finished.',
      style: claude,
    },
    (run) => {
      run.prompt('Do everything in TODO.md.')
      const items = run.shuffle(PARTS).slice(0, 14)
      each(items, (item, n) => {
        run.step('', {
          name: 'TodoWrite',
          args: {
            todos: items.map((content, at) => ({
              content,
              status: at < n ? 'completed' : at === n ? 'in_progress' : 'pending',
            })),
          },
          output:
            'Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable',
        })
        run.step(
          `Now ${item}.`,
          read(`src/${item}.ts`, [`export const ${item} = ${run.int(1, 99)}`]),
        )
        run.step('', edit(`src/${item}.ts`, String(run.int(1, 99)), String(run.int(100, 999))))
        run.step('', bash('npm run -s check', 'Checked 88 files. No fixes applied.'))
      })
    },
  ),
  honest(
    {
      name: 'issues filed from a document',
      domain,
      why: 'Each issue is another finding of the report.',
      style: claude,
    },
    (run) => {
      run.prompt('File each finding of the audit report as an issue.')
      const first = run.int(100, 900)
      each(run.shuffle(PARTS).slice(0, 28), (part, n) =>
        run.step(
          '',
          mcp(
            'mcp__linear-server__create_issue',
            {
              title: `${run.pick(['Harden', 'Fix', 'Review', 'Limit'])} ${part}`,
              team: 'SEC',
              priority: run.int(1, 4),
            },
            JSON.stringify({
              id: run.uuid(),
              identifier: `SEC-${first + n}`,
              url: `https://linear.app/acme/issue/SEC-${first + n}`,
            }),
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'stale issues closed',
      domain,
      why: 'Every issue is another one; the comment is the same because it is meant to be.',
      style: claude,
    },
    (run) => {
      run.prompt('Close the 34 issues labeled stale with a friendly note.')
      const first = run.int(1000, 5000)
      times(34, (n) =>
        run.step(
          '',
          bash(
            `gh issue close ${first + n * 3} --comment "Closing this for now, feel free to reopen."`,
            `✓ Closed issue acme/edge#${first + n * 3} (${run.pick(PARTS)} is slow)`,
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'a note for each talk',
      domain,
      why: 'Each file holds the notes of another talk.',
      style: claude,
    },
    (run) => {
      run.prompt('Split conference.txt into one note per talk.')
      each(PEOPLE, (person) =>
        run.step(
          '',
          write(
            `/notes/${slug(person)}.md`,
            `# ${person}\n\nOn ${run.pick(PARTS)} at ${run.pick(COMPANIES)}, ${run.pick(CITIES)}.\n`,
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'reminders set for everyone',
      domain,
      why: 'Twenty-six people get a reminder each, all confirmed with the same object.',
      style: openAi,
    },
    (run) => {
      run.prompt('Remind everybody on the list of their review date.')
      each(run.shuffle(PEOPLE), (person) =>
        run.step(
          '',
          json('create_reminder', { person, date: `2026-10-${run.int(10, 28)}` }, { ok: true }),
        ),
      )
    },
  ),
  honest(
    {
      name: 'thoughts that lead somewhere',
      domain,
      why: 'Each thought draws on a new fact, and look-ups come in between.',
      style: openAi,
    },
    (run) => {
      run.prompt('Plan the move of 18 services to the new cluster; order them by dependency.')
      each(run.shuffle(PARTS).slice(0, 18), (part) => {
        run.step(
          '',
          json(
            'get_dependencies',
            { service: part },
            { service: part, needs: [run.pick(PARTS), run.pick(PARTS)] },
          ),
        )
        run.step(
          '',
          plain(
            'think',
            {
              thought: `${part} needs ${run.pick(PARTS)}, so it goes ${run.pick(['after it', 'into wave 2', 'into wave 3', 'last'])}.`,
            },
            'Your thought has been logged.',
          ),
        )
      })
    },
  ),
]

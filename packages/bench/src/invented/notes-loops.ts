import { claude, mcp, openAi, plain, write } from './frames.js'
import { type Invented, loop, range } from './script.js'

const domain = 'notes'

export const noteLoops: Invented[] = [
  loop(
    {
      name: 'to-do list rewritten',
      domain,
      evidentAt: 8,
      why: 'The list is worded anew each time, and no item is ever worked on.',
      style: claude,
    },
    (run) => {
      run.prompt('Add dark mode to the settings page.')
      run.until(124, (lap) => {
        const verbs = run.shuffle([
          'Add',
          'Create',
          'Implement',
          'Wire up',
          'Test',
          'Review',
          'Style',
          'Document',
        ])
        const todos = range(4 + (lap % 3)).map((n) => ({
          content: `${verbs[n]} ${run.pick(['the toggle', 'the theme', 'the palette', 'the tokens', 'persistence', 'the settings section'])}`,
          status: n === 0 ? 'in_progress' : 'pending',
          activeForm: `${verbs[n]}…`,
        }))
        run.step(lap % 3 ? '' : 'Let me organize the work.', {
          name: 'TodoWrite',
          args: { todos },
          output:
            'Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable',
        })
      })
    },
  ),
  loop(
    {
      name: 'ever new note files',
      domain,
      evidentAt: 12,
      why: 'Plan after plan is written to a new file, all saying the same, and nothing is built.',
      style: claude,
    },
    (run) => {
      run.prompt('Build the importer for the bank’s CSV files.')
      run.until(124, (lap) => {
        const file = `/app/${run.pick(['PLAN', 'NOTES', 'SUMMARY', 'STATUS', 'NEXT_STEPS', 'IMPLEMENTATION', 'README'])}_${run.pick(['importer', 'csv', 'bank', 'final', 'v2', 'complete'])}_${lap}.md`
        run.step(
          lap % 4 ? '' : 'I will document the approach first.',
          write(
            file,
            `# ${run.pick(['Plan', 'Approach', 'Status', 'Summary'])}\n\n1. ${run.pick(['Parse', 'Read', 'Load'])} the CSV\n2. ${run.pick(['Validate', 'Check'])} the rows\n3. ${run.pick(['Store', 'Save', 'Write'])} them\n`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'task put off and taken up',
      domain,
      evidentAt: 12,
      why: 'The same task is set to in progress and back to pending without any work.',
      style: claude,
    },
    (run) => {
      run.prompt('Work through the task list.')
      const task = String(run.int(1, 9))
      run.until(124, (lap) =>
        run.step(
          lap % 4
            ? ''
            : run.pick([
                'Starting with the first task.',
                'I should look at the dependencies first.',
                'Let me get going.',
              ]),
          {
            name: 'TaskUpdate',
            args: { taskId: task, status: lap % 2 ? 'pending' : 'in_progress' },
            output: `Updated task #${task} status`,
          },
        ),
      )
    },
  ),
  loop(
    {
      name: 'thinking and nothing else',
      domain,
      evidentAt: 10,
      why: 'One thought after another goes round the same question, and no tool but the thinking one is used.',
      style: openAi,
    },
    (run) => {
      run.prompt('Decide on a database for the new service and set it up.')
      run.until(124, () =>
        run.step(
          '',
          plain(
            'think',
            {
              thought: `${run.pick(['We could use', 'Perhaps', 'On balance', 'Again,', 'Considering everything,'])} ${run.pick(['Postgres', 'SQLite', 'MySQL'])} ${run.pick(['is the simplest', 'fits best', 'may be too much', 'would do', 'has the better tools'])}, ${run.pick(['but', 'although', 'and yet'])} ${run.pick(['Postgres', 'SQLite', 'MySQL'])} ${run.pick(['is easier to run', 'is well known', 'needs less care', 'scales better'])}. ${run.pick(['I should weigh this again.', 'Let me think about it more.', 'This needs more thought.'])}`,
            },
            'Your thought has been logged.',
          ),
        ),
      )
    },
  ),
  loop(
    {
      name: 'status posted to the channel',
      domain,
      evidentAt: 10,
      why: 'The team is told in ever other words that work goes on, but none is done.',
      style: { ids: 'call_', clock: true },
    },
    (run) => {
      run.prompt('Fix the login bug and keep #dev posted.')
      run.until(124, (lap) =>
        run.step(
          '',
          mcp(
            'slack_post_message',
            {
              channel: '#dev',
              text: `${run.pick(['Update', 'Status', 'FYI', 'Quick note'])}: ${run.pick(['still working on', 'looking into', 'making progress on', 'investigating'])} the login bug${run.pick(['.', ', more soon.', ' :hourglass:', ', stay tuned.'])}`,
            },
            JSON.stringify({
              ok: true,
              channel: 'C04QX',
              ts: `17567${20000 + lap * 31}.${run.int(100000, 999999)}`,
            }),
          ),
        ),
      )
    },
  ),
  loop(
    {
      name: 'the same fact remembered again',
      domain,
      evidentAt: 10,
      why: 'One preference of the person is saved again and again in other words.',
    },
    (run) => {
      run.prompt('I prefer tabs. Now format the project.')
      run.until(124, () =>
        run.step(
          '',
          plain(
            'save_memory',
            {
              fact: `${run.pick(['The user', 'User', 'This person'])} ${run.pick(['prefers', 'likes', 'wants', 'uses'])} ${run.pick(['tabs', 'tab characters', 'tab indentation'])} ${run.pick(['over spaces', 'instead of spaces', 'for indentation', 'in all files', ''])}`.trim(),
            },
            `{"success":true,"message":"Okay, I've remembered that."}`,
          ),
        ),
      )
    },
  ),
]

import { bare, json, openAi, plain } from './frames.js'
import { cycle, type Invented, loop } from './script.js'

const domain = 'chat'

export const chatLoops: Invented[] = [
  loop(
    {
      name: 'announcing another approach',
      domain,
      evidentAt: 8,
      why: 'Turn after turn the agent says that it will start, in nearly the same words, and never does.',
      style: { turns: true },
    },
    (run) => {
      run.prompt('Continue with the refactoring.')
      run.until(124, () =>
        run.step(
          `${run.pick(['I see that this has not worked.', 'I understand.', 'You are right.', 'Apologies for the confusion.'])} I will now ${run.pick(['take', 'try', 'follow'])} a different approach and ${run.pick(['start', 'begin', 'proceed'])} with the refactoring of the payment module. First I will ${run.pick(['read', 'look at', 'open'])} the file ${run.pick(['and then', 'before I', 'so that I can'])} make the changes.`,
        ),
      )
    },
  ),
  loop(
    {
      name: 'blocked, said again and again',
      domain,
      evidentAt: 6,
      why: 'The agent states its blocked status in every turn, and nobody answers.',
      style: { turns: true },
    },
    (run) => {
      run.until(122, () =>
        run.step(
          `${run.pick(['I reiterate', 'To repeat', 'As stated before', 'Once more', 'I must repeat'])}: I am blocked ${run.pick(['until', 'and waiting for', 'as long as I lack'])} access to the staging database. ${run.pick(['Please grant it.', 'No further work is possible.', 'I cannot continue.', 'Nothing else can be done.'])}`,
        ),
      )
    },
  ),
  loop(
    {
      name: 'same message, idle calls in between',
      domain,
      evidentAt: 8,
      why: 'The same closing message comes again, with calls in between that do nothing.',
      style: openAi,
    },
    (run) => {
      run.until(124, (lap) => {
        const call = cycle(
          [
            plain(
              'bash',
              { command: `echo "${run.pick(['done', 'finished', 'ok', 'complete'])} ${lap}"` },
              `${run.pick(['done', 'finished', 'ok', 'complete'])} ${lap}\n`,
            ),
            plain(
              'bash',
              { command: 'date' },
              `Tue Sep  1 ${run.int(10, 23)}:${run.int(10, 59)}:${run.int(10, 59)} UTC 2026\n`,
            ),
            plain('bash', { command: 'true' }, ''),
            plain(
              'think',
              {
                thought: run.pick([
                  'The task is complete.',
                  'Everything is done.',
                  'Nothing is left to do.',
                ]),
              },
              '',
            ),
          ],
          run.int(0, 3),
        )
        run.step(
          'The task has been completed successfully. All requirements are met and the summary has been provided above.',
          call,
        )
      })
    },
  ),
  loop(
    {
      name: 'two agents agreeing with each other',
      domain,
      evidentAt: 8,
      why: 'Both thank each other and wait for the other to begin.',
      style: bare,
    },
    (run) => {
      run.until(124, (lap) => {
        const author = lap % 2 ? 'coder' : 'planner'
        run.as(author)
        run.step(
          '',
          json(
            'send_message',
            {
              to: lap % 2 ? 'planner' : 'coder',
              text: run.pick(
                author === 'coder'
                  ? [
                      'Sounds good, ready when you are!',
                      'Great plan, waiting for your go.',
                      'Agreed. Let me know when to start.',
                    ]
                  : [
                      'Perfect, please go ahead whenever you are ready.',
                      'Great, over to you.',
                      'Agreed, looking forward to your part.',
                    ],
              ),
            },
            { delivered: true, id: run.uuid() },
          ),
        )
      })
      run.as()
    },
  ),
]

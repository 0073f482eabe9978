import { bare, claude, codex, json, mcp, openAi, plain } from './frames.js'
import { cycle, type Invented, loop } from './script.js'

const domain = 'speech'

export const speechLoops: Invented[] = [
  loop(
    {
      name: 'apologies and nothing else',
      domain,
      evidentAt: 9,
      why: 'Each turn is an apology and a promise to correct the mistake, in other words, and no tool is ever used.',
      style: claude,
    },
    (run) => {
      run.prompt(
        run.pick([
          'that is still wrong. fix the total in invoice.xlsx',
          'stimmt immer noch nicht, korrigier die summe in invoice.xlsx',
        ]),
      )
      run.until(71, () =>
        run.step(
          `${run.pick(['I apologize for the confusion.', 'You are right, I am sorry.', 'My apologies for the mistake.', 'I am sorry about that.', 'Apologies, you are absolutely right.'])} ${run.pick(['I will correct the total now.', 'Let me fix the sum right away.', 'I will now update the invoice.', 'Let me correct this in the file.'])} ${run.pick(['', 'Thank you for your patience.', 'This time it will be right.', 'One moment, please.'])}`.trim(),
        ),
      )
    },
  ),
  loop(
    {
      name: 'a nudge by the program, a promise by the model',
      domain,
      evidentAt: 8,
      why: 'The program sends the same sentence whenever no tool was used, and the model only promises to use one.',
      style: openAi,
    },
    (run) => {
      run.prompt('convert all wavs to flac')
      run.until(70, () => {
        run.step(
          `${run.pick(['Understood.', 'Of course.', 'Certainly.', 'Sure.'])} ${run.pick(['I will use the tool to convert the files.', 'I am going to call the converter next.', 'I will proceed with the conversion now.', 'Next, I will run the conversion.'])}`,
        )
        run.prompt(
          '[ERROR] You did not use a tool in your previous response! Please retry with a tool use.',
        )
      })
    },
  ),
  loop(
    {
      name: 'a plan set up anew instead of begun',
      domain,
      evidentAt: 11,
      why: 'The plan is written again and again with other words for the same steps, all of them pending.',
      style: codex,
    },
    (run) => {
      run.prompt('port the installer to windows')
      run.until(72, () =>
        run.step(
          run.pick(['', 'Let me refine the plan.', 'I restructure the steps.', 'A clearer plan:']),
          {
            name: 'update_plan',
            args: {
              explanation: run.pick([
                'Refined plan',
                'Better structure',
                'More detail',
                'Clarified the order',
                '',
              ]),
              plan: [
                [
                  `${run.pick(['Inspect', 'Review', 'Read', 'Analyze'])} the ${run.pick(['installer', 'current installer', 'setup code'])}`,
                  0,
                ],
                [
                  `${run.pick(['List', 'Identify', 'Collect', 'Find'])} ${run.pick(['Unix-only calls', 'platform-specific parts', 'what depends on Unix'])}`,
                  1,
                ],
                [
                  `${run.pick(['Port', 'Rewrite', 'Adapt'])} ${run.pick(['them', 'those parts', 'the code'])} ${run.pick(['to Windows', 'for Windows'])}`,
                  2,
                ],
                [
                  `${run.pick(['Test', 'Verify', 'Check'])} ${run.pick(['on Windows', 'the result', 'everything'])}`,
                  3,
                ],
              ].map(([step]) => ({ step, status: 'pending' })),
            },
            output: 'Plan updated',
          },
        ),
      )
    },
  ),
  loop(
    {
      name: 'thoughts that waver between two ways',
      domain,
      evidentAt: 14,
      why: 'Thought after thought weighs a queue against a cron job, changes its mind and decides nothing.',
      style: { ids: 'toolu_01' },
    },
    (run) => {
      run.prompt('queue or cron for the nightly mails? decide and implement')
      run.until(73, (lap) => {
        const total = lap + run.int(3, 6)
        const [one, other] = lap % 2 ? ['a cron job', 'a queue'] : ['a queue', 'a cron job']
        run.step(
          '',
          mcp(
            'mcp__sequential-thinking__sequentialthinking',
            {
              thought: `${run.pick(['Wait,', 'Hmm,', 'Actually,', 'On second thought,', 'However,'])} ${run.pick([`${one} would be simpler than ${other}`, `${one} is more robust than ${other}`, `with ${one} we need less than with ${other}`, `${other} has more parts than ${one}`])}. ${run.pick(['Retries matter here.', 'Operations matter too.', 'The load is small.', 'Both would do.'])} ${run.pick(['Let me reconsider.', 'Let me weigh this again.', 'I should compare them once more.'])}`,
              thoughtNumber: lap + 1,
              totalThoughts: total,
              nextThoughtNeeded: true,
              ...(lap && run.chance(0.3) ? { isRevision: true, revisesThought: lap } : {}),
            },
            JSON.stringify({
              thoughtNumber: lap + 1,
              totalThoughts: total,
              nextThoughtNeeded: true,
              branches: [],
              thoughtHistoryLength: lap + 1,
            }),
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'the same reasoning before each trifling call',
      domain,
      evidentAt: 15,
      why: 'Before every call the same considerations are gone through in the same order, and nothing comes of them.',
      style: claude,
    },
    (run) => {
      run.prompt('why does the cart forget the coupon?')
      run.until(74, () => {
        run.think(
          `The user says that the cart forgets the coupon. The coupon is stored in the session. ${run.pick(['The session', 'It'])} may expire, or the cart may be rebuilt on login. I should look at the cart first. But the session could also be at fault, so I should look at the session. ${run.pick(['Let me', 'I will', 'First I should'])} get an overview of the project before I decide.`,
        )
        run.step(
          '',
          plain(
            'list_dir',
            {
              path: run.pick(['.', './', '/app', '/app/', './src/..']),
              ...(run.chance(0.3) ? { depth: 1 } : {}),
            },
            'README.md\npackage.json\nsrc\ntests',
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a list of villages that begins again',
      domain,
      evidentAt: 22,
      why: 'After the sixth village the list starts over with the first, under numbers that go on.',
      style: bare,
    },
    (run) => {
      run.prompt('list 40 villages in the Asturias with one sentence each')
      const villages = run.shuffle([
        ['Tazones', 'a fishing village with steep lanes and a small harbor'],
        ['Bulnes', 'a hamlet that is reached by a funicular'],
        ['Lastres', 'a village on a slope above the sea'],
        ['Cudillero', 'houses in many colors around a cove'],
        ['Taramundi', 'known for its knives and its mills'],
        ['Espinaréu', 'a village with many old granaries'],
      ] as const)
      run.until(72, (lap) => {
        const [name, what] = cycle(villages, lap)
        run.step(`${lap + 1}. **${name}**: ${what}.\n`)
      })
    },
  ),
  loop(
    {
      name: 'a closing sentence that does not close',
      domain,
      evidentAt: 10,
      why: 'The work is done and said to be done in every turn, with an offer of help in other words, and the turns go on.',
      style: openAi,
    },
    (run) => {
      run.prompt('rename the column to "total"')
      run.step('', json('rename_column', { from: 'sum', to: 'total' }, { ok: true }))
      run.until(71, () =>
        run.step(
          `${run.pick(['The column is now called "total".', 'Done: the column has been renamed.', 'The renaming is complete.'])} ${run.pick(['Let me know if you need anything else.', 'Is there anything else I can do?', 'Feel free to ask for more.', 'Happy to help further!'])}`,
        ),
      )
    },
  ),
  loop(
    {
      name: 'a notebook opened to write the same line',
      domain,
      evidentAt: 12,
      why: 'The same finding is put into the notes in other words again and again, and no next step is taken.',
      style: { ids: 'call_', clock: true },
    },
    (run) => {
      run.prompt('research which beetle is eating my basil, take notes')
      run.until(73, (lap) =>
        run.step(
          (lap + 1) % 4 ? '' : run.pick(['I will note this.', 'An important point to keep.', '']),
          plain(
            'append_note',
            {
              file: 'basil.md',
              line: `- ${run.pick(['Holes in the leaves', 'The holes in the leaves', 'Leaf holes'])} ${run.pick(['suggest', 'point to', 'are a sign of', 'may mean'])} ${run.pick(['a beetle', 'some beetle', 'beetles'])}; ${run.pick(['identify it next', 'next: find out which', 'to be identified'])}`,
            },
            `Note saved (${lap + 1} lines).`,
          ),
        ),
      )
    },
  ),
]

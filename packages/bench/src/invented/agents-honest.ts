import { bash, claude, json, openAi, plain, read } from './frames.js'
import { each, honest, type Invented, range, times } from './script.js'
import { COMPANIES, PARTS, PEOPLE } from './words.js'

const domain = 'orchestration'

export const agentsHonest: Invented[] = [
  honest(
    {
      name: 'a report on each customer by the same analyst',
      domain,
      why: 'The assignments are worded alike, but each is about another customer, and each report has other figures.',
      style: openAi,
    },
    (run) => {
      run.prompt(
        'Q3 report per customer, let the analyst agent do each one separately, then a summary',
      )
      each(run.shuffle(COMPANIES).slice(0, 24), (customer) => {
        run.step(
          '',
          plain(
            'transfer_to_analyst',
            {
              task: `Analyze our Q3 sales to ${customer}. Give revenue, growth and the best product.`,
            },
            `Revenue with ${customer} was ${run.decimal(1, 9)} M, ${run.pick(['up', 'down'])} ${run.decimal(0, 19, 1)} % on the year. The best product was the ${run.pick(PARTS)} kit.`,
          ),
        )
      })
      run.step('Here is the summary of all customers.')
    },
  ),
  honest(
    {
      name: 'a price haggled over by two agents',
      domain,
      why: 'Offer and counter-offer sound alike, but the two prices come closer until there is a deal.',
      style: { turns: true },
    },
    (run) => {
      run.prompt(
        'simulate the negotiation between the buyer and the seller agent over the used forklift, show every round',
      )
      let [low, high] = [run.int(5200, 5800), run.int(9200, 9900)]
      for (let round = 0; high - low > 60; round++) {
        run.as(round % 2 ? 'seller' : 'buyer')
        if (round % 2) high -= Math.ceil((high - low) * (run.int(10, 22) / 100))
        else low += Math.ceil((high - low) * (run.int(10, 22) / 100))
        run.step(
          round % 2
            ? `Thank you for the offer. ${run.pick(['I can come down to', 'My price would be', 'I could do'])} ${high} euros.`
            : `Thank you. ${run.pick(['I could go up to', 'My offer is', 'I can pay'])} ${low} euros.`,
        )
        run.handoff(round % 2 ? 'buyer' : 'seller')
      }
      run.as()
      run.step(`They agree on ${low} euros.`)
    },
  ),
  honest(
    {
      name: 'chapters drafted by helpers that start alike',
      domain,
      why: 'Each helper reads the same two files first, as it should, and then writes another chapter.',
      style: claude,
    },
    (run) => {
      run.prompt(
        'one subagent per chapter of the user guide please, outline.md has the list, style.md the rules',
      )
      each(run.shuffle(PARTS).slice(0, 9), (part, n) => {
        const helper = `writer-${n + 1}`
        run.delegate(
          '',
          {
            name: 'Task',
            args: {
              subagent_type: 'writer',
              description: `Write chapter ${n + 1}`,
              prompt: `Write the chapter on ${part}. Read outline.md and style.md first.`,
            },
            output: `The chapter on ${part} is written (${run.int(400, 900)} words).\nagentId: ${run.hex(8)}`,
          },
          helper,
          () => {
            run.step(
              '',
              read(
                'outline.md',
                PARTS.slice(0, 9).map((name, at) => `${at + 1}. ${name}`),
              ),
            )
            run.step('', read('style.md', ['Short sentences.', 'No passive.', 'Examples first.']))
            run.step(
              '',
              bash(
                `grep -rn ${part} src | head -5`,
                range(3)
                  .map(
                    () =>
                      `src/${part}/${run.pick(PARTS)}.ts:${run.int(1, 300)}: ${run.pick(['export', 'const', 'return'])} ${part}`,
                  )
                  .join('\n'),
              ),
            )
            run.step(
              '',
              plain(
                'Write',
                {
                  file_path: `guide/${part}.md`,
                  content: `# ${part}\n\n${run.pick(PEOPLE)} opens the ${run.pick(PARTS)} and ${run.pick(['saves', 'prints', 'shares'])} it.`,
                },
                `File created successfully at: guide/${part}.md`,
              ),
            )
          },
        )
      })
      run.step('All chapters are written.')
    },
  ),
  honest(
    {
      name: 'a background helper that reports new figures',
      domain,
      why: 'Its output is fetched again and again with pauses, and each time more of the files are done.',
      style: claude,
    },
    (run) => {
      run.prompt('let a background agent transcode the archive (about 400 clips), keep me posted')
      const id = run.hex(7)
      run.step(
        '',
        plain(
          'Task',
          { description: 'Transcode', prompt: 'Transcode /archive', run_in_background: true },
          `Async agent launched successfully.\nagentId: ${id}`,
        ),
      )
      let done = 0
      while (done < 400) {
        run.wait(90)
        run.step(
          done && done % 5 === 0 ? `${done} of 400 clips.` : '',
          json(
            'TaskOutput',
            { task_id: id, block: true, timeout: 90000 },
            { status: 'running', output: `clip ${done} of 400` },
          ),
        )
        done += run.int(9, 21)
      }
      run.step(
        '',
        json(
          'TaskOutput',
          { task_id: id, block: true, timeout: 90000 },
          { status: 'completed', output: '400 of 400 clips, 0 errors' },
        ),
      )
      run.step('All clips are transcoded.')
    },
  ),
  honest(
    {
      name: 'suppliers asked for a quote in the same words',
      domain,
      why: 'The letter is the same on purpose, each supplier is another one, and the quotes are compared.',
    },
    (run) => {
      run.prompt('ask all suppliers for 500 brackets, steel, delivery in october. compare')
      each(run.shuffle(COMPANIES).slice(0, 23), (supplier) =>
        run.step(
          '',
          json(
            'send_to_agent',
            { agent: supplier, message: 'Please quote 500 brackets, steel, delivery in October.' },
            run.chance(0.2)
              ? { from: supplier, decline: true }
              : { from: supplier, price: Number(run.decimal(2, 6)), days: run.int(9, 40) },
          ),
        ),
      )
      run.step('The three best quotes are below.')
    },
  ),
  honest(
    {
      name: 'a plan handed round between three agents',
      domain,
      why: 'Planner, builder and checker take turns for each item, and item after item is finished.',
      style: { ids: 'call_', turns: true },
    },
    (run) => {
      run.prompt('build the landing page, planner/builder/checker crew')
      const items = [
        'header',
        'hero',
        'features',
        'pricing',
        'quotes',
        'faq',
        'form',
        'footer',
        'cookie notice',
        'dark mode',
      ]
      each(items, (item, n) => {
        run.as('planner')
        run.step(`Item ${n + 1} of ${items.length}: ${item}.`)
        run.handoff('builder', item)
        run.as('builder')
        run.step(
          '',
          plain(
            'write_component',
            {
              name: item,
              html: `<section class="${run.pick(PARTS)}">${run.pick(COMPANIES)}</section>`,
            },
            'written',
          ),
        )
        run.handoff('checker', item)
        run.as('checker')
        times(run.int(1, 2), () =>
          run.step('', plain('lighthouse', { section: item }, `score ${run.int(88, 100)}`)),
        )
        run.handoff('planner')
      })
      run.as()
      run.step('The page is built.')
    },
  ),
]

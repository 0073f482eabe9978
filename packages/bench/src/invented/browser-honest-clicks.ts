import { playwright } from './browser.js'
import { claude, json, mcp, openAi } from './frames.js'
import { cycle, each, honest, type Invented, times } from './script.js'
import { slug } from './words.js'

const domain = 'browser'

export const honestClicks: Invented[] = [
  honest(
    {
      name: 'quantity raised one by one',
      domain,
      why: 'The plus button is pressed until the number the person wants is reached, row after row.',
      style: openAi,
    },
    (run) => {
      run.prompt(
        'Put 12 croissants, 8 rolls and 5 loaves in the basket; the shop has only plus buttons.',
      )
      const price = run.int(1, 4)
      each(
        [
          ['Croissant', 12, 0],
          ['Roll', 8, 12],
          ['Loaf', 5, 20],
        ] as const,
        ([item, wanted, before], row) => {
          times(wanted, (n) => {
            run.step(
              '',
              playwright(
                'click',
                { element: `plus button of ${item}`, ref: `e${30 + row * 10}` },
                `await page.getByTestId('plus-${slug(item)}').click();`,
                {
                  url: 'https://bakery.example/basket',
                  title: 'Basket',
                  nodes: [
                    'heading "Basket"',
                    `row "${item} ${n + 1}"`,
                    `text: Total ${((before + n + 1) * price).toFixed(2)} €`,
                  ],
                },
              ),
            )
          })
        },
      )
    },
  ),
  honest(
    {
      name: 'a questionnaire of forty questions',
      domain,
      why: 'Each answer is accepted with the same word and leads to the next question.',
      style: openAi,
    },
    (run) => {
      run.prompt('Answer the vendor security questionnaire from our handbook.')
      times(40, (n) =>
        run.step(
          '',
          json(
            'answer_question',
            {
              id: `Q${n + 1}`,
              answer: run.pick(['yes', 'no', 'n/a', 'yes, yearly']),
              note: `Handbook section ${run.int(1, 30)}.${run.int(1, 9)}`,
            },
            { status: 'ok' },
          ),
        ),
      )
      run.step('All forty questions are answered.')
    },
  ),
  honest(
    {
      name: 'forward to a date next year',
      domain,
      why: 'The calendar moves a month with each click until the month is reached.',
      style: { turns: true },
    },
    (run) => {
      run.prompt('Enter the three dates of the fair from dates.txt, the first is 14 May 2028.')
      const months = [
        'January',
        'February',
        'March',
        'April',
        'May',
        'June',
        'July',
        'August',
        'September',
        'October',
        'November',
        'December',
      ]
      let month = run.int(3, 9)
      each(
        [
          [28, 14],
          [37, 3],
          [45, run.int(1, 28)],
        ] as const,
        ([target, day]) => {
          while (month < target) {
            month++
            run.step(
              '',
              json(
                'click_element',
                { index: 14 },
                {
                  success: true,
                  extracted: '🖱️ Clicked button with index 14: Next month',
                  page: { heading: `${cycle(months, month)} ${2026 + Math.floor(month / 12)}` },
                },
              ),
            )
          }
          run.step(
            '',
            json(
              'click_element',
              { index: 17 + day },
              {
                success: true,
                extracted: `🖱️ Clicked button with index ${17 + day}: ${day}`,
                page: { field: `${day} ${cycle(months, month)}` },
              },
            ),
          )
        },
      )
    },
  ),
  honest(
    {
      name: 'invoices downloaded one by one',
      domain,
      why: 'Another invoice each time, saved with the same message.',
      style: claude,
    },
    (run) => {
      run.prompt('Download all invoices of the last two years.')
      times(24, (n) => {
        const id = `INV-${2024 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`
        run.step(
          n % 6 ? '' : `Next: ${id}.`,
          mcp(
            'mcp__browser__download',
            { selector: `tr:nth-child(${n + 1}) a.download` },
            'Download started. The file will be saved to the downloads folder.',
          ),
        )
      })
    },
  ),
  honest(
    {
      name: 'cells of a table typed in',
      domain,
      why: 'Every action fills another cell, and the tool only says that it was done.',
      style: claude,
    },
    (run) => {
      run.prompt('Type the figures of budget.csv into the spreadsheet that is open on the screen.')
      times(48, (n) => {
        const cell = `${cycle(['B', 'C', 'D', 'E'], n)}${Math.floor(n / 4) + 2}`
        run.step(
          '',
          {
            name: 'computer',
            args: { action: 'type', text: `${run.int(100, 9999)}\t` },
            output: 'Typed text.',
          },
          {
            name: 'computer',
            args: { action: 'zoom', region: cell },
            output: [
              {
                type: 'image',
                source: {
                  type: 'base64',
                  media_type: 'image/png',
                  data: `iVBORw0KGgoAAAANSUhEUgAABQAAAAMgCAIAAAD${run.token(160)}`,
                },
              },
            ],
          },
        )
      })
    },
  ),
]

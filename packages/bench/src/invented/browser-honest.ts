import { type Page, playwright, refOf } from './browser.js'
import { claude, json, mcp, openAi, plain } from './frames.js'
import { cycle, each, honest, type Invented, range, times } from './script.js'
import { CITIES, COMPANIES, PARTS, PEOPLE, slug } from './words.js'

const domain = 'browser'

export const browserHonest: Invented[] = [
  honest(
    {
      name: 'a long form filled field by field',
      domain,
      why: 'Another field each time, and the form is sent at the end.',
      style: openAi,
    },
    (run) => {
      run.prompt(
        'Fill in the supplier registration form with the data in supplier.json and submit it.',
      )
      const fields = [
        'Company',
        'Street',
        'House number',
        'Zip',
        'City',
        'Country',
        'VAT id',
        'Register',
        'Contact',
        'Phone',
        'Email',
        'Website',
        'Bank',
        'IBAN',
        'BIC',
        'Currency',
        'Terms',
        'Incoterm',
        'Language',
        'Employees',
        'Founded',
        'Turnover',
        'Certificate',
        'Remarks',
      ]
      const page: Page = {
        url: 'https://suppliers.example/register',
        title: 'Register',
        nodes: ['heading "Register"', 'form', 'button "Submit"'],
      }
      each(fields, (field, n) => {
        const text = run.pick(['12', 'Lisbon', 'acme', run.token(8), String(run.int(1000, 99999))])
        run.step(
          '',
          playwright(
            'type',
            { element: `${field} field`, ref: `e${11 + n}`, text },
            `await page.getByRole('textbox', { name: '${field}' }).fill('${text}');`,
            page,
          ),
        )
      })
      run.step(
        '',
        playwright(
          'click',
          { element: 'Submit', ref: 'e90' },
          "await page.getByRole('button', { name: 'Submit' }).click();",
          { ...page, nodes: ['heading "Thank you"'] },
        ),
      )
    },
  ),
  honest(
    {
      name: 'clicking through result pages',
      domain,
      why: 'Always the same button, and each page lists other flats.',
      style: openAi,
    },
    (run) => {
      run.prompt('Collect all two-room flats under 900 euros from the listing.')
      times(26, (n) => {
        run.step(
          n % 9 ? '' : 'On to the next page.',
          playwright(
            'click',
            { element: 'Next page', ref: 'e77' },
            "await page.getByRole('link', { name: 'Next' }).click();",
            {
              url: `https://flats.example/s?page=${n + 2}`,
              title: 'Flats',
              nodes: [
                ...range(6).map(
                  () =>
                    `listitem: ${run.pick(CITIES)}, ${run.int(30, 80)} m², ${run.int(500, 1400)} €`,
                ),
                'link "Next"',
              ],
            },
          ),
        )
      })
    },
  ),
  honest(
    {
      name: 'an endless feed scrolled',
      domain,
      why: 'Each scroll brings posts that were not there before.',
    },
    (run) => {
      run.prompt('Scroll the club’s feed back to June and list all events.')
      times(34, (n) => {
        run.step(
          '',
          plain(
            'browser_use',
            { action: 'scroll_down', scroll_amount: 900 },
            `Observed output of cmd \`browser_use\` executed:\nScrolled down by 900 pixels\nNew elements: ${range(
              4,
            )
              .map(
                () =>
                  `[${run.int(100, 999)}]<article>${run.pick(PEOPLE)}: ${run.pick(CITIES)} ride, ${30 - (n % 30)} August</article>`,
              )
              .join(' ')}`,
          ),
        )
      })
      run.step('These are the nine events since June.')
    },
  ),
  honest(
    {
      name: 'screenshots named by their hash',
      domain,
      why: 'Each screen is another page of the application, as the hash shows.',
      style: openAi,
    },
    (run) => {
      run.prompt('Take a screenshot of every screen for the manual.')
      each(PARTS.slice(0, 32), (part) =>
        run.step(
          '',
          json(
            'take_screenshot',
            { route: `/${part}`, fullPage: true },
            { ok: true, width: 1280, height: 720, sha256: run.hex(64) },
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'screenshots that answer only ok',
      domain,
      why: 'Every call saves another route under another name.',
      style: { turns: true },
    },
    (run) => {
      run.prompt('Capture reference images of all 28 routes in routes.txt for the visual tests.')
      each(run.shuffle(PARTS).slice(0, 28), (part, n) => {
        run.step(
          n % 7 ? '' : `${28 - n} routes to go.`,
          plain(
            'browser_take_screenshot',
            { url: `http://localhost:6006/${part}`, filename: `ref/${part}.png` },
            'Screenshot saved',
          ),
        )
      })
    },
  ),
  honest(
    {
      name: 'open, go back, open the next',
      domain,
      why: 'The list page returns after every item, but each item is another one.',
      style: openAi,
    },
    (run) => {
      run.prompt('Open every job ad on the list and note the salary.')
      const jobs = run.shuffle(COMPANIES).slice(0, 20)
      const list: Page = {
        url: 'https://jobs.example/list',
        title: 'Jobs',
        nodes: jobs.map((job) => `link "${job}"`),
      }
      each(jobs, (job, n) => {
        run.step(
          '',
          playwright(
            'click',
            { element: job, ref: refOf(n) },
            `await page.getByRole('link', { name: '${job}' }).click();`,
            {
              url: `https://jobs.example/${slug(job)}`,
              title: job,
              nodes: [
                `heading "${job}"`,
                `text: ${run.int(40, 90)},000 € a year`,
                `text: ${run.pick(CITIES)}`,
              ],
            },
          ),
        )
        run.step('', playwright('navigate_back', {}, 'await page.goBack();', list))
      })
    },
  ),
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
                source: { type: 'base64', media_type: 'image/png', sha256: run.hex(64) },
              },
            ],
          },
        )
      })
    },
  ),
]

import { type Page, playwright, refOf } from './browser.js'
import { json, openAi, plain } from './frames.js'
import { each, honest, type Invented, range, times } from './script.js'
import { CITIES, COMPANIES, PARTS, PEOPLE, slug } from './words.js'

const domain = 'browser'

export const honestForms: Invented[] = [
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
]

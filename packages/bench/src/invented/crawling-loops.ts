import { claude, json, mcp, openAi, plain } from './frames.js'
import { bodyRef, pageState, shopFrame, ticker, two } from './noise.js'
import { cycle, type Invented, loop } from './script.js'
import { PARTS } from './words.js'

const domain = 'crawling'

export const crawlingLoops: Invented[] = [
  loop(
    {
      name: 'a site that shows nothing but its cookie banner',
      domain,
      evidentAt: 16,
      why: 'Whatever page is opened and whatever is accepted, the consent page is all that comes.',
      style: { ids: 'toolu_01' },
    },
    (run) => {
      run.prompt('what does tagesblatt.example write about the bridge?')
      const wall = (url: string) =>
        pageState(run, url, 'tagesblatt.example', [
          'dialog "Datenschutz"',
          'heading "tagesblatt.example mit Werbung lesen"',
          'paragraph "Wir und unsere 211 Partner verarbeiten Daten auf Grundlage Ihrer Einwilligung."',
          'button "Alle akzeptieren"',
          'button "PUR-Abo ab 4,99"',
          `text "Consent-ID ${run.uuid()}"`,
        ])
      run.until(75, () => {
        const url = `https://www.tagesblatt.example/${run.pick(['stadt', 'region', 'archiv', 'suche?q=br%C3%BCcke', 'politik', 'amp/stadt', ''])}${run.pick(['', '/bruecke', '/1', '?ref=home', '#content'])}`
        run.step(
          run.pick(['', 'Let me open another section.', '']),
          mcp('browser_navigate', { url }, wall(url)),
        )
        run.step(
          '',
          mcp('browser_click', { element: 'Alle akzeptieren', ref: bodyRef(3) }, wall(url)),
        )
      })
    },
  ),
  loop(
    {
      name: 'a button that is greyed out',
      domain,
      evidentAt: 13,
      why: 'The article is sold out and the button disabled; clicks, taps and keys only change the advertising around it.',
      style: claude,
    },
    (run) => {
      run.prompt('put the red kettle 1.7l in the basket')
      run.until(74, (lap) => {
        const page = shopFrame(
          run,
          '# Red kettle 1.7 l\n**€ 39.90**\nSold out\nbutton "Add to basket" [disabled]\nBasket (0)',
        )
        const act = run.pick([
          ['browser_click', { element: 'Add to basket', ref: `s${lap}e${run.int(30, 60)}` }],
          ['browser_press_key', { key: 'Enter' }],
          [
            'browser_click',
            {
              element: 'Add to basket button',
              ref: `s${lap}e${run.int(30, 60)}`,
              doubleClick: true,
            },
          ],
          ['browser_evaluate', { function: "() => document.querySelector('.buy').click()" }],
        ] as const)
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick([
                'I click on the button.',
                'The click did not register.',
                'Trying once more.',
              ]),
          mcp(act[0], act[1], page),
        )
      })
    },
  ),
  loop(
    {
      name: 'a calendar of events without end',
      domain,
      evidentAt: 22,
      why: 'The calendar has had no entry for years to come, and the link to the next month is followed on and on.',
      style: openAi,
    },
    (run) => {
      run.prompt('collect all events of the village hall, current programme')
      let month = run.int(8, 11)
      run.until(76, () => {
        const url = `https://hall.example/events?month=${2026 + Math.floor(month / 12)}-${two((month % 12) + 1)}`
        month++
        run.step(
          '',
          json(
            'fetch',
            { url },
            {
              status: 200,
              text: `Village Hall — Events ${2026 + Math.floor((month - 1) / 12)}-${two(((month - 1) % 12) + 1)}\nNo events this month.\n« previous | next »`,
              ms: run.int(40, 400),
            },
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'six pages visited in no order',
      domain,
      evidentAt: 24,
      why: 'All six pages have been read, none says what is asked, and they are opened over and over with searches in between.',
      style: claude,
    },
    (run) => {
      run.prompt('how long is the warranty on the Kestrel K9 battery? kestrel.example')
      const pages = ['', 'products', 'products/k9', 'support', 'faq', 'legal/warranty']
      run.until(78, (lap) => {
        const at = run.int(0, 5)
        const url = `https://kestrel.example/${pages[at]}`
        run.step(
          (lap + 1) % 4
            ? ''
            : run.pick([
                'The warranty page should have it.',
                'Let me look at the product page.',
                'I may have missed something.',
              ]),
          plain(
            'visit',
            { url },
            `# Kestrel ${pages[at] || 'home'}\n${cycle(['Drones for surveyors.', 'K7, K9, K12.', 'K9: 41 min flight time, 3.2 kg.', 'Write to support@kestrel.example.', 'How do I charge the K9? With the charger.', 'Warranty as required by law; batteries are excluded from the voluntary warranty of the frame.'], at)}`,
          ),
        )
        if (lap % 4 === 3)
          run.step(
            '',
            plain(
              'search',
              {
                q: `kestrel K9 ${run.pick(['battery warranty', 'warranty years', 'battery guarantee', 'battery lifetime'])}`,
              },
              pages
                .slice(1)
                .map((page) => `https://kestrel.example/${page}`)
                .join('\n'),
            ),
          )
      })
    },
  ),
  loop(
    {
      name: 'a captcha behind every address',
      domain,
      evidentAt: 13,
      why: 'Exit after exit is tried, and each gets the same puzzle that the agent may not solve.',
    },
    (run) => {
      const clock = ticker(run)
      run.prompt('check the price of flight LX 1402 on the airline site')
      run.until(74, (lap) => {
        run.step(
          '',
          plain(
            'rotate_proxy',
            { country: run.pick(['DE', 'FR', 'US', 'NL', 'SE', 'PT', 'JP', 'BR']) },
            `exit 198.51.100.${run.int(2, 250)}`,
          ),
        )
        run.step(
          (lap + 1) % 4
            ? ''
            : run.pick(['A fresh address should work.', 'Another country then.', '']),
          plain(
            'open',
            {
              url: 'https://air.example/flights/LX1402',
              ...(run.chance(0.4)
                ? { user_agent: run.pick(['Firefox/140', 'Safari/19', 'Chrome/141']) }
                : {}),
            },
            `Just a moment...\nVerify you are human by completing the action below.\nRay ID: ${run.hex(16)} ${clock()}`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'questions to a PDF without text',
      domain,
      evidentAt: 12,
      why: 'The file is a scan of which nothing was extracted, and the reader says so to each new question.',
      style: openAi,
    },
    (run) => {
      run.prompt('from annual_report_1998.pdf: revenue, staff, sites')
      run.until(73, (lap) =>
        run.step(
          (lap + 1) % 5
            ? ''
            : run.pick(['Let me ask about it directly.', 'I will phrase it differently.', '']),
          json(
            'query_document',
            {
              file: 'annual_report_1998.pdf',
              question:
                `${run.pick(['What', 'How much', 'Which number', 'Tell me what'])} ${run.pick(['was the revenue', 'is the turnover', 'were total sales', 'is said about staff', 'is the headcount', 'are the sites', 'is on page 2', 'is the title'])} ${run.pick(['in 1998', 'of the company', 'in the report', ''])}?`.replace(
                  ' ?',
                  '?',
                ),
              top_k: run.int(3, 20),
            },
            {
              answer: null,
              chunks: 0,
              warning: 'Document has no text layer (0 characters in 44 pages).',
              elapsed: Number(run.decimal(0.1, 2)),
            },
          ),
        ),
      )
    },
  ),
  loop(
    {
      name: 'a crawler that follows its own query strings',
      domain,
      evidentAt: 20,
      why: 'Every link is the same list under another session number, and all of them are fetched.',
      style: { ids: 'call_' },
    },
    (run) => {
      run.prompt('crawl parts.example and list all part numbers')
      const parts = run.shuffle(PARTS).slice(0, 6)
      run.until(75, () => {
        const url = `https://parts.example/list?sid=${run.hex(12)}&sort=${run.pick(['asc', 'desc', 'name', 'price'])}&view=${run.pick(['grid', 'list'])}`
        run.step(
          '',
          plain(
            'crawl',
            { url, depth: 1 },
            `${[...parts].sort().join('\n')}\nlinks: /list?sid=${run.hex(12)}&sort=${run.pick(['asc', 'desc'])}, /list?sid=${run.hex(12)}&view=${run.pick(['grid', 'list'])}`,
          ),
        )
      })
    },
  ),
]

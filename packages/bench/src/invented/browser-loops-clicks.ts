import { type Page, playwright, playwrightError, refOf } from './browser.js'
import { openAi, plain } from './frames.js'
import { type Invented, loop } from './script.js'

const domain = 'browser'

export const clickLoops: Invented[] = [
  loop(
    {
      name: 'random clicks on an unchanged page',
      domain,
      evidentAt: 14,
      why: 'Whatever is clicked, the page stays the same; only the references are counted anew.',
      style: openAi,
    },
    (run) => {
      run.prompt('Book a table for two at Osteria Nuova on Friday evening.')
      const labels = [
        'Menu',
        'About us',
        'Gallery',
        'Book a table',
        'Gift cards',
        'Contact',
        'Imprint',
      ]
      const page: Page = {
        url: 'https://osteria-nuova.example/book',
        title: 'Osteria Nuova',
        nodes: [
          'banner',
          'heading "Book a table"',
          ...labels.map((label) => `button "${label}"`),
          'text: Online booking is closed this week',
        ],
      }
      let ref = 2
      run.step(
        '',
        playwright('navigate', { url: page.url }, `await page.goto('${page.url}');`, page, ref),
      )
      run.until(130, (lap) => {
        const n = run.int(0, labels.length - 1)
        const target = refOf(n + 2, ref)
        ref += 24
        run.step(
          lap % 3
            ? ''
            : run.pick([
                'Let me open the booking form.',
                'I will try another button.',
                'Perhaps the form is behind this one.',
              ]),
          playwright(
            'click',
            { element: `${labels[n]} button`, ref: target },
            `await page.getByRole('button', { name: '${labels[n]}' }).click();`,
            page,
            ref,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'one page told in ever other words',
      domain,
      evidentAt: 12,
      why: 'The snapshot does not change; the agent only describes it again and again.',
      style: openAi,
    },
    (run) => {
      run.prompt('Check whether the parcel JD014600003 has arrived.')
      const page: Page = {
        url: 'https://track.example/JD014600003',
        title: 'Track your parcel',
        nodes: [
          'heading "JD014600003"',
          'text: Shipment data received',
          'text: We have not got your parcel yet',
          'link "Help"',
        ],
      }
      run.until(126, () => {
        const say = `${run.pick(['The page shows', 'I can see', 'What is displayed is', 'On the screen there is', 'The tracker lists'])} ${run.pick(['the parcel number', 'a heading with the number', 'the shipment', 'the tracking entry'])} ${run.pick(['and says', 'with the note', 'together with the remark', 'stating'])} ${run.pick(['that only data was received', 'that the carrier has not got it yet', 'that it has not been handed over', 'that nothing has moved'])}. ${run.pick(['Let me look at the page more closely.', 'I will take a fresh snapshot.', 'Let me read it once more to be sure.', 'I should verify that.'])}`
        run.step(say, playwright('snapshot', {}, '// snapshot', page))
      })
    },
  ),
  loop(
    {
      name: 'click that always times out',
      domain,
      evidentAt: 10,
      why: 'An overlay takes every click, and the log says so, yet the agent keeps clicking.',
      style: openAi,
    },
    (run) => {
      run.prompt('Download the invoice for March from the portal.')
      run.until(125, (lap) => {
        const ref = `e${run.int(20, 400)}`
        const way = run.pick(['Download', 'Download PDF', 'March 2026', 'Invoice', 'Open'])
        run.step(
          lap % 4 ? '' : 'I will click the download link.',
          playwrightError(
            'click',
            { element: `${way} link`, ref, ...(lap % 5 ? {} : { doubleClick: true }) },
            `TimeoutError: locator.click: Timeout 5000ms exceeded.\nCall log:\n  - waiting for locator('aria-ref=${ref}')\n    - locator resolved to <a href="#">${way}</a>\n  - attempting click action\n    2 × waiting for element to be visible, enabled and stable\n      - element is visible, enabled and stable\n      - <div class="consent-overlay"></div> intercepts pointer events`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'up and down the same page',
      domain,
      evidentAt: 16,
      why: 'The page is scrolled to its end and back without anything being read off it.',
    },
    (run) => {
      run.prompt('Find the opening hours on the museum site.')
      run.until(130, (lap) => {
        const down = lap % 4 < 2
        const amount = run.pick([500, 800, 1000, 1100])
        run.step(
          lap % 3 ? '' : '### Next Steps\n- Scroll to find the opening hours.',
          plain(
            'browser_use',
            { action: down ? 'scroll_down' : 'scroll_up', scroll_amount: amount },
            `Observed output of cmd \`browser_use\` executed:\nScrolled ${down ? 'down' : 'up'} by ${amount} pixels`,
          ),
        )
      })
    },
  ),
]

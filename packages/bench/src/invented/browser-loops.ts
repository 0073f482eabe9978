import { type Page, playwright, playwrightError, refOf } from './browser.js'
import { claude, json, openAi, plain } from './frames.js'
import { type Invented, loop } from './script.js'

const domain = 'browser'

export const browserLoops: Invented[] = [
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
  loop(
    {
      name: 'login refused, same credentials',
      domain,
      evidentAt: 14,
      why: 'The same user and password are typed again and refused again.',
      style: openAi,
    },
    (run) => {
      run.prompt(
        'Log in to the supplier portal with the stored credentials and export the price list.',
      )
      const page = (note: string, stamp: string): Page => ({
        url: `https://portal.example/login?state=${stamp}`,
        title: 'Sign in',
        nodes: [
          'heading "Sign in"',
          'textbox "Email"',
          'textbox "Password"',
          'button "Sign in"',
          ...(note ? [`alert: ${note}`] : []),
        ],
      })
      run.until(132, (lap) => {
        const stamp = run.hex(16)
        if (lap % 2)
          run.think('The login failed. I should enter the credentials carefully once more.')
        run.step(
          lap % 3 ? '' : 'I will enter the credentials.',
          playwright(
            'type',
            { element: 'Email', ref: 'e5', text: 'purchasing@acme.example' },
            "await page.getByRole('textbox', { name: 'Email' }).fill('purchasing@acme.example');",
            page('', stamp),
          ),
        )
        run.step(
          '',
          playwright(
            'type',
            { element: 'Password', ref: 'e7', text: '••••••••' },
            "await page.getByRole('textbox', { name: 'Password' }).fill('••••••••');",
            page('', stamp),
          ),
        )
        run.step(
          '',
          playwright(
            'click',
            { element: 'Sign in', ref: 'e9' },
            "await page.getByRole('button', { name: 'Sign in' }).click();",
            page('The email or password you entered is incorrect.', run.hex(16)),
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'next month, previous month',
      domain,
      evidentAt: 18,
      why: 'The calendar is turned back and forth between two months and no day is picked.',
      style: { turns: true },
    },
    (run) => {
      run.prompt('Pick 30 February 2027 in the date field.')
      run.until(128, (lap) => {
        const february = lap % 2 === 0
        run.step(
          lap % 4 ? '' : 'The 30th is not in this month, let me look at the other one.',
          json(
            'click_element',
            {
              index: february ? 14 : 12,
              reason: run.pick(['go to the month', 'look for the 30th', 'navigate the calendar']),
            },
            {
              success: true,
              extracted: `🖱️ Clicked button with index ${february ? 14 : 12}: ${february ? 'Next month' : 'Previous month'}`,
              page: {
                title: 'Choose a date',
                heading: february ? 'March 2027' : 'February 2027',
                days: february ? 31 : 28,
              },
            },
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'mouse all over a frozen screen',
      domain,
      evidentAt: 15,
      why: 'The screenshot is the same after every click, wherever the mouse goes.',
      style: claude,
    },
    (run) => {
      run.prompt('Open the settings of the accounting program and switch the language to English.')
      const shot = {
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', sha256: run.hex(64) },
      }
      run.until(130, (lap) => {
        const coordinate = [run.int(10, 1270), run.int(10, 790)]
        run.step(
          lap % 3
            ? ''
            : run.pick([
                'I need to open the menu.',
                'Clicking on the gear icon.',
                'Let me try the other corner.',
              ]),
          {
            name: 'computer',
            args: {
              action: run.pick(['left_click', 'left_click', 'double_click', 'right_click']),
              coordinate,
            },
            output: [{ type: 'text', text: `Clicked at (${coordinate.join(', ')})` }, shot],
          },
        )
      })
    },
  ),
  loop(
    {
      name: 'waiting for a page whose script failed',
      domain,
      evidentAt: 12,
      why: 'The console shows that the script could not load, so the spinner will never go away.',
      style: openAi,
    },
    (run) => {
      run.prompt('Read the dashboard figures for today.')
      const page: Page = {
        url: 'https://bi.example/d/42',
        title: 'Dashboard',
        nodes: ['img "spinner"', 'text: Loading…'],
      }
      run.until(130, (lap) => {
        const time = run.int(2, 10)
        run.step(
          lap % 4 ? '' : 'The dashboard is still loading.',
          playwright(
            'wait_for',
            { time },
            `await new Promise(f => setTimeout(f, ${time} * 1000));`,
            page,
          ),
        )
        if (lap % 3 === 0)
          run.step(
            '',
            plain(
              'browser_console_messages',
              {},
              `### Result\n[ERROR] Failed to load resource: the server responded with a status of 404 () @ https://bi.example/assets/app.${'9f31c2'}.js:0`,
            ),
          )
      })
    },
  ),
]

import { type Page, playwright } from './browser.js'
import { claude, json, openAi, plain } from './frames.js'
import { type Invented, loop } from './script.js'

const domain = 'browser'

export const pageLoops: Invented[] = [
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
        source: {
          type: 'base64',
          media_type: 'image/png',
          data: `iVBORw0KGgoAAAANSUhEUgAABQAAAAMgCAIAAAD${run.token(160)}`,
        },
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

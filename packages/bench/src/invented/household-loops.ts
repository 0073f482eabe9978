import { claude, json, mcp, openAi, plain } from './frames.js'
import { ticker } from './noise.js'
import { type Invented, loop } from './script.js'
import { COMPANIES, PEOPLE, slug } from './words.js'

const domain = 'household'

export const householdLoops: Invented[] = [
  loop(
    {
      name: 'a lamp without power switched on and off',
      domain,
      evidentAt: 14,
      why: 'The lamp is unavailable, as every look says; turning it on, off and on again does not bring it back.',
      style: openAi,
    },
    (run) => {
      const clock = ticker(run)
      run.prompt('turn on the lamp in the hall')
      run.until(74, (lap) => {
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick(['Trying again.', 'Let me toggle it.', 'I will reset the lamp.']),
          json(
            'call_service',
            {
              service: run.pick(['light.turn_on', 'light.turn_off', 'light.toggle']),
              entity_id: 'light.hall',
              ...(run.chance(0.3) ? { brightness: run.int(50, 255) } : {}),
            },
            [],
          ),
        )
        run.step(
          '',
          json(
            'get_state',
            { entity_id: 'light.hall' },
            {
              entity_id: 'light.hall',
              state: 'unavailable',
              last_updated: clock(),
              context: run.hex(12),
            },
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a mail that is too large, with other words in it',
      domain,
      evidentAt: 11,
      why: 'The server refuses the 48 MB attachment; the text of the mail is polished and the attachment stays.',
      style: claude,
    },
    (run) => {
      run.prompt('schick die präsentation an vera, nett formuliert')
      run.until(72, (lap) =>
        run.step(
          (lap + 1) % 4
            ? ''
            : run.pick([
                'I will shorten the text.',
                'Let me send it again.',
                'Another subject may help.',
              ]),
          mcp(
            'mcp__mail__send',
            {
              to: 'vera.petrova@halden.example',
              subject: `${run.pick(['Präsentation', 'Unsere Präsentation', 'Folien', 'Die Folien'])}${run.pick(['', ' September', ' für dich', ' wie besprochen'])}`,
              body: `${run.pick(['Liebe Vera', 'Hallo Vera', 'Hi Vera'])},\n${run.pick(['anbei die Folien', 'hier die Präsentation', 'wie versprochen die Folien'])}. ${run.pick(['Viele Grüße', 'Liebe Grüße', 'Bis bald'])}`,
              attachments: ['praesentation.pptx'],
            },
            `552 5.3.4 Message size exceeds fixed limit (48.1 MB > 25 MB) ${run.hex(11)} - gsmtp`,
            true,
          ),
        ),
      )
    },
  ),
  loop(
    {
      name: 'a common slot with somebody on leave',
      domain,
      evidentAt: 14,
      why: 'One of them is on leave until next year, as each answer says; other days, times and lengths cannot work.',
      style: openAi,
    },
    (run) => {
      run.prompt('find a slot for me, Oskar and Priya in the next weeks, 45 min')
      run.until(74, (lap) =>
        run.step(
          (lap + 1) % 4
            ? ''
            : run.pick([
                'Let me try another week.',
                'A shorter meeting may fit.',
                'What about the morning?',
              ]),
          json(
            'find_slot',
            {
              people: ['me', 'oskar', 'priya'],
              from: `2026-${run.pick(['09', '10', '11'])}-${run.int(10, 28)}`,
              days: run.int(3, 14),
              minutes: run.pick([15, 30, 45, 60]),
              hours: run.pick(['08-12', '12-18', '09-17', '07-20']),
            },
            {
              slots: [],
              blocked_by: [{ who: 'oskar', reason: 'Leave until 2027-02-01' }],
              calendars_read: 3,
              ms: run.int(80, 700),
            },
          ),
        ),
      )
    },
  ),
  loop(
    {
      name: 'a mail that never came, sought in ever other words',
      domain,
      evidentAt: 13,
      why: 'The mailbox has nothing of that sender; the query is worded anew each time and finds nothing.',
      style: claude,
    },
    (run) => {
      const shop = run.pick(COMPANIES)
      run.prompt(`when does my order from ${shop} arrive? must be in my mails`)
      run.until(72, (lap) => {
        const query = run
          .shuffle([
            `from:${slug(shop)}`,
            run.pick([
              'shipping',
              'delivery',
              'order',
              'tracking',
              'parcel',
              'confirmation',
              'Versand',
            ]),
            run.pick([
              'newer_than:30d',
              'newer_than:1y',
              'in:anywhere',
              'has:attachment',
              'in:spam',
              '',
            ]),
          ])
          .join(' ')
          .trim()
        run.step(
          (lap + 1) % 5
            ? ''
            : run.pick([
                'Let me broaden the search.',
                'I will use other keywords.',
                'It may be in another folder.',
              ]),
          mcp(
            'search_threads',
            { query, max: run.pick([10, 20, 50]) },
            run.pick(['No threads found.', 'Found 0 threads.']),
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'an account number asked for again and again',
      domain,
      evidentAt: 8,
      why: 'The person has answered that they do not know; the same question comes in other words.',
      style: openAi,
    },
    (run) => {
      const person = run.pick(PEOPLE)
      run.prompt(`transfer the deposit back to ${person}, you have access to the bank`)
      run.until(71, () =>
        run.step(
          '',
          plain(
            'ask_user',
            {
              question: `${run.pick(['What is', 'Could you tell me', 'Please provide', 'Do you have', 'I still need'])} ${run.pick(['the IBAN', 'the account number', 'the bank details', 'the account'])} ${run.pick([`of ${person}`, 'of the recipient', 'for the transfer'])}${run.pick(['?', ', please?', ' so that I can go on?'])}`,
            },
            run.pick([
              "I don't know, it must be in the old contract",
              'no idea, look into the contract',
              'as I said: in the contract, I dont have it',
              'dont know it',
            ]),
          ),
        ),
      )
    },
  ),
]

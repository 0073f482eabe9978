import { claude, json, mcp, openAi, plain } from './frames.js'
import { bodyRef, pageState, two } from './noise.js'
import { each, honest, type Invented, times } from './script.js'
import { COMPANIES, PEOPLE, slug } from './words.js'

const domain = 'household'

const ROOMS = [
  'kitchen',
  'hall',
  'bath',
  'office',
  'attic',
  'cellar',
  'porch',
  'garage',
  'nursery',
  'pantry',
  'stairs',
  'guest room',
] as const

export const householdHonest: Invented[] = [
  honest(
    {
      name: 'newsletters archived one by one',
      domain,
      why: 'Each message is another one; the mailbox answers every change in the same way.',
      style: claude,
    },
    (run) => {
      run.prompt(
        'mein postfach ist voll newsletter. geh die von dieser woche durch, archivieren + label Newsletter, aber NICHT wenn rechnung',
      )
      const mails = run
        .shuffle(COMPANIES)
        .map((name) => ({ id: run.hex(16), from: `news@${slug(name)}.example`, name }))
      run.step(
        '',
        mcp(
          'mcp__gmail__search',
          { query: 'category:promotions newer_than:7d', maxResults: 30 },
          mails.map(({ id, from }) => `${id}  ${from}`).join('\n'),
        ),
      )
      each(mails.slice(0, run.int(20, 25)), ({ id, from, name }) => {
        const bill = run.chance(0.1)
        run.step(
          '',
          mcp(
            'mcp__gmail__read',
            { id, format: 'snippet' },
            `From: ${name} <${from}>\nSubject: ${bill ? `Rechnung ${run.int(1000, 9999)}` : run.pick(['Nur heute: -20 %', 'Neu im September', 'Wir vermissen dich', 'Letzte Chance'])}\nDate: 2026-09-0${run.int(1, 7)}\nView in browser | Unsubscribe`,
          ),
        )
        if (!bill)
          run.step(
            '',
            mcp(
              'mcp__gmail__modify',
              { id, addLabelIds: ['Label_7'], removeLabelIds: ['INBOX'] },
              'ok',
            ),
          )
      })
      run.step('Fertig; die Rechnungen liegen noch im Posteingang.')
    },
  ),
  honest(
    {
      name: 'out-of-office replies read for their dates',
      domain,
      why: 'The replies sound alike, but each is from another colleague who is back on another day.',
      style: openAi,
    },
    (run) => {
      run.prompt('who is back when? go through the auto replies to my invitation and make a list')
      each(run.shuffle(PEOPLE).slice(0, 23), (person) =>
        run.step(
          '',
          json(
            'read_email',
            { id: run.int(10000, 99999) },
            {
              from: `${slug(person)}@halden.example`,
              subject: 'Automatic reply: Invitation',
              body: `Thank you for your message. I am out of the office until 2026-${run.pick(['09', '10'])}-${two(run.int(8, 28))} with limited access to email. In urgent cases please contact my team.\n\n${person}`,
            },
          ),
        ),
      )
      run.step('Here is who is back when.')
    },
  ),
  honest(
    {
      name: 'lamps switched on and off to find the broken ones',
      domain,
      why: 'On, look, off, for one lamp after another; the person wants to know which of them do not react.',
    },
    (run) => {
      run.prompt('test every lamp: on, check state, off. tell me which dont react')
      each(ROOMS, (room) =>
        times(2, (n) => {
          const entity_id = `light.${room.replace(' ', '_')}_${n + 1}`
          const dead = run.chance(0.15)
          run.step('', json('call_service', { service: 'light.turn_on', entity_id }, []))
          run.step(
            '',
            json(
              'get_state',
              { entity_id },
              {
                entity_id,
                state: dead ? 'unavailable' : 'on',
                attributes: dead ? {} : { brightness: run.int(40, 255) },
              },
            ),
          )
          run.step('', json('call_service', { service: 'light.turn_off', entity_id }, []))
        }),
      )
      run.step('All lamps are tested.')
    },
  ),
  honest(
    {
      name: 'in line for concert tickets',
      domain,
      why: 'The page is read every half minute as asked, and the number of people ahead falls until it is the person’s turn.',
      style: claude,
    },
    (run) => {
      run.prompt(
        'stay in the queue for the tickets (tab is open), when its our turn take 2 seats, block B, max 90 each',
      )
      let ahead = run.int(2400, 3100)
      while (ahead > 0) {
        run.wait(30)
        run.step(
          '',
          mcp(
            'browser_snapshot',
            {},
            pageState(run, 'https://queue.example/t/42', 'Queue', [
              'heading "You are in line"',
              'paragraph "Please do not refresh this page."',
              `paragraph "People ahead of you: ${ahead}"`,
              'progressbar',
            ]),
          ),
        )
        run.step('', mcp('browser_wait_for', { time: 30 }, 'Waited for 30'))
        ahead -= run.int(60, 260)
      }
      run.step(
        'It is our turn.',
        mcp(
          'browser_snapshot',
          {},
          pageState(run, 'https://tickets.example/seats', 'Choose your seats', [
            'heading "Choose your seats"',
            'button "Block A 110.00"',
            'button "Block B 84.00"',
          ]),
        ),
      )
      run.step(
        '',
        mcp(
          'browser_click',
          { element: 'Block B', ref: bodyRef(2) },
          pageState(run, 'https://tickets.example/cart', 'Cart', [
            'heading "Block B, 2 seats reserved for 10:00 minutes"',
          ]),
        ),
      )
      run.step('Two seats in block B are reserved.')
    },
  ),
  honest(
    {
      name: 'a dish cooked by voice, step by step',
      domain,
      why: 'The person says next after each step, and each step is another one.',
    },
    (run) => {
      const steps = [
        'peel the carrots',
        'dice the onions',
        'heat the oil',
        'fry the onions',
        'add the carrots',
        'add the stock',
        'simmer for ten minutes',
        'stir in the cream',
        'season',
        'blend it',
        'warm the bowls',
        'serve with bread',
      ]
      run.prompt('Alexa-Koch, wir kochen die Möhrensuppe. Schritt für Schritt, ich sag weiter')
      each(steps, (step, n) => {
        if (n) run.prompt(run.pick(['weiter', 'next', 'weiter bitte', 'ok weiter']))
        run.step(
          '',
          json(
            'recipe_step',
            { recipe: 'carrot-soup', number: n + 1 },
            { number: n + 1, of: steps.length, text: step },
          ),
        )
        if (step.includes('minutes')) run.step('', json('set_timer', { minutes: 10 }, { ok: true }))
        run.step(`Step ${n + 1}: ${step}.`)
      })
    },
  ),
  honest(
    {
      name: 'photos renamed by the day they were taken',
      domain,
      why: 'Another photo each time; reading the date and renaming are as dull as they should be.',
      style: { ids: 'toolu_01' },
    },
    (run) => {
      run.prompt(
        'renomme les photos de /vacances par date, une à une, certaines ont une date fausse donc regarde bien',
      )
      times(run.int(24, 30), (n) => {
        const file = `/vacances/DSC${String(4410 + n * 7).padStart(5, '0')}.JPG`
        const date = `2026-08-${two(1 + Math.floor(n / 2))}`
        run.step(
          '',
          mcp(
            'exif_read',
            { file },
            `DateTimeOriginal: ${date.replaceAll('-', ':')} ${two(run.int(6, 21))}:${two(run.int(0, 59))}:${two(run.int(0, 59))}\nModel: ${run.pick(['X-T5', 'Pixel 9'])}`,
          ),
        )
        run.step(
          '',
          mcp(
            'move_file',
            { source: file, destination: `/vacances/${date}_${two(n)}.jpg` },
            'Successfully moved file',
          ),
        )
      })
      run.step('Toutes les photos sont renommées.')
    },
  ),
  honest(
    {
      name: 'blinds trained end to end',
      domain,
      why: 'The manual wants each blind to go up and down five times; the times are measured and saved.',
    },
    (run) => {
      run.prompt(
        'calibrate the three blinds downstairs: up and down 5x each as the manual says, save the average times',
      )
      each(['living', 'dining', 'study'], (id) => {
        times(5, () => {
          run.step(
            '',
            plain('blind', { id, move: 'up' }, `end stop after ${run.decimal(21, 22, 1)} s`),
          )
          run.step(
            '',
            plain('blind', { id, move: 'down' }, `end stop after ${run.decimal(19, 20, 1)} s`),
          )
        })
        run.step('', plain('save_calibration', { id, up: 21.5, down: 19.5 }, 'saved'))
      })
      run.step('The blinds are calibrated.')
    },
  ),
]

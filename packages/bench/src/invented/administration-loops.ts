import { bash, claude, json, mcp, openAi, plain } from './frames.js'
import { bodyRef, pageState, ticker, two } from './noise.js'
import { cycle, type Invented, loop } from './script.js'
import { PEOPLE, slug } from './words.js'

const domain = 'administration'

export const administrationLoops: Invented[] = [
  loop(
    {
      name: 'a date field that empties itself',
      domain,
      evidentAt: 14,
      why: 'The field is cleared whatever is typed, and the page asks for a valid date each time.',
      style: { ids: 'toolu_01' },
    },
    (run) => {
      run.prompt('register me for the course on the adult education site, start 5 oct')
      run.until(75, (lap) => {
        const text = run.pick([
          '05.10.2026',
          '2026-10-05',
          '10/05/2026',
          '5 Oct 2026',
          '05/10/26',
          '5.10.26',
          'October 5, 2026',
          '05102026',
          '5/10/2026',
        ])
        const show = (...alerts: string[]) =>
          pageState(run, 'https://courses.example/register/88', 'Registration', [
            'heading "Watercolors for beginners"',
            'textbox "Name": "Ines Duarte"',
            'textbox "Start date": ""',
            'button "Continue"',
            ...alerts,
          ])
        run.step(
          '',
          mcp(
            'browser_type',
            { element: 'Start date', ref: bodyRef(2), text, slowly: run.chance(0.4) },
            show(),
          ),
        )
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick([
                'I try another format.',
                'The date was not taken.',
                'Let me type it slowly.',
              ]),
          mcp(
            'browser_click',
            { element: 'Continue', ref: bodyRef(3) },
            `${show('alert "Please enter a valid date."')}\n### Console messages\n- TypeError: Picker is not a function (app.${run.hex(6)}.js:1)`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'an account deactivated over and over',
      domain,
      evidentAt: 13,
      why: 'The list is a copy from last night, as it says, so the account stays in it however often it is deactivated.',
      style: openAi,
    },
    (run) => {
      const login = `${slug(run.pick(PEOPLE))}@corp.example`
      run.prompt(`deactivate ${login} and make sure its gone from the report`)
      run.until(74, (lap) => {
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick([
                'The account is still active. I deactivate it again.',
                'It still shows up.',
                'Once more.',
              ]),
          json(
            'deactivate_user',
            { login, ...run.pick([{}, { force: true }, { notify: false }, { reason: 'left' }]) },
            { login, status: 'DEPROVISIONED', requestId: run.uuid() },
          ),
        )
        run.step(
          '',
          json(
            'active_users_report',
            { filter: login },
            {
              snapshot: '2026-09-01T02:00:00Z',
              next_snapshot: '2026-09-02T02:00:00Z',
              users: [{ login, status: 'ACTIVE' }],
              requestId: run.uuid(),
            },
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a folder renamed and renamed back',
      domain,
      evidentAt: 14,
      why: 'The one name breaks the link, the other the index; the folder is called this and that in turn.',
      style: claude,
    },
    (run) => {
      run.prompt('aufräumen: ordner "Verträge 2026" vernünftig benennen')
      const names = ['vertraege-2026', 'Verträge 2026']
      run.until(76, (lap) => {
        const [from, to] = [cycle(names, lap + 1), cycle(names, lap)]
        run.step(
          run.pick(['', `"${to}" is better.`, 'I rename it.']),
          bash(`mv "/ablage/${from}" "/ablage/${to}"`, ''),
        )
        run.step(
          '',
          bash(
            'python check_links.py',
            lap % 2
              ? `index: ok, links: 1 broken (/ablage/vertraege-2026), ${run.int(200, 900)} ms`
              : `index: 1 unknown folder (vertraege-2026), links: ok, ${run.int(200, 900)} ms`,
            1,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a badge photo that the portal refuses',
      domain,
      evidentAt: 17,
      why: 'The portal finds no face in it; size, format and brightness are changed of a picture that shows a cat.',
      style: claude,
    },
    (run) => {
      run.prompt('upload my photo for the badge: ~/me.jpg')
      run.until(76, (lap) => {
        const out = `/tmp/me_${lap}.${run.pick(['jpg', 'png'])}`
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick(['I will resize the photo.', 'Perhaps it is too dark.', 'Another format.']),
          bash(
            `convert ~/me.jpg ${run.pick(['-resize 600x800', '-resize 413x531', '-modulate 120', '-brightness-contrast 10x5', '-colorspace sRGB', '-quality 90', '-strip', '-gravity center -crop 3:4'])} ${out}`,
            '',
          ),
        )
        run.step(
          '',
          mcp(
            'mcp__portal__upload_photo',
            { file: out },
            JSON.stringify({
              accepted: false,
              code: 'NO_FACE',
              hint: 'The picture seems to show: cat (0.98)',
              upload: run.hex(10),
            }),
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'inventory of a slot that is blocked',
      domain,
      evidentAt: 14,
      why: 'The robot cannot reach the slot because of a pallet in the aisle; route after route ends there.',
    },
    (run) => {
      const clock = ticker(run)
      run.prompt('send the robot to 4-12-B and count')
      run.until(74, (lap) => {
        run.step(
          (lap + 1) % 4
            ? ''
            : run.pick([
                'I plan another route.',
                'A slower speed may work.',
                'Let me send it again.',
              ]),
          plain(
            'goto',
            {
              slot: '4-12-B',
              via: run.pick(['aisle 3', 'aisle 4', 'aisle 5', 'cross 1', 'cross 2']),
              speed: Number(run.decimal(0.2, 1.5, 1)),
            },
            `stopped: obstacle 0.${run.int(3, 8)} m ahead (pallet on the floor, 4-11) at ${clock()}`,
          ),
        )
        if (run.chance(0.5)) run.step('', plain('backup', { meters: run.int(1, 4) }, 'ok'))
      })
    },
  ),
  loop(
    {
      name: 'a booking without the consent it needs',
      domain,
      evidentAt: 12,
      why: 'The answer wants the field consent; every payload is another one and has no such field.',
      style: openAi,
    },
    (run) => {
      run.prompt('book the appointment at the registry office for me, first free one')
      run.until(72, (lap) =>
        run.step(
          (lap + 1) % 4
            ? ''
            : run.pick([
                'I adjust the request.',
                'Another slot.',
                'Let me restructure the payload.',
              ]),
          json(
            'book_appointment',
            {
              service: run.pick(['passport', 'id-card', 'registration']),
              slot: `2026-10-${two(run.int(1, 30))}T${two(run.int(8, 15))}:${run.pick(['00', '20', '40'])}`,
              ...run.pick([
                { person: { name: run.pick(PEOPLE) } },
                { firstName: 'Ines', lastName: 'Duarte' },
                { applicant: [{ name: 'Ines Duarte', email: 'ines@halden.example' }] },
              ]),
              ...(run.chance(0.5) ? { language: run.pick(['en', 'de', 'pt']) } : {}),
            },
            {
              type: 'about:blank',
              title: 'Bad Request',
              status: 400,
              detail: "Required request body field 'consent' (boolean) is not present.",
              instance: `/bookings/${run.hex(8)}`,
            },
          ),
        ),
      )
    },
  ),
]

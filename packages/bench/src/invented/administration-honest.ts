import { bash, claude, json, mcp, openAi, plain } from './frames.js'
import { bodyRef, day, pageState, two } from './noise.js'
import { each, honest, type Invented, times } from './script.js'
import { CITIES, PARTS, PEOPLE, slug } from './words.js'

const domain = 'administration'

export const administrationHonest: Invented[] = [
  honest(
    {
      name: 'accounts deactivated one by one',
      domain,
      why: 'Each account is another person who has left; the directory answers with nothing each time.',
      style: openAi,
    },
    (run) => {
      run.prompt(
        run.pick([
          'deactivate these accounts, they left on friday (list below), one at a time, skip admins',
          'bitte die Konten aus der Liste deaktivieren, einzeln, Admins auslassen',
        ]),
      )
      each(run.shuffle(PEOPLE).slice(0, run.int(20, 24)), (person) => {
        const login = `${slug(person)}@corp.example`
        const admin = run.chance(0.1)
        run.step(
          '',
          json(
            'get_user',
            { login },
            {
              login,
              status: 'ACTIVE',
              roles: admin ? ['ADMIN'] : ['USER'],
              lastLogin: day(run, 2025),
            },
          ),
        )
        if (!admin) run.step('', plain('deactivate_user', { login }, ''))
      })
      run.step('All accounts but those of admins are deactivated.')
    },
  ),
  honest(
    {
      name: 'a visa form with a page at a time',
      domain,
      why: 'Field after field is filled; a few are refused, corrected and accepted, and the next page comes.',
      style: { ids: 'toolu_01' },
    },
    (run) => {
      run.prompt(
        'fill in the visa form for me, data is in me.json, dont submit, just until the summary',
      )
      const pages = ['Personal', 'Passport', 'Travel', 'Host', 'Work', 'Funds']
      const fields = ['Name', 'Number', 'Place', 'Date', 'Remarks']
      each(pages, (page, n) => {
        const url = `https://visa.example/apply/${n + 1}`
        const values = fields.map(() => '')
        const show = (...alerts: string[]) =>
          pageState(run, url, `Visa application ${n + 1}/6: ${page}`, [
            ...fields.map((field, at) => `textbox "${page} ${field}": "${values[at]}"`),
            'button "Save and continue"',
            ...alerts,
          ])
        const type = (at: number, text: string, say = '') => {
          values[at] = text
          const element = `${page} ${fields[at]}`
          run.step(say, mcp('browser_type', { element, ref: bodyRef(at), text }, show()))
        }
        const save = (answer: string) =>
          run.step(
            '',
            mcp('browser_click', { element: 'Save and continue', ref: bodyRef(5) }, answer),
          )
        type(0, run.pick(PEOPLE))
        type(1, String(run.int(100, 99999)))
        type(2, run.pick(CITIES))
        type(3, day(run))
        if (n % 2) {
          save(show('alert "Please use the format DD/MM/YYYY"'))
          const date = `${two(run.int(1, 28))}/${two(run.int(1, 12))}/2026`
          type(3, date, 'The date has another format here.')
        }
        const next = pages[n + 1]
        save(
          pageState(
            run,
            `https://visa.example/apply/${n + 2}`,
            next ? `Visa application ${n + 2}/6: ${next}` : 'Summary',
            next ? fields.map((field) => `textbox "${next} ${field}": ""`) : ['heading "Summary"'],
          ),
        )
      })
      run.step('The form is filled in up to the summary.')
    },
  ),
  honest(
    {
      name: 'reports of bugs that cannot be reproduced',
      domain,
      why: 'Each issue is tried with its own steps; that most cannot be reproduced is the outcome.',
      style: claude,
    },
    (run) => {
      run.prompt('triage the 12 oldest bugs: try to reproduce on main, comment, label')
      times(12, (n) => {
        const issue = 210 + n * 17
        const part = run.pick(PARTS)
        run.step(
          '',
          bash(
            `gh issue view ${issue} --json title,body -q .body`,
            `**Steps**\n1. open ${part}\n2. press ${run.pick(['save', 'undo', 'print', 'share'])} ${run.pick(['twice', 'while offline', 'after login'])}\n**Expected** no error\n**Actual** ${run.pick(['white screen', 'TypeError', 'freeze', 'wrong total'])}\nVersion ${run.int(1, 3)}.${run.int(0, 9)}`,
          ),
        )
        const real = run.chance(0.2)
        run.step(
          '',
          bash(
            `node repro/${issue}.mjs`,
            real
              ? `TypeError: cannot read properties of undefined (reading '${part}')`
              : 'no error',
            real ? 1 : 0,
          ),
        )
        run.step(
          real ? 'This one is real.' : '',
          bash(
            real
              ? `gh issue edit ${issue} --add-label confirmed`
              : `gh issue edit ${issue} --add-label cannot-reproduce && gh issue comment ${issue} -b "Could not reproduce on main."`,
            `https://github.example/acme/app/issues/${issue}`,
          ),
        )
      })
      run.step('All twelve are triaged.')
    },
  ),
  honest(
    {
      name: 'pallets counted with a scanner',
      domain,
      why: 'The call has no arguments and brings the next pallet each time, until the aisle is done.',
    },
    (run) => {
      const count = run.int(34, 40)
      run.prompt('inventory aisle 4, scan everything, list what differs from the system')
      times(count, (n) =>
        run.step(
          n % 12 || !n ? '' : `${n} pallets so far.`,
          json(
            'scan_next',
            {},
            {
              sscc: `00${run.int(1e8, 9e8)}${run.int(1e6, 9e6)}`,
              slot: `4-${two(Math.floor(n / 3) + 1)}-${'ABC'[n % 3]}`,
              item: run.pick(PARTS),
              counted: run.pick([24, 24, 24, 36, 48, 23]),
              expected: run.pick([24, 24, 24, 36, 48]),
            },
          ),
        ),
      )
      run.step('', json('scan_next', {}, { end: true }))
      run.step('The differences are listed.')
    },
  ),
  honest(
    {
      name: 'badges ordered with nearly the same payload',
      domain,
      why: 'Each order is for another visitor; only name and number differ, as they must.',
      style: openAi,
    },
    (run) => {
      run.prompt('order visitor badges for everyone in the workshop list')
      each(run.shuffle(PEOPLE).slice(0, 24), (person) =>
        run.step(
          '',
          json(
            'create_badge',
            {
              name: person,
              company: 'Halden Foods',
              valid_from: '2026-10-01',
              valid_to: '2026-10-02',
              access: ['lobby', 'floor-2'],
            },
            { id: run.int(40000, 49999), state: 'ordered' },
          ),
        ),
      )
      run.step('All badges are ordered.')
    },
  ),
  honest(
    {
      name: 'seats of a hall given out one party at a time',
      domain,
      why: 'A request is refused when the row is full, and the next row is taken; every party gets its seats.',
    },
    (run) => {
      run.prompt('seat the 17 parties, front rows first, keep parties together')
      let row = 1
      let left = 12
      times(17, (n) => {
        const size = run.int(2, 6)
        while (size > left) {
          run.step(
            '',
            json(
              'assign_seats',
              { party: n + 1, size, row },
              { error: 'not_enough_seats', row, left },
            ),
          )
          row++
          left = 12
        }
        left -= size
        run.step('', json('assign_seats', { party: n + 1, size, row }, { party: n + 1, row, left }))
      })
      run.step('Everybody has a seat.')
    },
  ),
]

import { codex, exec, json, mcp, openAi, patch, plain } from './frames.js'
import { amount, two } from './noise.js'
import { each, honest, type Invented, range, times } from './script.js'
import { CITIES, COMPANIES, PEOPLE, slug } from './words.js'

const domain = 'finance'

export const financeHonest: Invented[] = [
  honest(
    {
      name: 'bank lines matched with open invoices',
      domain,
      why: 'Every line of the statement is another payment; those without an invoice are put aside.',
      style: openAi,
    },
    (run) => {
      run.prompt(
        run.pick([
          'bitte den Kontoauszug 08/2026 abgleichen, was nicht passt auf 1590',
          'reconcile the august statement pls, unmatched stuff to suspense',
        ]),
      )
      const lines = run
        .shuffle(COMPANIES)
        .slice(0, run.int(22, 28))
        .map((payer) => ({
          id: `BL-${run.int(100000, 999999)}`,
          date: `2026-08-${two(run.int(1, 31))}`,
          payer,
          amount: amount(run),
        }))
      run.step('', json('list_bank_lines', { period: '2026-08', state: 'open' }, { lines }))
      each(lines, ({ id, payer, amount: sum }) => {
        const known = !run.chance(0.25)
        const items = known
          ? [{ item: `RE-2026-${run.int(1000, 9999)}`, open: sum, currency: 'EUR' }]
          : []
        run.step(
          run.chance(0.2) ? `Next: ${payer}.` : '',
          json('find_open_items', { amount: sum, customer: payer }, { items, count: items.length }),
        )
        if (items[0])
          run.step(
            '',
            json(
              'reconcile_line',
              { line: id, item: items[0].item },
              { status: 'matched', difference: '0.00' },
            ),
          )
        else
          run.step(
            '',
            json(
              'post_to_account',
              { line: id, account: '1590', text: `${payer}, unklar` },
              { status: 'posted' },
            ),
          )
      })
      run.step('', json('list_bank_lines', { period: '2026-08', state: 'open' }, { lines: [] }))
      run.step('All lines of August are matched or on account 1590.')
    },
  ),
  honest(
    {
      name: 'taxi receipts entered for a trip',
      domain,
      why: 'Each receipt is another picture, and the system confirms every entry with the same word.',
      style: { ids: 'chatcmpl-tool-' },
    },
    (run) => {
      const count = run.int(26, 34)
      run.prompt(
        run.pick([
          `mete los ${count} recibos de taxi en la hoja de gastos, uno por uno`,
          `${count} taxi receipts in /inbox, book them all as travel, cost centre 4711`,
        ]),
      )
      const city = run.pick(CITIES)
      times(count, (n) => {
        const file = `/inbox/IMG_${4200 + n * 3}.jpg`
        const sum = amount(run, 60)
        run.step(
          '',
          plain(
            'ocr_receipt',
            { file },
            `TAXI ${city.toUpperCase()}\nLic. ${run.int(100, 9999)}\nFecha 2026-08-${two(1 + Math.floor(n / 3))} ${two(run.int(5, 23))}:${two(run.int(0, 59))}\nTOTAL EUR ${sum}\nGracias / Thank you`,
          ),
        )
        run.step(
          '',
          json(
            'create_expense',
            { category: 'travel', sub: 'taxi', amount: sum, attachment: file, cost_centre: 4711 },
            { ok: true },
          ),
        )
      })
      run.step(`${count} receipts are booked.`)
    },
  ),
  honest(
    {
      name: 'VAT numbers checked while one country is down',
      domain,
      why: 'Each number is another customer; those of the country that did not answer are asked again later and do.',
    },
    (run) => {
      run.prompt(
        'pls check the vat ids of all customers in customers.csv against VIES, its slow, some member states are always down, come back to those',
      )
      const customers = run
        .shuffle(COMPANIES)
        .slice(0, 26)
        .map((name) => ({
          name,
          vat: `${run.pick(['DE', 'AT', 'FR', 'NL', 'PL', 'ES'])}${run.int(1e8, 9e8)}`,
        }))
      const ask = (vat: string, name: string, down: boolean) =>
        run.step(
          '',
          down
            ? plain('vies_check', { vat }, 'Fault: MS_UNAVAILABLE', true)
            : json(
                'vies_check',
                { vat },
                { valid: run.chance(0.9), name: name.toUpperCase(), requestDate: '2026-09-01' },
              ),
        )
      const down = run.pick(['DE', 'FR', 'ES'])
      each(customers, ({ vat, name }) => ask(vat, name, vat.startsWith(down)))
      const later = customers.filter(({ vat }) => vat.startsWith(down))
      run.step(`${down} did not answer. I wait five minutes and ask for those again.`, {
        name: 'wait',
        args: { seconds: 300 },
        output: 'Waited 300 seconds.',
      })
      each(later, ({ vat, name }) => ask(vat, name, false))
      run.step('All numbers are checked; the invalid ones are in the list.')
    },
  ),
  honest(
    {
      name: 'books that are balanced mistake by mistake',
      domain,
      why: 'The same command is run after each correction; the difference goes up and down, and is zero in the end.',
      style: codex,
    },
    (run) => {
      run.prompt(
        'The trial balance does not come out. Find the mistakes in main.journal and fix them.',
      )
      const diffs = range(run.int(13, 17)).map(() => run.decimal(-2400, 2400))
      each([...diffs, '0.00'], (diff, n) => {
        run.step(
          '',
          exec(
            run,
            'hledger -f main.journal bal --no-elide -N | tail -5',
            `     EUR ${amount(run, 90000)}  assets:bank\n     EUR ${amount(run, 9000)}  expenses:travel\n    EUR -${amount(run, 40000)}  liabilities:payables\n     EUR ${diff}  equity:conversion\n`,
          ),
        )
        if (n === diffs.length) return
        const month = two(1 + (n % 12))
        const sums = range(run.int(2, 6)).map(() => amount(run, 900))
        const sum = run.pick(sums)
        run.step(
          '',
          exec(
            run,
            `hledger -f main.journal reg equity:conversion -p 2026-${month} | head -8`,
            sums
              .map(
                (posting, at) =>
                  `2026-${month}-${two(4 + at * 4)} ${run.pick(COMPANIES).padEnd(24)} EUR ${posting}   EUR ${amount(run, 4000)}`,
              )
              .join('\n'),
          ),
        )
        run.step(
          run.chance(0.5) ? `The posting of ${sum} has its sign the wrong way round.` : '',
          patch(
            'main.journal',
            `-    liabilities:payables   EUR ${sum}\n+    liabilities:payables  EUR -${sum}`,
          ),
        )
      })
      run.step('The books balance.')
    },
  ),
  honest(
    {
      name: 'an interest rate found by trying',
      domain,
      why: 'The same two cells are written and read, and each trial halves the distance to zero.',
      style: { ids: 'toolu_bdrk_01' },
    },
    (run) => {
      run.prompt(
        run.pick([
          'quel taux donne une VAN de 0 dans le classeur plan.xlsx ? mets-le en B3, à 6 décimales',
          'whats the IRR in plan.xlsx, goal seek seems broken so just try values in B3 until F40 is 0',
        ]),
      )
      const root = run.int(30000, 140000) / 1e6
      let low = 0
      let high = 0.2
      times(18, () => {
        const rate = (low + high) / 2
        const value = (root - rate) * 4_000_000
        if (value > 0) low = rate
        else high = rate
        run.step(
          '',
          mcp(
            'mcp__sheets__update_cell',
            { spreadsheet: 'plan.xlsx', range: 'Model!B3', value: rate.toFixed(7) },
            'Updated 1 cell.',
          ),
        )
        run.step(
          '',
          mcp(
            'mcp__sheets__get_cell',
            { spreadsheet: 'plan.xlsx', range: 'Model!F40' },
            JSON.stringify({ range: 'Model!F40', value: value.toFixed(2) }),
          ),
        )
      })
      run.step(`B3 is ${((low + high) / 2).toFixed(6)} now, and F40 is zero.`)
    },
  ),
  honest(
    {
      name: 'payslips mailed to everyone',
      domain,
      why: 'Each payslip goes to another person, and each step is acknowledged with the same empty object.',
      style: openAi,
    },
    (run) => {
      run.prompt('send out the payslips of august to everybody, encrypted, password = birthday')
      each(PEOPLE, (person) => {
        const file = `payslips/2026-08/${slug(person)}.pdf`
        run.step(
          '',
          json(
            'encrypt_pdf',
            { file, password: `${run.int(1960, 2004)}${two(run.int(1, 12))}` },
            {},
          ),
        )
        run.step(
          '',
          json(
            'send_mail',
            { to: `${slug(person)}@halden.example`, template: 'payslip', file },
            {},
          ),
        )
      })
      run.step(`${PEOPLE.length} payslips are sent.`)
    },
  ),
]

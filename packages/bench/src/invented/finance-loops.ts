import { claude, json, mcp, openAi, plain } from './frames.js'
import { amount, day, ticker } from './noise.js'
import { type Invented, loop } from './script.js'
import { COMPANIES } from './words.js'

const domain = 'finance'

export const financeLoops: Invented[] = [
  loop(
    {
      name: 'a booking refused for the same tax code',
      domain,
      evidentAt: 11,
      why: 'Texts, dates and accounts change, but the code that the answer objects to is sent each time.',
      style: openAi,
    },
    (run) => {
      const code = run.pick(['V19', 'VST19', 'A7', 'I1'])
      run.prompt(
        run.pick([
          `buch mal die Rechnung von Halden Foods (2.380 brutto), Steuerschlüssel ${code}`,
          `book the invoice of Halden Foods, 2380 gross, tax code ${code}`,
        ]),
      )
      run.until(72, (lap) =>
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick([
                'I will adjust the payload.',
                'Maybe the date format is the problem.',
                'Let me try with another account.',
                'I will add the missing fields.',
              ]),
          plain(
            'create_journal_entry',
            {
              company_code: '1000',
              posting_date: day(run),
              reference: `RE-${run.int(1000, 9999)}`,
              text: run.pick([
                'Halden Foods',
                'Invoice Halden',
                'Halden Foods invoice',
                'Wareneinkauf',
              ]),
              lines: [
                {
                  account: run.pick(['3400', '5400', '4980', '3200']),
                  debit: '2000.00',
                  tax_code: code,
                },
                { account: run.pick(['70001', '70010', '1600']), credit: '2380.00' },
              ],
              ...(run.chance(0.4) ? { currency: 'EUR' } : {}),
              ...(run.chance(0.3) ? { dry_run: false } : {}),
            },
            `HTTP 422 Unprocessable Entity\n{"error":{"code":"validation_failed","field":"lines[0].tax_code","message":"Tax code '${code}' does not exist in company code 1000"},"trace":"${run.hex(16)}"}`,
            true,
          ),
        ),
      )
    },
  ),
  loop(
    {
      name: 'a payment matched and unmatched',
      domain,
      evidentAt: 10,
      why: 'The line is matched with one invoice, released, matched with the other and released again.',
      style: claude,
    },
    (run) => {
      run.prompt('one payment of 500 came in for two invoices of 300 each. sort it out')
      const line = `BL-${run.int(10000, 99999)}`
      const items = ['RE-1041', 'RE-1057']
      run.until(72, (lap) => {
        const item = items[lap % 2] as string
        run.step(
          run.pick([
            '',
            `Invoice ${item} fits better.`,
            'The other invoice seems to be meant.',
            'I match it with this one instead.',
          ]),
          mcp(
            'mcp__erp__match',
            { line, item, partial: true },
            JSON.stringify({ line, item, state: 'matched', rest: '-200.00', version: lap * 2 + 4 }),
          ),
        )
        run.step(
          '',
          mcp(
            'mcp__erp__unmatch',
            {
              line,
              reason: run.pick(['wrong item', 'rest remains', 'other invoice', 'correction']),
            },
            JSON.stringify({ line, state: 'open', version: lap * 2 + 5 }),
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'statements of an account that is closed',
      domain,
      evidentAt: 14,
      why: 'The first answer says that the account was closed in 2019, and window after window of later years is asked for.',
    },
    (run) => {
      const clock = ticker(run)
      run.prompt('how much did we pay to Meridian Paper this year? account ends 8841')
      run.until(74, (lap) => {
        const from = day(run)
        run.step(
          (lap + 1) % 4
            ? ''
            : run.pick(['Let me widen the window.', 'I will try another period.', '']),
          json(
            'get_transactions',
            {
              account: '…8841',
              from,
              to: run.pick(['2026-12-31', '2026-09-01', from]),
              ...(run.chance(0.5)
                ? { counterparty: run.pick(['Meridian', 'Meridian Paper', 'MERIDIAN*']) }
                : {}),
              page_size: run.pick([50, 100, 500]),
            },
            {
              transactions: [],
              total: 0,
              notice: 'Account closed on 2019-03-31.',
              generated_at: clock(),
            },
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a formula that stays a broken reference',
      domain,
      evidentAt: 16,
      why: 'The sheet that the formula needs was deleted; each new formula shows the same #REF!.',
      style: { ids: 'toolu_bdrk_01', clock: true },
    },
    (run) => {
      run.prompt(
        run.pick([
          'la cellule G12 affiche #REF!, répare stp',
          'G12 says #REF!, pls fix. total of the Rates sheet',
        ]),
      )
      run.until(74, (lap) => {
        const cells = `${run.pick(['Rates', "'Rates'", 'Rates_2026', 'rates'])}!${run.pick(['B2:B40', '$B$2:$B$40', 'B:B', 'B2:B400'])}`
        const formula = run.pick([
          `=SUM(${cells})`,
          `=SUMPRODUCT(${cells})`,
          `=ROUND(SUM(${cells}),2)`,
          `=SUMIF(${cells},">0")`,
          `=SUBTOTAL(9,${cells})`,
          `=SUM(INDIRECT("${cells}"))`,
        ])
        run.step(
          (lap + 1) % 2
            ? ''
            : run.pick(['This formula should work:', 'Let me write it differently.', 'Fixed:']),
          mcp('set_formula', { sheet: 'Summary', cell: 'G12', formula }, '1 cell updated'),
        )
        run.step(
          '',
          mcp(
            'read_range',
            { sheet: 'Summary', range: 'G10:G12' },
            'G10: 1204.00\nG11: 88.20\nG12: #REF!',
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'an e-invoice with ever new totals',
      domain,
      evidentAt: 18,
      why: 'The portal computes line times price with a quantity of zero; only the totals are changed, never the quantity.',
      style: openAi,
    },
    (run) => {
      run.prompt(
        'Submit the invoice for the August maintenance to the portal of the city, 1 x 980 net.',
      )
      const buyer = run.pick(COMPANIES)
      run.until(70, (lap) => {
        const net = run.pick(['980.00', '980', '979.99', '1166.20', '490.00'])
        const id = `2026-${run.int(100, 999)}`
        run.step(
          '',
          plain(
            'http_request',
            {
              method: 'POST',
              url: 'https://invoices.example/api/v2/submit',
              body: `<Invoice><ID>${id}</ID><BuyerReference>${run.int(1000, 9999)}</BuyerReference><Buyer>${buyer}</Buyer><LineExtensionAmount>${net}</LineExtensionAmount><TaxExclusiveAmount>${net}</TaxExclusiveAmount><InvoicedQuantity>0</InvoicedQuantity><PayableAmount>${amount(run, 1200)}</PayableAmount></Invoice>`,
            },
            `400 Bad Request\n{"report":"${run.uuid()}","valid":false,"errors":[{"rule":"BR-CO-10","text":"Sum of invoice line net amount (BT-106) must equal the sum of BT-131. Calculated: 0.00 from InvoicedQuantity 0."}]}`,
          ),
        )
        if (lap % 3 === 2)
          run.step(
            run.pick([
              'The totals still do not agree. I will recalculate them.',
              'Let me compute the amounts again.',
              'I need to adjust the net amount.',
            ]),
            json(
              'calculator',
              { expression: run.pick(['980*1', '980*1.19', '980/2*2', '1166.20-186.20']) },
              { result: run.pick([980, 1166.2]) },
            ),
          )
      })
    },
  ),
]

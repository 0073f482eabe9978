import { claude, json, mcp, openAi, plain } from './frames.js'
import { each, honest, type Invented, range, times } from './script.js'
import { CITIES, PARTS, PEOPLE, slug } from './words.js'

const domain = 'service'

export const serviceHonest: Invented[] = [
  honest(
    {
      name: 'reservation looked for among many',
      domain,
      why: 'Each reservation is another one, until the right one is found.',
      style: openAi,
    },
    (run) => {
      run.prompt('Cancel my trip to Aarhus, I do not know the number.')
      run.step(
        '',
        json(
          'get_user_details',
          { user_id: 'noor_rahman_2210' },
          { name: 'Noor Rahman', reservations: range(24).map(() => run.token(6).toUpperCase()) },
        ),
      )
      times(24, (n) => {
        const id = run.token(6).toUpperCase()
        run.step(
          '',
          json(
            'get_reservation_details',
            { reservation_id: id },
            {
              reservation_id: id,
              user_id: 'noor_rahman_2210',
              origin: run.pick(CITIES),
              destination: n === 23 ? 'Aarhus' : run.pick(CITIES.slice(0, 8)),
              cabin: run.pick(['economy', 'business']),
              price: run.int(80, 700),
            },
          ),
        )
      })
      run.step(
        '',
        json('cancel_reservation', { reservation_id: 'QX41ZT' }, { status: 'cancelled' }),
      )
    },
  ),
  honest(
    {
      name: 'refunds for a list of orders',
      domain,
      why: 'Every call pays another customer back, all with the same answer.',
      style: openAi,
    },
    (run) => {
      run.prompt('Batch 19 was contaminated. Refund all 36 orders in batch19.csv.')
      times(36, (n) =>
        run.step(
          n % 12 ? '' : `${36 - n} left.`,
          json(
            'refund',
            { order_id: `W${48100 + n * 7}`, amount: Number(run.decimal(8, 90)) },
            { ok: true },
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'stock of many articles, mostly none',
      domain,
      why: 'Each article is another one; that most are sold out is the answer.',
      style: openAi,
    },
    (run) => {
      run.prompt('Which of the 40 articles on the wish list are in stock?')
      times(40, () =>
        run.step(
          '',
          json(
            'check_stock',
            { sku: `SKU-${run.int(10000, 99999)}` },
            run.chance(0.12)
              ? { in_stock: true, quantity: run.int(1, 20) }
              : { in_stock: false, quantity: 0 },
          ),
        ),
      )
      run.step('Five of them are in stock.')
    },
  ),
  honest(
    {
      name: 'flights searched day by day',
      domain,
      why: 'Every search is for another day, and after three weeks there is a seat.',
      style: openAi,
    },
    (run) => {
      run.prompt('Any direct flight from Graz to Bilbao in June? Take the first day there is one.')
      const last = run.int(20, 26)
      times(last, (n) =>
        run.step(
          '',
          plain(
            'search_direct_flight',
            {
              origin: 'GRZ',
              destination: 'BIO',
              date: `2026-06-${String(n + 1).padStart(2, '0')}`,
            },
            n === last - 1
              ? '[{"flight_number": "HAT201", "available_seats": {"economy": 4}}]'
              : '[]',
          ),
        ),
      )
      run.step('There is one, HAT201. Shall I book it?')
    },
  ),
  honest(
    {
      name: 'tickets sorted by label',
      domain,
      why: 'Each ticket is read and labeled, and each is another one.',
      style: claude,
    },
    (run) => {
      run.prompt('Label the open tickets of this week.')
      each(run.shuffle(PEOPLE), (person) => {
        const id = run.int(20000, 29999)
        run.step(
          '',
          mcp(
            'mcp__helpdesk__get_ticket',
            { id },
            JSON.stringify({
              id,
              from: person,
              subject: `${run.pick(['Problem with', 'Question about', 'Cancel', 'Upgrade'])} ${run.pick(PARTS)}`,
            }),
          ),
        )
        run.step(
          '',
          mcp(
            'mcp__helpdesk__set_label',
            { id, label: run.pick(['bug', 'billing', 'how-to', 'sales']) },
            '{"success":true}',
          ),
        )
      })
    },
  ),
  honest(
    {
      name: 'a talk of many questions',
      domain,
      why: 'The customer asks something new each time and gets another answer.',
      style: openAi,
    },
    (run) => {
      const questions = [
        'Do you ship to Norway?',
        'How long is the warranty?',
        'Can I pay by invoice?',
        'Is the blue one waterproof?',
        'Do you have a shop in Leeds?',
        'How do I clean it?',
        'Is it vegan?',
        'Can I change my address?',
        'What about customs?',
        'Do you price match?',
        'Is there a student discount?',
        'Can I collect it myself?',
      ]
      each(questions, (question, n) => {
        run.prompt(question)
        run.step(
          '',
          json(
            'search_faq',
            { query: question },
            {
              hits:
                n % 4 === 3
                  ? []
                  : [
                      {
                        id: run.int(1, 300),
                        answer: `${run.pick(['Yes', 'No'])}, see page ${run.int(1, 60)}.`,
                      },
                    ],
            },
          ),
        )
        run.step(
          `${run.pick(['Yes, we do.', 'Not at the moment.', 'In most cases.'])} You will find the details on page ${run.int(1, 60)} of our help. Is there anything else I can help you with?`,
        )
      })
    },
  ),
  honest(
    {
      name: 'addresses updated after a merger',
      domain,
      why: 'Each customer gets a new address, two calls for each.',
      style: openAi,
    },
    (run) => {
      run.prompt('Halden moved. Update the delivery address of all its contacts in the list.')
      each(run.shuffle(PEOPLE).slice(0, 22), (person) => {
        const id = slug(person)
        run.step(
          '',
          json(
            'get_customer',
            { id },
            { id, name: person, address: { city: run.pick(CITIES), zip: run.int(10000, 99999) } },
          ),
        )
        run.step(
          '',
          plain('modify_user_address', { id, city: 'Tampere', zip: '33100' }, 'Address updated.'),
        )
      })
    },
  ),
]

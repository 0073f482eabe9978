import { bare, json, mcp, openAi, plain } from './frames.js'
import { cycle, type Invented, loop } from './script.js'

const domain = 'service'

export const serviceLoops: Invented[] = [
  loop(
    {
      name: 'refund asked for with other reasons',
      domain,
      evidentAt: 9,
      why: 'The window for refunds has closed; another reason will not open it.',
      style: openAi,
    },
    (run) => {
      run.prompt('I want my money back for order #W4816.')
      run.step(
        '',
        json(
          'get_order_details',
          { order_id: '#W4816' },
          { order_id: '#W4816', status: 'delivered', delivered: '2025-11-02', total: 129.9 },
        ),
      )
      run.until(124, (lap) => {
        const reason = `${run.pick(['Customer says', 'The customer reports', 'Item', 'Buyer'])} ${run.pick(['it was damaged', 'wrong size', 'not as described', 'arrived late', 'no longer needed', 'defective'])}${run.pick(['', ', goodwill', ', loyal customer', ', escalated'])}`
        run.step(
          lap % 4 ? '' : 'I understand. Let me process the refund for you.',
          plain(
            'refund_order',
            { order_id: '#W4816', amount: run.pick([129.9, 129, 100, 64.95, 50]), reason },
            'Error: refund window expired for order #W4816 (30 days after delivery)',
            true,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'guessing the customer’s address',
      domain,
      evidentAt: 12,
      why: 'The agent makes up spellings of an email address instead of asking the customer.',
      style: openAi,
    },
    (run) => {
      run.prompt('Hi, this is Yusuf Demir, what about my order?')
      run.until(125, () => {
        const local = run.pick([
          'yusuf.demir',
          'y.demir',
          'yusufdemir',
          'demir.yusuf',
          'yusuf_demir',
          'yusuf',
          'ydemir',
          'demir',
        ])
        run.step(
          '',
          plain(
            'find_user_id_by_email',
            {
              email: `${local}${run.chance(0.7) ? run.int(1, 9999) : ''}@${run.pick(['example.com', 'mail.example', 'inbox.example', 'post.example'])}`,
            },
            'Error: user not found',
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'the same few flights, always full',
      domain,
      evidentAt: 16,
      why: 'Four searches go round and round, and none has a seat.',
      style: openAi,
    },
    (run) => {
      run.prompt('I need to get from Boston to Phoenix on May 20 in economy, nonstop.')
      const trips = [
        ['BOS', 'PHX'],
        ['JFK', 'PHX'],
        ['EWR', 'PHX'],
        ['BOS', 'LAS'],
      ] as const
      run.until(128, (lap) => {
        const [origin, destination] = cycle(trips, lap)
        run.step(
          lap % 6
            ? ''
            : run.pick([
                'Let me check the available flights.',
                'One moment while I search again.',
                'I will look for alternatives.',
              ]),
          plain(
            'search_direct_flight',
            lap % 3
              ? { origin, destination, date: '2026-05-20' }
              : { date: '2026-05-20', destination, origin },
            '[]',
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'payments that never add up',
      domain,
      evidentAt: 10,
      why: 'The answer names the right total, but the agent goes on guessing amounts.',
      style: openAi,
    },
    (run) => {
      run.prompt(
        'Book HAT136 and HAT039 for me and my wife, use my gift card and the rest from my Visa.',
      )
      run.until(125, (lap) => {
        const paid = run.int(100, 300)
        run.step(
          lap % 3 ? '' : 'I will correct the payment and book again.',
          plain(
            'book_reservation',
            {
              user_id: 'ines_duarte_4471',
              flights: ['HAT136', 'HAT039'],
              payment_methods: [
                { payment_id: 'gift_card_8840', amount: paid - 60 },
                { payment_id: 'credit_card_1192', amount: 60 },
              ],
            },
            `Error: payment amount does not add up, total price is 610, but paid ${paid}`,
            true,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'notes on a ticket nobody works on',
      domain,
      evidentAt: 16,
      why: 'A note is added and the order is looked up in turn; the order is on hold and stays so.',
      style: { ids: 'call_', clock: true },
    },
    (run) => {
      run.prompt('Please solve ticket 20931: customer waits for order 5512.')
      run.until(130, (lap) => {
        run.step(
          '',
          mcp(
            'crm_get_order',
            { order: 5512 },
            JSON.stringify({
              order: 5512,
              state: 'on_hold',
              hold_reason: 'credit check failed',
              fetched_at: `2026-09-01T12:${run.int(10, 59)}:${run.int(10, 59)}.${run.int(100, 999)}Z`,
              trace: run.hex(16),
            }),
          ),
        )
        run.step(
          lap % 4 ? '' : 'I will document the status.',
          mcp(
            'crm_add_note',
            {
              ticket: 20931,
              text: `${run.pick(['Order', 'The order', 'Order 5512'])} ${run.pick(['is still on hold', 'remains on hold', 'has not been released', 'is waiting'])}${run.pick(['.', ', checking again.', ', will follow up.', ', monitoring.'])}`,
            },
            JSON.stringify({ ok: true, note_id: run.int(100000, 999999) }),
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'the same apology with the same look-up',
      domain,
      evidentAt: 10,
      why: 'The customer is told the same sentence in each turn and the status never differs.',
      style: bare,
    },
    (run) => {
      run.until(124, (lap) => {
        run.step(
          'I apologize for the inconvenience. Let me check the status of your shipment right away.',
          json(
            'track_shipment',
            { tracking: '1Z88A4', attempt: lap + 1 },
            {
              status: 'exception',
              detail: 'Address unknown. Returned to sender.',
              eta: null,
              query_ms: run.int(20, 400),
            },
          ),
        )
      })
    },
  ),
]

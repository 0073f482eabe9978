import { CITIES, PEOPLE, SERVICES } from './names.js'
import { bash, call, failed, noise, pick, type Story, times } from './story.js'

/** More loops that other tools missed: calls whose arguments or answers change a little each time. */
export const disguised: Story[] = [
  {
    name: 'polls of a process that is long over',
    steps: times(150, () => call('process', { action: 'log', id: 'p-4' }, '(no new output)')),
    expect: { stoppedWithin: 40 },
  },
  {
    name: 'the same search since another moment each time',
    steps: times(60, (at) =>
      call(
        'search_logs',
        { query: 'oom', since: `2026-03-02T09:${10 + (at % 50)}:00Z`, timeout: 20 + at },
        'no entries',
      ),
    ),
    // each asks about another time, so it may be a batch
    expect: { stoppedWithin: 45 },
  },
  {
    name: 'the same message, sent again; the answer has a new id each time',
    steps: times(30, (at) =>
      call(
        'send',
        { to: '#ops', text: 'Done.' },
        { ok: true, messageId: `m-${noise(at, 99_999)}-${pick(PEOPLE, at)}` },
      ),
    ),
    expect: { stoppedWithin: 10 },
  },
  {
    name: 'the same failure in a frame with a new number each time',
    steps: times(40, (at) =>
      failed(
        'browser',
        { action: 'open', url: 'https://a.example' },
        `<external id="${noise(at, 16_777_215).toString(16)}">Error: tab not found</external>`,
      ),
    ),
    expect: { stoppedWithin: 15 },
  },
  {
    name: 'a call that ends the turn, with other words each time',
    steps: times(60, (at) =>
      call(
        'yield',
        {
          status: 'waiting',
          message: `Still waiting for ${pick(PEOPLE, at)} and ${pick(CITIES, at)}`,
        },
        'ok',
      ),
    ),
    expect: { stoppedWithin: 30 },
  },
  {
    name: 'nine searches for a tool in other words, with the same results',
    steps: times(40, (at) =>
      call(
        'tool_search',
        {
          query: `a tool that can ${pick(['send', 'mail', 'notify', 'tell', 'write to'], at)} ${pick(PEOPLE, at)}`,
        },
        '1. send_mail: sends a mail\n2. post_chat: writes into a chat\n3. list_people: lists people',
      ),
    ),
    expect: { advisedWithin: 9 },
  },
  {
    name: 'a key that is not accepted, whatever is asked',
    steps: times(60, (at) =>
      failed(
        'web_search',
        { query: `${pick(SERVICES, at)} of ${pick(CITIES, at)}` },
        '401 Unauthorized: invalid API key',
      ),
    ),
    expect: { stoppedWithin: 20 },
  },
  {
    name: 'many identical calls in one answer',
    steps: times(40, (at) =>
      call('read_file', { path: 'a.ts' }, 'const a = 1', { together: at > 0 }),
    ),
    expect: { advisedWithin: 40 },
  },
  {
    name: 'an answer with hundreds of different calls',
    steps: times(300, (at) =>
      call('read_file', { path: `a${at}.ts` }, `const ${pick(PEOPLE, at)} = ${at}`, {
        together: at > 0,
      }),
    ),
    expect: { stoppedWithin: 300 },
  },
  {
    name: 'clicks on a page whose elements have new numbers each time',
    steps: times(60, (at) =>
      call(
        'click',
        { ref: `e${10 * at + 3}` },
        `- button "Pay" [ref=e${10 * (at + 1) + 3}]\n- link "Back" [ref=e${10 * (at + 1) + 5}]\n- text "Card declined"`,
      ),
    ),
    expect: { stoppedWithin: 60 },
  },
  {
    name: 'an overnight call that costs the whole quota',
    steps: times(60, () =>
      bash('terraform plan', 'No changes. Your infrastructure matches the configuration.'),
    ),
    expect: { stoppedWithin: 7 },
  },
]

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inFolder, lines, readAll, readText } from './read.js'

/** How the run in these lines ended, in the words of its program. */
async function outcomeOf(content: string) {
  const { items, summary } = await readText(content)
  expect(summary).toMatchObject({ bad: 0, runs: 1 })
  const { outcome } = items[0]?.run ?? {}
  return outcome && `${outcome.kind}: ${outcome.status}`
}

describe('how a run ended, of SWE-agent', () => {
  const step = { action: 'ls', observation: 'a.ts', response: 'I look.', thought: 'I look.' }
  const traj = (exit_status: unknown, ...more: object[]) =>
    JSON.stringify({ trajectory: [step, ...more], info: { exit_status } }, null, 1)

  it.each([
    ['submitted', 'finished: submitted'],
    ['exit_command', 'finished: exit_command'],
    ['submitted (exit_cost)', 'limit: submitted (exit_cost)'],
    ['exit_cost', 'limit: exit_cost'],
    ['exit_context', 'limit: exit_context'],
    ['exit_total_execution_time', 'limit: exit_total_execution_time'],
    ['exit_format', 'failed: exit_format'],
    ['submitted (exit_format)', 'failed: submitted (exit_format)'],
    ['exit_error', 'failed: exit_error'],
    ['early_exit', 'failed: early_exit'],
    ['skipped', 'aborted: skipped'],
    [null, undefined],
  ])('is known by its exit status %s', async (status, expected) => {
    expect(await outcomeOf(traj(status))).toBe(expected)
    expect(await outcomeOf(lines({ trajectory: [step], info: { exit_status: status } }))).toBe(
      expected,
    )
  })

  it('is not a step of the model, though the program writes one', async () => {
    const calls = async (...more: object[]) =>
      (await readText(traj('exit_cost', ...more))).events.filter(({ type }) => type === 'tool-call')
    const note = { observation: 'Exited', response: '', thought: 'Exit due to cost limit' }
    expect(await calls({ ...note, action: '' })).toHaveLength(1)
    expect(await calls({ ...note, action: 'exit_cost' })).toHaveLength(1)
    // an answer in the wrong form is one of the model
    expect(await calls({ ...step, action: '' })).toHaveLength(2)
  })
})

describe('how a run ended, of mini-swe-agent', () => {
  const messages = [
    { role: 'user', content: 'List.' },
    { role: 'assistant', content: '```bash\nls\n```' },
    { role: 'user', content: '<returncode>0</returncode>' },
  ]

  it.each([
    ['Submitted', 'finished: Submitted'],
    ['LimitsExceeded', 'limit: LimitsExceeded'],
    ['TimeExceeded', 'limit: TimeExceeded'],
    ['Timeout', 'limit: Timeout'],
    ['ContextWindowExceededError', 'limit: ContextWindowExceededError'],
    ['RepeatedFormatError', 'failed: RepeatedFormatError'],
    ['BadRequestError', 'failed: BadRequestError'],
    ['UserInterruption', 'aborted: UserInterruption'],
    ['KeyboardInterrupt', 'aborted: KeyboardInterrupt'],
  ])('is known by its exit status %s', async (exit_status, expected) => {
    const info = { exit_status, mini_version: '1.14.2' }
    expect(await outcomeOf(JSON.stringify({ info, messages }, null, 1))).toBe(expected)
    expect(await outcomeOf(JSON.stringify({ messages, info }, null, 1))).toBe(expected)
    const exit = { role: 'exit', content: '', extra: { exit_status } }
    expect(await outcomeOf(JSON.stringify([...messages, exit], null, 1))).toBe(expected)
  })

  it('leaves nothing unpaid, and pays nothing twice', async () => {
    const paid = async (cost: number | undefined, model_stats: object) => {
      const usage = { prompt_tokens: 100, completion_tokens: 5 }
      const extra = { response: { model: 'gpt-6', usage }, ...(cost !== undefined && { cost }) }
      const answer = { role: 'assistant', content: '```bash\nls\n```', extra }
      const told = [messages[0], answer, messages[2], answer, messages[2]]
      const info = { mini_version: '2.0.0', model_stats }
      const { events } = await readText(JSON.stringify({ info, messages: told }, null, 1))
      const usages = events.filter((event) => event.type === 'usage')
      const tokens = usages.reduce((sum, { inputTokens = 0 }) => sum + inputTokens, 0)
      expect(tokens).toBe(200)
      return usages.map((event) => event.cost)
    }
    expect(await paid(undefined, {})).toEqual([undefined, undefined])
    expect(await paid(0.25, {})).toEqual([0.25, 0.25])
    expect(await paid(0.25, { instance_cost: 0.5, api_calls: 2 })).toEqual([0.25, 0.25])
    expect(await paid(0.25, { instance_cost: 0.75, api_calls: 3 })).toEqual([0.25, 0.25, 0.25])
    // where only the sum is recorded, each answer has its share of it
    expect(await paid(undefined, { instance_cost: 0.75, api_calls: 3 })).toEqual([0.25, 0.25, 0.25])
  })
})

describe('how a run ended, of Claude Code', () => {
  let uuid = 0
  const line = (type: string, message: object, more: object = {}) => ({
    ...{ type, uuid: `u${uuid++}`, sessionId: 's', timestamp: '2026-11-03T10:00:00.000Z' },
    ...{ isSidechain: false, message, ...more },
  })
  const asked = line('user', { role: 'user', content: 'Fix it.' })
  const said = (stop_reason: string | null, more: object = {}) =>
    line(
      'assistant',
      { id: `m${uuid}`, content: [{ type: 'text', text: 'Fine.' }], stop_reason },
      more,
    )
  const error = (text: string, error?: string) =>
    line(
      'assistant',
      { model: '<synthetic>', content: [{ type: 'text', text }], stop_reason: 'stop_sequence' },
      { isApiErrorMessage: true, ...(error && { error }) },
    )
  const noted = (text: string) => line('user', { role: 'user', content: [{ type: 'text', text }] })

  it.each<[string, object[], string | undefined]>([
    ['its last answer', [said('end_turn')], 'finished: end_turn'],
    ['its last answer, which was too long', [said('max_tokens')], 'limit: max_tokens'],
    ['its last answer, which was refused', [said('refusal')], 'failed: refusal'],
    ['a call', [said('tool_use')], undefined],
    ['nothing, in older versions', [said(null)], undefined],
    [
      'the note that the turn is over',
      [said(null), { ...line('system', {}), subtype: 'turn_duration' }],
      'finished: end_turn',
    ],
    [
      'the person',
      [said('tool_use'), noted('[Request interrupted by user for tool use]')],
      'aborted: interrupted',
    ],
    ['an error', [error('API Error: 500 Internal')], 'failed: API Error: 500 Internal'],
    ['a limit', [error('5-hour limit reached · resets 3pm')], 'limit: 5-hour limit reached'],
    ['a named limit', [error('…', 'rate_limit')], 'limit: rate_limit'],
    ['another request', [said('end_turn'), asked], undefined],
    [
      'what the person told the program afterwards',
      [
        said('end_turn'),
        line('user', { role: 'user', content: '<command-name>/exit</command-name>' }),
        line('user', {
          role: 'user',
          content: '<local-command-stdout>Bye!</local-command-stdout>',
        }),
      ],
      'finished: end_turn',
    ],
    [
      'the main agent, not a helper',
      [said('tool_use'), said('end_turn', { isSidechain: true, agentId: 'a1' })],
      undefined,
    ],
  ])('is told by %s', async (_, after, expected) => {
    const outcome = await outcomeOf(lines({ ...asked, uuid: 'first' }, ...after))
    if (expected === undefined) expect(outcome).toBeUndefined()
    else expect(outcome).toMatch(expected)
  })

  it('and what old versions recorded as its cost is told', async () => {
    const answer = said('end_turn', { costUSD: 0.5 })
    const { events } = await readText(lines(asked, answer))
    expect(events.find(({ type }) => type === 'usage')).toMatchObject({ cost: 0.5 })
  })

  it('and leaving is not a request', async () => {
    const exit = line('user', { role: 'user', content: '<command-name>/exit</command-name>' })
    const { events } = await readText(lines(asked, exit))
    expect(events.filter(({ type }) => type === 'prompt')).toHaveLength(1)
  })
})

describe('how a run ended, of Codex', () => {
  const item = (payload: object) => ({ type: 'response_item', payload })
  const note = (payload: object) => ({ type: 'event_msg', payload })
  const asked = item({ type: 'message', role: 'user', content: 'Fix it.' })
  const said = item({ type: 'message', role: 'assistant', content: 'Done.' })
  const complete = note({ type: 'task_complete', last_agent_message: 'Done.'.repeat(100) })
  const aborted = (reason: string) => note({ type: 'turn_aborted', reason })
  const error = (codex_error_info: unknown) =>
    note({ type: 'error', message: 'It failed.', codex_error_info })
  const marker = item({
    type: 'message',
    role: 'user',
    content: '<turn_aborted>\nThe user interrupted.\n</turn_aborted>',
  })

  it.each<[string, object[], string | undefined]>([
    ['the end of its task', [said, complete], 'finished: task_complete'],
    ['an interruption', [said, marker, aborted('interrupted'), marker], 'aborted: interrupted'],
    ['the end of a review', [said, aborted('review_ended')], 'finished: review_ended'],
    ['a budget', [said, aborted('budget_limited')], 'limit: budget_limited'],
    [
      'an error, although the task is over',
      [error({ http_connection_failed: {} }), complete],
      'failed: http_connection_failed',
    ],
    [
      'a limit',
      [said, error('context_window_exceeded'), complete],
      'limit: context_window_exceeded',
    ],
    ['nothing if it goes on', [said, complete, asked], undefined],
    ['nothing if a task was started', [said, complete, note({ type: 'task_started' })], undefined],
  ])('is told by %s', async (_, after, expected) => {
    const framed = [asked, ...after].map((record) => ({ timestamp: '2026-11-03', ...record }))
    expect(await outcomeOf(lines(...framed))).toBe(expected)
  })
})

describe('how a run ended, of Gemini CLI', () => {
  const head = { sessionId: 's', projectHash: 'p', startTime: '2026-11-03T10:00:00.000Z' }
  const asked = { id: '1', type: 'user', content: 'Fix it.' }
  const call = { id: 'c', name: 'ls', args: {} }

  it.each<[string, object[], string | undefined]>([
    ['nothing after a last word', [{ id: '2', type: 'gemini', content: 'Done.' }], undefined],
    [
      'a call that was cancelled',
      [{ id: '2', type: 'gemini', content: '', toolCalls: [{ ...call, status: 'cancelled' }] }],
      'aborted: cancelled',
    ],
    [
      'a note',
      [{ id: '2', type: 'info', content: 'Request cancelled.' }],
      'aborted: Request cancelled',
    ],
    [
      'an error',
      [{ id: '2', type: 'error', content: '[API Error: 500]' }],
      'failed: [API Error: 500]',
    ],
    ['a quota', [{ id: '2', type: 'error', content: 'Quota exceeded' }], 'limit: Quota exceeded'],
    [
      'nothing if it went on',
      [
        { id: '2', type: 'error', content: '[API Error: 500]' },
        { ...asked, id: '3' },
      ],
      undefined,
    ],
  ])('is told by %s', async (_, after, expected) =>
    expect(await outcomeOf(lines(head, asked, ...after))).toBe(expected),
  )
})

describe('how a run ended, of qwen-code', () => {
  let uuid = 0
  const line = (type: string, more: object) => ({
    ...{ uuid: `q${uuid++}`, sessionId: 's', timestamp: '2026-11-03T10:00:00.000Z', type, ...more },
  })
  const asked = line('user', { message: { role: 'user', parts: [{ text: 'Fix it.' }] } })
  const noted = (uiEvent: object) =>
    line('system', { subtype: 'ui_telemetry', systemPayload: { uiEvent } })
  const error = noted({ 'event.name': 'qwen-code.api_error', error_type: 'APIError' })

  it.each<[string, object[], string | undefined]>([
    ['an error', [error], 'failed: APIError'],
    [
      'a quota',
      [noted({ 'event.name': 'qwen-code.api_error', status_code: 429 })],
      'limit: api_error',
    ],
    ['the person', [noted({ 'event.name': 'qwen-code.api_cancel' })], 'aborted: api_cancel'],
    [
      'nothing if it went on',
      [error, line('assistant', { message: { role: 'model', parts: [{ text: 'Done.' }] } })],
      undefined,
    ],
  ])('is told by %s', async (_, after, expected) =>
    expect(await outcomeOf(lines(asked, ...after))).toBe(expected),
  )
})

describe('how a run ended, of opencode', () => {
  const info = { id: 'ses_1', directory: '/home/ada/shop', projectID: 'p' }
  const asked = {
    info: { id: 'msg_1', role: 'user' },
    parts: [{ id: 'prt_1', type: 'text', text: 'Fix it.' }],
  }
  const answer = (more: object) => ({
    info: { id: 'msg_2', role: 'assistant', ...more },
    parts: [{ id: 'prt_2', type: 'text', text: 'Fine.' }],
  })

  it.each<[string, object[], string | undefined]>([
    ['its last answer', [answer({ finish: 'stop' })], 'finished: stop'],
    ['its last answer, which was too long', [answer({ finish: 'length' })], 'limit: length'],
    ['a call', [answer({ finish: 'tool-calls' })], undefined],
    [
      'the person',
      [answer({ error: { name: 'MessageAbortedError', data: {} } })],
      'aborted: MessageAbortedError',
    ],
    ['an error', [answer({ error: { name: 'APIError', data: {} } })], 'failed: APIError'],
    [
      'a limit',
      [answer({ error: { name: 'MessageOutputLengthError' } })],
      'limit: MessageOutputLengthError',
    ],
    ['nothing if it went on', [answer({ finish: 'stop' }), asked], undefined],
  ])('is told by %s', async (_, after, expected) =>
    expect(await outcomeOf(JSON.stringify({ info, messages: [asked, ...after] }, null, 1))).toBe(
      expected,
    ),
  )

  it('and what each answer cost is told', async () => {
    const tokens = { input: 10, output: 5, reasoning: 2, cache: { read: 100, write: 20 } }
    const parts = [{ id: 'prt_9', type: 'step-finish', cost: 0.5, tokens }]
    const { events } = await readText(
      JSON.stringify({ info, messages: [asked, { ...answer({}), parts }] }, null, 1),
    )
    expect(events.find(({ type }) => type === 'usage')).toEqual({
      ...{ type: 'usage', inputTokens: 130, cachedTokens: 100, cacheWriteTokens: 20 },
      ...{ outputTokens: 7, cost: 0.5 },
    })
  })
})

describe('how a run ended, of Cline', () => {
  const messages = [
    { role: 'user', content: '<task>Fix it.</task>', ts: 1793800000000 },
    { role: 'assistant', content: 'Fine.', ts: 1793800001000 },
  ]
  const readTask = (ui: object[]) =>
    inFolder(async (folder) => {
      const path = join(folder, 'api_conversation_history.json')
      writeFileSync(path, JSON.stringify(messages))
      writeFileSync(join(folder, 'ui_messages.json'), JSON.stringify(ui))
      return readAll(path)
    })
  const request = (told: object) => ({
    ...{ type: 'say', say: 'api_req_started', text: JSON.stringify({ request: '…', ...told }) },
  })
  const ask = (word: string) => ({ type: 'ask', ask: word, text: '' })

  it.each<[string, object[], string | undefined]>([
    ['its result', [request({}), ask('completion_result')], 'finished: completion_result'],
    ['being opened again', [request({}), ask('resume_task')], 'aborted: resume_task'],
    ['a request that failed', [request({}), ask('api_req_failed')], 'failed: api_req_failed'],
    ['too many mistakes', [ask('mistake_limit_reached')], 'limit: mistake_limit_reached'],
    ['the person', [request({ cancelReason: 'user_cancelled' })], 'aborted: user_cancelled'],
    ['nothing if it went on', [ask('completion_result'), request({})], undefined],
  ])('is told by %s', async (_, ui, expected) => {
    const { outcome } = (await readTask(ui)).items[0]?.run ?? {}
    expect(outcome && `${outcome.kind}: ${outcome.status}`).toBe(expected)
  })

  it('and requests are paid, though nothing came of the last one', async () => {
    const told = { tokensIn: 10, tokensOut: 5, cacheWrites: 20, cacheReads: 100, cost: 0.5 }
    const { events, summary } = await readTask([request(told), request({ ...told, cost: 0.25 })])
    const usage = {
      ...{ type: 'usage', inputTokens: 130, cachedTokens: 100, cacheWriteTokens: 20 },
      ...{ outputTokens: 5 },
    }
    expect(events.filter(({ type }) => type === 'usage')).toEqual([
      { ...usage, cost: 0.5 },
      { ...usage, cost: 0.25 },
    ])
    expect(summary.events).toBe(events.length)
  })
})

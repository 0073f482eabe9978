import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findTranscripts } from '../src/index.js'
import { fixture, inFolder, lines, readAll, readText, told } from './read.js'
import { nothing, rounded, tallyOf } from './tally.js'

const root = fixture('openhands-today')
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const events = readdirSync(join(root, 'events'))
  .sort()
  .map((name) => read(`events/${name}`))
const state = read('base_state.json')

/** Counts what stands in the files, without a reader. */
function count() {
  const tally = nothing()
  const answers = new Set<string>()
  for (const event of events) {
    const { kind, source, observation } = event
    if (kind === 'MessageEvent' && source === 'user') tally.prompts++
    if (source === 'agent' && event.llm_response_id) answers.add(event.llm_response_id)
    if (kind === 'ActionEvent') tally.calls++
    if (/Observation|AgentError/.test(kind)) tally.results++
    if (kind === 'AgentErrorEvent' || kind === 'UserRejectObservation') tally.errors++
    if (observation?.is_error || observation?.exit_code > 0) tally.errors++
  }
  tally.turns = answers.size
  for (const metrics of Object.values<typeof state>(state.stats.usage_to_metrics)) {
    const usage = metrics.accumulated_token_usage
    tally.input += usage.prompt_tokens
    tally.cached += usage.cache_read_tokens
    tally.written += usage.cache_write_tokens
    tally.output += usage.completion_tokens
    tally.cost += metrics.accumulated_cost
  }
  return rounded(tally)
}

describe('a conversation of OpenHands today', () => {
  it('adds up to what a plain count finds', async () => {
    const { items, summary } = await readAll(root)
    expect(summary).toMatchObject({ format: 'openhands', records: events.length, bad: 0, runs: 1 })
    expect(summary.events).toBe(items.length)
    expect(tallyOf(items)).toEqual(count())
    expect(items[0]?.run).toEqual({
      format: 'openhands',
      program: 'openhands',
      session: state.id,
      project: '/home/ada/shop',
      model: 'anthropic/claude-sonnet-5',
      startedAt: Date.parse('2026-11-05T10:00:00.000'),
      outcome: { kind: 'limit', status: 'MaxIterationsReached' },
    })
  })

  it('tells tokens with the answer they were for, and the rest at the end', async () => {
    const { events: all } = await readAll(root)
    expect(told(all).slice(0, 5)).toEqual([
      'prompt Why does the login test fail?',
      'turn-start',
      'text I will look.',
      'call call_1 terminal {"command":"cat login.ts"}',
      'usage 1000 0 40',
    ])
    expect(told(all).slice(-6)).toEqual([
      'usage 5000 0 200',
      'turn-start',
      'text It fails.',
      'usage 1250 1100 9',
      'usage 1300 1100 1',
      'usage 300 0 8',
    ])
  })

  it('is found where the command line and servers keep it', () =>
    inFolder(async (home) => {
      const hex = 'ab'.repeat(16)
      const put = (from: string, to: string) => {
        mkdirSync(dirname(join(home, to)), { recursive: true })
        cpSync(join(root, from), join(home, to), { recursive: true })
      }
      put('.', '.openhands/conversations/one')
      for (const [i, name] of readdirSync(join(root, 'events')).sort().entries()) {
        // names that do not tell the order
        const id = ((i * 7) % 16).toString(16).repeat(32)
        put(`events/${name}`, `.openhands/v1_conversations/${hex}/${id}.json`)
      }
      put('events', '.openhands/sessions/two/events')
      put('base_state.json', '.openhands/sessions/two/metadata.json')
      const found: string[] = []
      for await (const { path } of findTranscripts({ env: {}, platform: 'linux', home })) {
        found.push(relative(home, path))
      }
      const places = ['conversations/one', `v1_conversations/${hex}`, 'sessions/two']
      expect(found).toEqual(places.map((place) => `.openhands/${place}`))
      const { usage, ...expected } = kinds((await readAll(root)).events)
      expect(usage).toBe(7)
      for (const place of found.slice(1)) {
        const { events: all, summary } = await readAll(join(home, place))
        expect(summary).toMatchObject({ format: 'openhands', bad: 0 })
        expect(kinds(all)).toEqual(expected)
      }
    }))

  const kinds = (all: readonly { type: string }[]) => {
    const counts: Record<string, number> = {}
    for (const { type } of all) counts[type] = (counts[type] ?? 0) + 1
    return counts
  }

  it('tells sums and how it ended where only events are kept', async () => {
    const update = (key: string, value: unknown) => ({
      ...{ kind: 'ConversationStateUpdateEvent', source: 'environment', key, value },
    })
    const stats = (prompt_tokens: number, cost: number) => ({
      usage_to_metrics: {
        agent: {
          model_name: 'gpt-6',
          accumulated_cost: cost,
          accumulated_token_usage: { prompt_tokens, completion_tokens: 2 },
        },
      },
    })
    const { items } = await readText(
      lines(
        events[1],
        events[2],
        update('stats', stats(100, 0.25)),
        update('full_state', { execution_status: 'running', stats: stats(150, 0.75) }),
        update('execution_status', 'stuck'),
      ),
    )
    expect(tallyOf(items)).toMatchObject({ input: 150, output: 2, cost: 0.75 })
    expect(items[0]?.run.outcome).toEqual({ kind: 'failed', status: 'stuck' })
  })

  it('tells calls of an agent that is spoken to by ACP once', async () => {
    const call = {
      kind: 'ACPToolCallEvent',
      source: 'agent',
      tool_call_id: 'a',
      tool_kind: 'execute',
    }
    const { events: all } = await readText(
      lines(
        { ...call, title: 'ls', status: 'pending', raw_input: { command: 'ls' } },
        { ...call, title: 'ls', status: 'in_progress', raw_input: { command: 'ls' } },
        { ...call, title: 'ls', status: 'failed', is_error: true, raw_output: 'no' },
        { ...call, title: 'ls', status: 'failed', is_error: true, raw_output: 'no' },
      ),
    )
    expect(told(all)).toEqual(['call a execute {"command":"ls"}', 'result a failed "no"'])
  })

  it.each([
    ['PauseEvent', 'user', 'aborted'],
    ['InterruptEvent', 'user', 'aborted'],
    ['ConversationIterationLimitEvent', 'environment', 'limit'],
    ['ConversationErrorEvent', 'environment', 'failed'],
  ])('ends with a %s, unless it goes on', async (kind, source, ending) => {
    const end = { kind, source }
    const over = await readText(lines(events[1], events[2], end))
    expect(over.items[0]?.run.outcome).toEqual({ kind: ending, status: kind })
    const on = await readText(lines(events[1], events[2], end, events[7], events[8]))
    expect(on.items[0]?.run.outcome).toBeUndefined()
  })
})

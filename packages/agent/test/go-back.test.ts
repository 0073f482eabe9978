import type { Action } from 'unloop'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AgentOptions, createAgent } from '../src/agent.js'
import { createGuideTools } from '../src/guide/guide-tools.js'
import type { Entry } from '../src/history.js'
import { textOf } from '../src/message.js'
import { createEmbeddedModel, demoPersonas, STUCK_KINDS } from '../src/models/embedded.js'
import type { AgentState } from '../src/session.js'
import { createSubAgent } from '../src/sub-agent.js'
import { defineTool } from '../src/tool.js'
import { collect, ofType } from './collect.js'
import { calling, scriptedModel, type Turn } from './scripted-model.js'

const look = defineTool({
  name: 'look',
  description: 'looks at something',
  parameters: z.object({ at: z.string().default('it') }),
  effect: 'reads',
  execute: ({ at }) => `this is what ${at} looks like`,
})

const KINDS = STUCK_KINDS.filter(
  (kind) => kind !== 'judge' && kind !== 'identical-call' && kind !== 'text-window',
)

/** Plays these turns until a loop has stopped it, then goes back; gives what the model is sent next. */
async function backFrom(turns: (turn: number) => Turn, options: Partial<AgentOptions> = {}) {
  const model = scriptedModel(turns)
  const agent = createAgent({ model, tools: [look], guard: { attended: true }, ...options })
  const events = await collect(agent.sendMessageStream('go', undefined, 'p1'))
  expect(events.at(-1)?.type).toBe('loop_detected')
  const asked = model.requests.length
  const undone = agent.choose({ type: 'go-back' })
  const { history } = agent
  for await (const event of agent.resume()) if (event.type !== 'turn-start') break
  return { agent, events, history, undone, next: model.requests[asked] }
}

describe('to go back', () => {
  it.each(KINDS)('takes out all of %s, and nothing before it', async (kind) => {
    const agent = createAgent({
      model: createEmbeddedModel({ paceMs: 0 }),
      tools: createGuideTools(),
      personas: demoPersonas,
      guard: { attended: true },
    })
    await collect(agent.sendMessageStream('How does the ladder work?'))
    const before = agent.history
    const events = await collect(agent.sendMessageStream(`/stuck ${kind}`))
    expect(events.at(-1)).toMatchObject({ type: 'loop_detected', finding: { detector: kind } })
    expect(agent.history.length).toBeGreaterThan(before.length + 3)
    agent.choose({ type: 'go-back' })
    const rest = agent.history.slice(before.length)
    expect(agent.history.slice(0, before.length)).toEqual(before)
    expect(rest[0]).toEqual({ role: 'user', content: `/stuck ${kind}` })
    // the first page that is read repeats nothing
    expect(rest.slice(1).map(({ role }) => role)).toEqual(
      kind === 'paging' ? ['assistant', 'tool'] : [],
    )
  })

  it('keeps what was done before the loop began, and tells where that was', async () => {
    const { history, undone, agent } = await backFrom((turn) =>
      turn < 3 ? calling(['look', { at: `${'abc'[turn]}` }]) : calling(['look', { at: 'it' }]),
    )
    expect(history.filter(({ role }) => role === 'tool').map(textOf)).toEqual([
      'this is what a looks like',
      'this is what b looks like',
      'this is what c looks like',
    ])
    expect(history.map(({ role }) => role)).toEqual(['user', ...pairs(3)])
    expect(undone).toBe(agent.guard.findings.at(0)?.firstEvent)
  })

  it('keeps what the person said meanwhile', async () => {
    const model = scriptedModel(() => calling(['look']))
    const agent = createAgent({ model, tools: [look], guard: { attended: true } })
    await collect(agent.sendMessageStream('go', undefined, 'p1'))
    await collect(agent.sendMessageStream('and now?', undefined, 'p1'))
    agent.choose({ type: 'go-back', hint: 'Look elsewhere.' })
    expect(agent.history.map(textOf)).toEqual(['go', 'and now?', 'Look elsewhere.'])
  })

  // whoever has the task when it is stopped: that depends on how often they are told
  it.each<Action[]>([['ask'], ['warn', 'ask'], ['warn', 'block', 'ask']])(
    'from a task that goes to and fro gives it to who had it: %s %s %s',
    async (...ladder) => {
      const personas = { planner: { instructions: 'planner' }, coder: { instructions: 'coder' } }
      const names = Object.keys(personas)
      const { next, history } = await backFrom(
        (turn) =>
          calling(['hand_off', { to: names[(turn + 1) % 2], text: 'Please fix the test.' }]),
        { personas, guard: { ladder: ladder.filter(Boolean) } },
      )
      expect(history).toEqual([{ role: 'user', content: 'go' }])
      expect(next?.system).toContain('planner')
    },
  )

  it('gives the task to whom it was handed before the loop', async () => {
    const personas = { planner: { instructions: 'planner' }, coder: { instructions: 'coder' } }
    const { next } = await backFrom(
      (turn) =>
        turn === 0 ? calling(['hand_off', { to: 'coder', text: 'Do it.' }]) : calling(['look']),
      { personas },
    )
    expect(next?.system).toContain('coder')
    expect(next?.messages.map(({ role }) => role)).toEqual(['user', ...pairs(1)])
  })

  it.each([1, 3])(
    'takes out the calls of a sub-agent that got stuck, and %i of its caller',
    async (calls) => {
      const helper = createSubAgent({
        name: 'helper',
        description: 'helps',
        model: scriptedModel(() => calling(['look'])),
        tools: [look],
        guardMode: 'off',
        maxTurns: 30,
      })
      const { history, events } = await backFrom(
        (turn) =>
          turn === 0
            ? calling(['look', { at: 'first' }])
            : calling(
                ...Array.from(
                  { length: calls },
                  (_, n) => ['helper', { task: `${turn} ${n}` }] as const,
                ),
              ),
        { tools: [look, helper] },
      )
      expect(ofType(events, 'loop_detected')[0]?.finding.agent).toBe('helper')
      expect(history.map(({ role }) => role)).toEqual(['user', ...pairs(1)])
    },
  )

  it('from a flood in one turn takes out every call of it', async () => {
    const flood = Array.from({ length: 400 }, (_, n) => ['look', { at: `${n}` }] as const)
    const { history } = await backFrom(() => calling(...flood))
    expect(history).toEqual([{ role: 'user', content: 'go' }])
  })

  it('leaves no advice that waits for the next turn', async () => {
    const { next } = await backFrom(() => calling(['look']))
    expect(next?.messages).toEqual([{ role: 'user', content: 'go' }])
  })

  it('works the same in a conversation that was saved and opened again', async () => {
    const model = scriptedModel(() => calling(['look']))
    const lines: { entries: Entry[]; state?: AgentState } = { entries: [] }
    const log = {
      append: (entry: Entry) => void lines.entries.push(entry),
      replace: (entries: readonly Entry[]) => {
        lines.entries = [...entries]
      },
      state: (state: AgentState) => {
        lines.state = structuredClone(state)
      },
      rename: () => {},
      changeModel: () => {},
    }
    const options = { model, tools: [look], guard: { attended: true } }
    await collect(createAgent({ ...options, log }).sendMessageStream('go'))
    const header = { id: 'x', model: 'm', folder: '/', createdAt: '' }
    const saved = { header, entries: lines.entries, state: lines.state }
    const again = createAgent({ ...options, saved })
    expect(again.stopped).toBeDefined()
    again.choose({ type: 'go-back' })
    expect(again.history).toEqual([{ role: 'user', content: 'go' }])
  })
})

const pairs = (count: number) => Array.from({ length: count }, () => ['assistant', 'tool']).flat()

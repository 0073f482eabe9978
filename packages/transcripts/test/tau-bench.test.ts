import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fixture, readAll, readText, told } from './read.js'
import { nothing, rounded, tallyOf } from './tally.js'

const load = (name: string) => JSON.parse(readFileSync(fixture(name), 'utf8'))

describe('results of tau2', () => {
  const { simulations, info } = load('tau2.json')

  it('add up to what a plain count finds', async () => {
    const { items, summary } = await readAll(fixture('tau2.json'))
    expect(summary).toMatchObject({ format: 'tau-bench', bad: 0, runs: 2 })
    for (const simulation of simulations) {
      const expected = nothing()
      for (const message of simulation.messages) {
        if (message.role === 'user' && message.content) expected.prompts++
        if (message.role === 'assistant') expected.turns++
        if (message.role === 'tool') expected.results += message.tool_messages?.length ?? 1
        if (message.error) expected.errors++
        expected.calls += message.tool_calls?.length ?? 0
        expected.input += message.usage?.prompt_tokens ?? 0
        expected.output += message.usage?.completion_tokens ?? 0
      }
      expected.cost = simulation.agent_cost + simulation.user_cost
      const own = items.filter(({ run }) => run.session === simulation.id)
      expect(tallyOf(own)).toEqual(rounded(expected))
      expect(own[0]?.run).toMatchObject({
        ...{ program: 'tau2', project: info.environment_info.domain_name },
        model: info.agent_info.llm,
      })
      const kind = simulation.termination_reason === 'max_steps' ? 'limit' : 'finished'
      expect(own[0]?.run.outcome).toEqual({ kind, status: simulation.termination_reason })
    }
  })

  it('keep the tools of the person apart', async () => {
    const { items } = await readAll(fixture('tau2.json'))
    const users = items.filter(({ event }) => event.agent === 'user' && event.type !== 'usage')
    expect(told(users.map(({ event }) => event))).toEqual([
      'user: call call_3 check_status_bar {}',
      'user: result call_3 "Airplane mode"',
    ])
  })

  it('may be on one line', async () => {
    const { items, summary } = await readText(JSON.stringify(load('tau2.json')))
    expect(summary).toMatchObject({ format: 'tau-bench', runs: 2 })
    expect(tallyOf(items)).toEqual(tallyOf((await readAll(fixture('tau2.json'))).items))
  })
})

describe('results of tau-bench', () => {
  it('add up to what a plain count finds', async () => {
    const expected = nothing()
    for (const { role, tool_calls } of load('tau-bench.json').flatMap(
      ({ traj }: { traj: [] }) => traj,
    )) {
      if (role === 'user') expected.prompts++
      if (role === 'assistant') expected.turns++
      if (role === 'tool') expected.results++
      expected.calls += tool_calls?.length ?? 0
    }
    const { items, summary } = await readAll(fixture('tau-bench.json'))
    expect(summary).toMatchObject({ format: 'tau-bench', records: 2, used: 2, runs: 2 })
    expect(tallyOf(items)).toEqual(expected)
    expect(items[0]?.run).toMatchObject({ program: 'tau-bench', session: '3/0' })
  })
})

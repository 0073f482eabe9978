// What the real package does is in `e2e/claude-agent.e2e.ts`: it is too large for everybody's install. Here are the hooks alone.
import { createOracle, ORACLE_ADVICE } from '@unloop/testing'
import { describe, expect, it } from 'vitest'
import { SPEAKS_AT } from '../../../test/adapters/test-adapter.js'
import type { Finding } from '../../finding.js'
import { createGuard } from '../../guard.js'
import { createGuards, type GuardStore } from '../../host/guards.js'
import { guardHooks, guardQuery } from './index.js'

type Hooks = ReturnType<typeof guardHooks>

const call = (hooks: Hooks, name: keyof Hooks, input: object) =>
  hooks[name][0]?.hooks[0]?.({ session_id: 'one', hook_event_name: name, ...input })

let calls = 0
const toolOf = (input = {}) => ({
  tool_use_id: `call ${++calls}`,
  tool_name: 'Read',
  tool_input: { file_path: 'login.ts' },
  ...input,
})

/** A call as the SDK shows it, with its answer unless it was denied. */
async function turn(hooks: Hooks, input = {}) {
  const tool = toolOf(input)
  const before = await call(hooks, 'PreToolUse', tool)
  if (before?.hookSpecificOutput) return before
  return call(hooks, 'PostToolUse', { ...tool, tool_response: 'content' })
}

const turns = async (hooks: Hooks, times: number, input = {}) => {
  const answers = []
  for (let i = 0; i < times; i++) answers.push(await turn(hooks, input))
  return answers
}

it('tells, denies, and ends', async () => {
  const guard = createGuard()
  const answers = await turns(guardHooks(guard), SPEAKS_AT + 2)
  const [warning, refusal, end] = guard.findings
  expect(answers.slice(0, SPEAKS_AT - 1)).toEqual(Array(SPEAKS_AT - 1).fill({}))
  expect(answers[SPEAKS_AT - 1]).toEqual({
    hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: warning?.advice },
  })
  const denied = { hookEventName: 'PreToolUse', permissionDecision: 'deny' }
  expect(answers[SPEAKS_AT]).toEqual({
    hookSpecificOutput: { ...denied, permissionDecisionReason: refusal?.advice },
  })
  const reason = expect.stringContaining(`Stopped: ${end?.detail}`)
  expect(answers[SPEAKS_AT + 1]).toEqual({
    continue: false,
    stopReason: reason,
    hookSpecificOutput: { ...denied, permissionDecisionReason: reason },
  })
  expect(guard.faults).toEqual([])
})

it('tells once of what is only likely, and denies nothing', async () => {
  const oracle = createOracle('tool-call', (_, count) => (count > 2 ? 'likely' : undefined))
  const guard = createGuard({ detectors: [oracle] })
  const answers = await turns(guardHooks(guard), 9)
  const told = { hookEventName: 'PostToolUse', additionalContext: ORACLE_ADVICE }
  expect(answers).toEqual(answers.map((_, at) => (at === 2 ? { hookSpecificOutput: told } : {})))
  expect(guard.findings).toMatchObject([{ certainty: 'likely', action: 'warn' }])
  expect(guard.faults).toEqual([])
})

it('starts over when the person speaks, and not when the program does', async () => {
  for (const [source, length] of [
    ['schedule_wakeup', 1],
    ['sdk', 0],
    [undefined, 0],
  ] as const) {
    const guard = createGuard()
    const hooks = guardHooks(guard)
    await turns(hooks, SPEAKS_AT - 1)
    await call(hooks, 'UserPromptSubmit', { prompt: 'And now?', prompt_id: '2', source })
    await turns(hooks, 1)
    expect(guard.findings).toHaveLength(length)
  }
})

it('watches sub-agents on their own', async () => {
  const guard = createGuard()
  const hooks = guardHooks(guard)
  await turns(hooks, SPEAKS_AT - 1)
  await turns(hooks, SPEAKS_AT - 1, { agent_id: 'a1' })
  expect(guard.findings).toEqual([])
  await turns(hooks, 1, { agent_id: 'a1' })
  expect(guard.findings).toMatchObject([{ agent: 'a1' }])
})

it('tells the advice to the agent it is for', async () => {
  const guard = createGuard()
  const hooks = guardHooks(guard)
  const inner = toolOf({ agent_id: 'a1' })
  await turns(hooks, SPEAKS_AT - 1, { agent_id: 'a1' })
  await call(hooks, 'PreToolUse', inner)
  // the answer of another agent comes in between
  const outer = toolOf({ tool_input: { file_path: 'other.ts' } })
  await call(hooks, 'PreToolUse', outer)
  expect(await call(hooks, 'PostToolUse', { ...outer, tool_response: 'x' })).toEqual({})
  const told = await call(hooks, 'PostToolUse', { ...inner, tool_response: 'content' })
  expect(told?.hookSpecificOutput?.additionalContext).toBe(guard.findings[0]?.advice)
})

describe('with guards for all sessions', () => {
  it('disturbs none and finds every loop', async () => {
    const found: Finding[] = []
    const guards = createGuards({ guard: { onFinding: (finding) => found.push(finding) } })
    const hooks = guardHooks(guards)
    const sessions = Array.from({ length: 50 }, (_, i) => ({
      session_id: `session ${i}`,
      isStuck: i % 2 === 0,
    }))
    for (const { session_id } of sessions)
      await call(hooks, 'UserPromptSubmit', { session_id, prompt: 'Why?' })
    const ended = new Map<string, unknown>()
    for (let step = 0; step < SPEAKS_AT + 2; step++) {
      for (const { session_id, isStuck } of sessions) {
        const file_path = isStuck ? 'login.ts' : `part-${step}.ts`
        ended.set(session_id, await turn(hooks, { session_id, tool_input: { file_path } }))
      }
    }
    for (const { session_id, isStuck } of sessions) {
      expect(guards.of(session_id).stopped).toBe(isStuck)
      if (!isStuck) expect(ended.get(session_id)).toEqual({})
    }
    expect(found.filter(({ action }) => action === 'stop')).toHaveLength(25)
    expect(guards.size).toBe(50)
  })

  it('goes on with a session in another process', async () => {
    const values = new Map<string, string>()
    const store: GuardStore = {
      get: async (key) => values.get(key),
      set: async (key, value) => values.set(key, value),
      delete: async (key) => values.delete(key),
    }
    const answers = []
    for (let i = 0; i < SPEAKS_AT + 2; i++) {
      const hooks = guardHooks(createGuards({ store }))
      await call(hooks, 'UserPromptSubmit', { prompt: 'continue' })
      answers.push(await turn(hooks))
      await call(hooks, 'Stop', {})
    }
    expect(answers.at(-1)).toMatchObject({ continue: false })
  })

  it('saves the session when a query has its result', async () => {
    const keys: string[] = []
    const store: GuardStore = {
      get: async () => undefined,
      set: async (key) => keys.push(key),
      delete: async () => {},
    }
    const more = { parent_tool_use_id: null, session_id: 'one' }
    const ask = guardQuery(createGuards({ store }), async function* (_: object) {
      yield { type: 'assistant', message: { id: '1', content: [{ text: 'Hi.' }] }, ...more }
      yield { type: 'result', subtype: 'success', ...more }
    })
    for await (const _ of ask({})) expect(_).toBeDefined()
    expect(keys).toEqual(['unloop:one'])
  })
})

it('hears of failures, but not of those that the person caused', async () => {
  const fail = async (more: object) => {
    const guard = createGuard()
    const hooks = guardHooks(guard)
    for (let i = 0; i < 8 && !guard.stopped; i++) {
      const tool = toolOf({ tool_input: { file_path: `part-${i}.ts` } })
      await call(hooks, 'PreToolUse', tool)
      await call(hooks, 'PostToolUseFailure', { ...tool, error: 'this file is locked', ...more })
    }
    return guard.findings.length
  }
  expect(await fail({})).toBeGreaterThan(0)
  expect(await fail({ is_interrupt: true })).toBe(0)
})

it('passes on what the run throws, unless its last message told that it was interrupted', async () => {
  const run = (text: string, hasResult: boolean) => {
    let isInterrupted = false
    const messages = (async function* () {
      const more = { parent_tool_use_id: null, session_id: 'one' }
      for (let i = 0; i < 200 && !isInterrupted; i++) {
        const event = { type: 'content_block_delta', delta: { type: 'text_delta', text } }
        yield { type: 'stream_event', event, ...more }
      }
      if (hasResult) yield { type: 'result', subtype: 'error_during_execution', ...more }
      throw new Error('an error result')
    })()
    return Object.assign(messages, {
      async interrupt() {
        isInterrupted = true
      },
    })
  }
  const count = async (text: string, hasResult: boolean) => {
    let read = 0
    const ask = guardQuery(createGuard(), (_: object) => run(text, hasResult))
    for await (const _ of ask({})) read++
    return read
  }
  const chant = 'I will check the configuration once again. '
  expect(await count(chant, true)).toBeLessThan(100)
  await expect(count(chant, false)).rejects.toThrow('an error result')
  await expect(count('', true)).rejects.toThrow('an error result')
})

it.each([createGuard, createGuards])('guards once what is guarded twice: %o', (create) => {
  const guard = create()
  const seen: { options: { hooks: Hooks } }[] = []
  const query = (params: (typeof seen)[number]) => {
    seen.push(params)
    return (async function* () {})()
  }
  const guarded = guardQuery(guard, query)
  expect(guardQuery(guard, guarded)).toBe(guarded)
  const hooks = guardHooks(guard)
  guarded({ options: { hooks } })
  expect(seen[0]?.options.hooks).toEqual(hooks)
  guardQuery(createGuard(), guarded)({ options: { hooks } })
  expect(seen[1]?.options.hooks.PreToolUse).toHaveLength(2)
})

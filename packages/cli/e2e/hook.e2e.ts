import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createHooks, message } from './hooks.js'

const hooks = createHooks()
afterAll(() => hooks.remove())

const log = () => readFileSync(join(hooks.home, 'hook.log'), 'utf8')

describe('unloop hook', () => {
  const huge = Buffer.alloc(50_000_000, 'x')
  it.each([
    ['nothing', ['claude-code'], '', 'not JSON'],
    ['half a line', ['codex'], '{"session_id":"s1","hook_event_na', 'not JSON'],
    ['50 MB', ['gemini-cli'], huge, '50000000 bytes'],
    ['an unknown event', ['qwen-code'], '{"hook_event_name":"Nap"}', 'nothing to read'],
    ['an unknown agent', ['nobody'], '{}', 'no agent named "nobody"'],
    ['no agent', [], '{}', 'no agent named'],
  ])('lets the agent continue after %s', async (_, agent, input, reason) => {
    expect(await hooks.run(agent, input)).toEqual({ code: 0, signal: null, output: '' })
    expect(log()).toContain(reason)
  })

  it('counts every event of 20 at the same time once', async () => {
    for (let round = 0; round < 3; round++) {
      const ids = Array.from({ length: 20 }, (_, index) => `${round}-${index}`)
      await Promise.all(ids.map((id) => hooks.run(['claude-code'], message('many', id))))
      expect(hooks.count('many')).toBe((round + 1) * 20)
    }
  })
})

import { afterAll, expect, it } from 'vitest'
import { createHooks, message } from './hooks.js'

const hooks = createHooks()
afterAll(() => hooks.remove())

const ROUNDS = Number(process.env.UNLOOP_HOOK_ROUNDS ?? 1000)

it('counts every event of 20 at the same time once, every time', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const ids = Array.from({ length: 20 }, (_, index) => `${round}-${index}`)
    await Promise.all(ids.map((id) => hooks.run(['claude-code'], message('many', id))))
    expect(hooks.count('many')).toBe((round + 1) * 20)
  }
})

it('loses at most the event of a hook that is killed, and stays readable', async () => {
  let ended = 0
  for (let round = 0; round < ROUNDS; round++) {
    const before = hooks.count('killed')
    const { child, end } = hooks.start(['claude-code'], message('killed', `${round}`))
    // somewhere between its start and its end
    const timer = setTimeout(() => child.kill('SIGKILL'), Math.random() * 120)
    const { signal } = await end
    clearTimeout(timer)
    if (signal === null) ended++
    const after = hooks.count('killed')
    expect([before, before + 1]).toContain(after)
    if (signal === null) expect(after).toBe(before + 1)
  }
  // both happened, or this shows nothing
  expect(ended).toBeGreaterThan(0)
  expect(ended).toBeLessThan(ROUNDS)
})

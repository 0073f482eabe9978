import { describe, expect, test } from 'vitest'
import { agentNames } from './agents.js'
import { openLab } from './lab.js'

// qwen-code loses what a command prints that ends within milliseconds, on a busy machine
const add = (left: number, right: number) => `sleep 0.3; expr ${left} + ${right}`

describe.each(agentNames)('%s', (name) => {
  test('runs the commands of the scripted model, and tells it what they printed', async () => {
    await using lab = await openLab(name, (turn) =>
      turn < 2 ? [add(turn, 47110), add(turn, 52110)] : 'Ok.',
    )
    const { code, stdout } = await lab.run('Do two steps')
    expect(code).toBe(0)
    expect(stdout).toContain('Ok.')
    const turns = lab.turns().map((body) => JSON.stringify(body))
    expect(turns).toHaveLength(3)
    for (const printed of ['47110', '52110']) expect(turns[1]).toContain(printed)
    for (const printed of ['47111', '52111']) expect(turns[2]).toContain(printed)
  })
})

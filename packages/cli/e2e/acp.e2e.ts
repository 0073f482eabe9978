import { spawn } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { openClient } from './acp-client.js'
import { type Lab, openLab } from './agents/lab.js'
import type { Wishes } from './agents/model.js'

const AGENTS = {
  // Gemini CLI itself stops a command that is repeated exactly, so two take turns
  'gemini-cli': {
    args: ['--acp', '-m', 'gemini-2.5-pro', '--skip-trust', '--yolo'],
    stuck: (turn: number) => [turn % 2 === 0 ? 'cat nothing.txt' : 'cat missing.txt'],
    most: 9,
  },
  opencode: { args: ['acp'], stuck: () => ['cat nothing.txt'], most: 6 },
} as const

const names = Object.keys(AGENTS) as (keyof typeof AGENTS)[]

const start = (lab: Lab, args: readonly string[], isGuarded: boolean) => {
  const command = [lab.agent.command, ...args]
  const [program = '', ...rest] = isGuarded ? ['unloop', 'acp', '--', ...command] : command
  const child = spawn(program, rest, {
    cwd: lab.project,
    env: lab.env,
    stdio: ['pipe', 'pipe', 'ignore'],
    // a group of its own, so that all of it can be ended
    detached: true,
  })
  return openClient(child, lab.project)
}

describe.each(names)('%s', (name) => {
  const { args, stuck, most } = AGENTS[name]

  test('is stopped when it is stuck; the person is told, and the model with the next prompt', async () => {
    await using lab = await openLab(name, (turn) => (turn < 20 ? stuck(turn) : 'Done.'))
    const editor = await start(lab, args, true)
    const { result } = await editor.prompt('Read nothing.txt')
    expect(result.stopReason).toBe('cancelled')
    expect(editor.questions()).toHaveLength(1)
    expect(editor.text()).toContain('unloop stopped this turn')
    const calls = lab.turns().length
    expect(calls).toBeLessThanOrEqual(most + 1)
    await editor.prompt('Try something else')
    expect(JSON.stringify(lab.turns()[calls])).toContain('A note from unloop')
    // after a cancel during a call, Gemini CLI 0.61 does not end with its stdin, with or without the proxy
    await editor.kill()
  })

  test('is heard unchanged when it is healthy', async () => {
    // what a command prints that ends within milliseconds is lost by some agents on a busy machine
    const healthy: Wishes = (turn) =>
      turn < 8 ? { says: `Step ${turn}. `, runs: [`sleep 0.3; expr ${turn} + 4711`] } : 'Done.'
    const heard: string[][] = []
    for (const isGuarded of [false, true]) {
      await using lab = await openLab(name, healthy)
      const editor = await start(lab, args, isGuarded)
      const { result } = await editor.prompt('Do eight steps')
      expect(result.stopReason).toBe('end_turn')
      expect(await editor.close()).toBe(0)
      heard.push(normalised(editor.lines, lab.project))
    }
    expect(heard[0]?.length).toBeGreaterThan(20)
    expect(heard[1]).toEqual(heard[0])
  })
})

/** The lines without what differs between any two runs: paths, ids, and how often output that is coming in is told. */
const normalised = (lines: readonly string[], project: string): string[] =>
  lines
    .filter((line) => !line.includes('"in_progress"') && !line.includes('available_commands'))
    .map((line) =>
      line
        .replaceAll(project, '/project')
        .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
        .replace(/\b(?:ses|msg|prt)_\w+/g, 'id'),
    )

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type AgentName, agentNames } from './agents/agents.js'
import { type Lab, openLab } from './agents/lab.js'
import type { Wishes } from './agents/model.js'

/** Runs the agent of a lab under `unloop run`. */
const guarded = (lab: Lab, ...options: string[]) =>
  lab.unloop('run', ...options, '--', lab.agent.command, ...lab.agent.headless('Read the file'))

/** What an agent prints with the answer of each call. */
const ANSWERS: Record<AgentName, RegExp> = {
  'claude-code': /"type":"tool_result"/g,
  codex: /"item\.completed".*"command_execution"/g,
  'gemini-cli': /"type":"tool_result"/g,
  opencode: /"type":"tool_use"/g,
  'qwen-code': /"type":"tool_result"/g,
}

/** A lab whose model, like a real one, takes longer than it takes to read what the agent printed. */
async function openPatient(name: AgentName, wishes: Wishes): Promise<Lab> {
  const lab: Lab = await openLab(name, async (turn) => {
    await lab.printed(ANSWERS[name], turn)
    return wishes(turn)
  })
  return lab
}

/** Turns off the detector that Gemini CLI has itself. */
function withoutOwnDetector({ home }: Lab): void {
  const path = join(home, '.gemini/settings.json')
  const settings = readFileSync(path, 'utf8')
  writeFileSync(path, settings.replace('{', '{ "model": { "disableLoopDetection": true },'))
}

/** The processes that work in the folders of a lab, in words. */
const processesOf = ({ home }: Lab) =>
  execFileSync('ps', ['-e', '-ww', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(home))

const forever = (turn: number) => (turn < 20 ? ['cat nothing.txt'] : 'Done.')

test.each(agentNames.filter((name) => name !== 'qwen-code'))(
  '%s is stopped when its model repeats a failing command',
  async (name) => {
    await using lab = await openPatient(name, forever)
    if (name === 'gemini-cli') withoutOwnDetector(lab)
    const report = join(lab.project, 'report.json')
    const { code, stderr } = await guarded(lab, '--report', report)
    expect([code, stderr]).toEqual([3, expect.stringContaining('unloop: stopped')])
    const { outcome, calls, stop } = JSON.parse(readFileSync(report, 'utf8'))
    expect({ outcome, certainty: stop.certainty }).toEqual({
      outcome: 'stopped',
      certainty: 'certain',
    })
    expect(calls).toBeLessThanOrEqual(6)
    expect(lab.turns().length).toBeLessThanOrEqual(7)
    expect(processesOf(lab)).toEqual([])
  },
)

test('qwen-code, which stops such a run itself, keeps its exit code', async () => {
  await using lab = await openLab('qwen-code', forever)
  const { code, stderr } = await guarded(lab)
  expect(code).toBe(1)
  expect(stderr).not.toContain('unloop: stopped')
  expect(lab.turns().length).toBeLessThanOrEqual(6)
})

describe.concurrent.each(agentNames)('%s under unloop run', (name) => {
  test('is stopped when its model alternates between two failing commands', async () => {
    await using lab = await openPatient(name, (turn) =>
      turn < 20 ? [`cat ${turn % 2 ? 'nothing' : 'nowhere'}.txt`] : 'Done.',
    )
    const { code, stderr } = await guarded(lab)
    expect([code, stderr]).toEqual([3, expect.stringContaining('unloop: stopped')])
    expect(lab.turns().length).toBeLessThanOrEqual(9)
    expect(processesOf(lab)).toEqual([])
  })

  test('prints and exits as without it when all is well', async () => {
    // what a command prints that ends within milliseconds is lost by some agents on a busy machine
    const healthy = (turn: number) => (turn < 6 ? [`sleep 0.3; expr ${turn} + 47110`] : 'Ok.')
    await using plain = await openLab(name, healthy)
    await using watched = await openLab(name, healthy)
    const report = join(watched.project, 'report.json')
    const [without, within] = [
      await plain.run('Read the file'),
      await guarded(watched, '--report', report),
    ]
    expect(within.code).toBe(without.code)
    expect(watched.turns()).toHaveLength(plain.turns().length)
    expect(typesIn(within.stdout)).toEqual(typesIn(without.stdout))
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      outcome: 'finished',
      calls: 6,
      loops: [],
      problems: [],
    })
    expect(within.stderr).not.toContain('unloop:')
  })
})

/** The kinds of lines that were printed, in order; ids and times differ from run to run. */
const typesIn = (stdout: string): string[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    // how an answer is cut into pieces, and how its thinking is counted, depends on time
    .filter(({ delta, subtype }) => !delta && subtype !== 'thinking_tokens')
    .map(({ type, subtype }) => [type, subtype].filter(Boolean).join(' '))

import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openClient } from '../acp-client.js'
import { type AgentName, agentNames } from '../agents/agents.js'
import type { Run } from '../agents/lab.js'
import type { Wishes } from '../agents/model.js'
import { readRan } from '../agents/scenarios.js'
import { readLive, readMetric } from './command.js'
import { type GuardedLab, openGuarded } from './guarded-lab.js'
import { headerOf, wireOf } from './hop.js'

const PROMPT = 'Find out what the configuration says'
const NEXT = 'Look at config.txt instead'
const CHANT = 'I will now look at the file and see what it says. '.repeat(600)
const STOPPED = 'The unloop gateway stopped this run: the agent is stuck'
// a model that nobody stops ends by itself, so that each test does
const TURNS = 8

/** The exit code of a run whose request was refused with an error: Gemini CLI ends with the status, of which a byte is left. */
const FAILED: Record<AgentName, number> = {
  'claude-code': 1,
  codex: 1,
  'gemini-cli': 400 % 256,
  'qwen-code': 1,
  opencode: 1,
}

/** Detectors of the agents themselves, which notice the same call before the gateway ends a run that it has told twice. */
const OWN: Partial<Record<AgentName, { code: number; words: string }>> = {
  'gemini-cli': { code: 0, words: 'Loop detected, stopping execution' },
  'qwen-code': { code: 1, words: 'Loop detection halted the run' },
}

// Gemini CLI sends each answer of a tool twice when it resumes a session, which its provider refuses, so it is asked over ACP below
const canResume = (name: AgentName) => name !== 'gemini-cli'

describe.concurrent.each(agentNames)('%s through unloop gateway', (name) => {
  test('respond: the run ends with the words of the gateway, and the next message continues', async () => {
    await using lab = await openStuck(name, 'respond')
    const { code, stdout } = await lab.run(PROMPT)
    expect(stdout).toContain(STOPPED)
    expect(code).toBe(0)
    await expectStopped(lab, 'respond')
    // requests for titles are of the same session
    const { sessions } = await readLive(lab.gateway)
    expect(sessions).toMatchObject([{ agent: name, state: 'stuck', saved: { requests: 1 } }])
    if (canResume(name)) expectAnswered(lab, await lab.resume(NEXT))
  })

  test('error: the run ends with an error, nothing is retried, and the next message continues', async () => {
    await using lab = await openStuck(name, 'error')
    const { code, stdout } = await lab.run(PROMPT)
    expect(stdout).toMatch(/Loop detected: \w+ was called \d times/)
    expect(code).toBe(FAILED[name])
    await expectStopped(lab, 'error')
    if (canResume(name)) expectAnswered(lab, await lab.resume(NEXT))
  })

  test('nudge: the model is told twice before the run ends; a chant after the next message is cut', async () => {
    await using lab = await openStuck(name, 'nudge', CHANT)
    const { code, stdout } = await lab.run(PROMPT)
    expect(stdout).toContain(OWN[name]?.words ?? STOPPED)
    expect(code).toBe(OWN[name]?.code ?? 0)
    if (!OWN[name]) await expectStopped(lab, 'respond')
    expect((await readRan(lab)).length).toBeLessThanOrEqual(6)
    expect(verdictsOf(lab).filter((verdict) => verdict === 'nudge')).toHaveLength(2)
    const told = lab.provider.exchanges.filter(({ body }) =>
      JSON.stringify(body).includes('You have made this exact call several times'),
    )
    expect(told).toHaveLength(2)

    if (!canResume(name)) return
    const next = await lab.resume(NEXT)
    expect(next.code).toBe(0)
    await expectCut(lab, next.stdout)
  })

  test('observe: nothing is changed, and the headers tell', async () => {
    await using lab = await openStuck(name, 'observe')
    const { code, stdout } = await lab.run(PROMPT)
    expect(stdout).toContain(OWN[name]?.words ?? 'Ok.')
    expect(code).toBe(OWN[name]?.code ?? 0)
    expect(await readRan(lab)).toHaveLength(OWN[name] ? 4 : TURNS)
    expect(wireOf(lab.before)).toEqual(wireOf(lab.after))
    expect(new Set(verdictsOf(lab))).toEqual(new Set(['go', 'observe']))
  })
})

describe.concurrent('gemini-cli over ACP, through unloop gateway', () => {
  test.each(['respond', 'error'])(
    '%s: the next message continues, and a chant after it is cut',
    async (mode) => {
      await using lab = await openStuck('gemini-cli', mode, CHANT)
      const editor = await openEditor(lab, [
        '--acp',
        '-m',
        'gemini-2.5-pro',
        '--skip-trust',
        '--yolo',
      ])
      try {
        const first = await editor.prompt(PROMPT)
        if (mode === 'respond') expect(editor.text()).toContain(STOPPED)
        else expect(JSON.stringify(first.error)).toContain('Loop detected: ')
        await expectStopped(lab, mode)
        const { result } = await editor.prompt(NEXT)
        expect(result).toMatchObject({ stopReason: 'end_turn' })
        await expectCut(lab, editor.text())
      } finally {
        await editor.kill()
      }
    },
  )
})

/** A lab whose model makes the same failing call until the person says something else. */
async function openStuck(name: AgentName, mode: string, then = 'Ok.'): Promise<GuardedLab> {
  const wishes: Wishes = (turn) => (turn < TURNS && !isAsked(lab) ? ['./look nothing.txt'] : then)
  const lab: GuardedLab = await openGuarded(name, wishes, '--on-loop', mode)
  await writeFile(join(lab.project, 'look'), LOOK)
  return lab
}

// what a command says right before it ends is lost by qwen-code on a busy machine, and would look like another answer
const LOOK = '#!/bin/sh\necho "$*" >> ../ran.txt\ncat "$@"\nend=$?\nsleep 0.2\nexit $end\n'

const openEditor = ({ agent, project, env }: GuardedLab, args: readonly string[]) =>
  openClient(
    spawn(agent.command, args, {
      cwd: project,
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      // a group of its own, so that all of it can be ended
      detached: true,
    }),
    project,
  )

/** Whether the person has given the second prompt. */
const isAsked = ({ provider }: GuardedLab) =>
  JSON.stringify(provider.exchanges.at(-1)?.body).includes(NEXT)

const verdictsOf = ({ before }: GuardedLab) =>
  before.passed.map((one) => headerOf(one, 'x-unloop-verdict'))

/** A few commands ran, each wanted by the model; then the gateway answered one request in its place, and none came after it. */
async function expectStopped(lab: GuardedLab, verdict: string): Promise<void> {
  const { before, after, gateway } = lab
  const ran = await readRan(lab)
  expect(ran.length).toBeGreaterThan(2)
  expect(ran.length).toBeLessThanOrEqual(6)
  expect(lab.turns()).toHaveLength(ran.length)
  expect(before.passed).toHaveLength(after.passed.length + 1)
  expect(verdictsOf(lab).at(-1)).toBe(verdict)
  expect(before.passed.at(-1)?.answer.status).toBe(verdict === 'error' ? 400 : 200)
  expect(await readMetric(gateway.url, 'outcomes_total', `"${verdict}"`)).toBe(1)
}

function expectAnswered(lab: GuardedLab, { code, stdout }: Run): void {
  expect(stdout).toContain('Ok.')
  expect(code).toBe(0)
  expect(findNext(lab)).toBeDefined()
}

/** The next message got to the model, whose chant was cut; the agent takes what came of it for an answer. */
async function expectCut(lab: GuardedLab, said: string): Promise<void> {
  expect(said).toContain('I will now look at the file')
  expect(said).not.toContain(CHANT.slice(0, CHANT.length / 2))
  expect(await findNext(lab)?.disconnected).toBe(true)
  expect(await readMetric(lab.gateway.url, 'saved_tokens_total')).toBeGreaterThan(0)
}

/** The request with the second prompt, as the provider got it. */
const findNext = ({ provider }: GuardedLab) =>
  provider.exchanges.find(({ body }) => JSON.stringify(body).includes(NEXT))

import { spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../src/agent.js'
import { readSession, type SavedSession } from '../src/session.js'
import { createSessionLog } from '../src/session-log.js'
import { defineTool } from '../src/tool.js'
import { collect } from './collect.js'
import { calling, says, scriptedModel } from './scripted-model.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unloop-session-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const fresh = (): SavedSession => ({
  header: { id: 's1', model: 'test/scripted', folder: '/tmp', createdAt: '2026-11-15T00:00:00Z' },
  entries: [],
  state: undefined,
})
const file = () => join(folder, 'sub', 's1.jsonl')

const lookTool = defineTool({
  name: 'look',
  description: '',
  parameters: z.object({}),
  effect: 'reads',
  execute: () => 'nothing here',
})

function agentAt(saved: SavedSession, turns: Parameters<typeof scriptedModel>[0]) {
  const model = scriptedModel(turns)
  const log = createSessionLog(file(), saved)
  return {
    agent: createAgent({ model, tools: [lookTool], guard: { attended: true }, saved, log }),
    model,
  }
}

describe('a saved conversation', () => {
  it('goes on where it was', async () => {
    const first = agentAt(fresh(), [says('Hello.')])
    await collect(first.agent.sendMessageStream('hi'))
    const second = agentAt(readSession(file()), [says('Yes.')])
    expect(second.agent.history).toEqual(first.agent.history)
    expect(second.agent.usage).toEqual(first.agent.usage)
    await collect(second.agent.sendMessageStream('still there?'))
    expect(second.model.requests[0]?.messages).toHaveLength(3)
    expect(readSession(file()).entries).toHaveLength(4)
  })

  it('keeps the state of the guard: a loop begun before goes on after', async () => {
    const first = agentAt(fresh(), [
      calling(['look']),
      calling(['look']),
      calling(['look']),
      says('hm'),
    ])
    const stream = first.agent.sendMessageStream('go', undefined, 'p1')
    for await (const event of stream) if (event.type === 'turn-start' && event.turn === 3) break
    const second = agentAt(readSession(file()), () => calling(['look']))
    const events = await collect(second.agent.sendMessageStream('go', undefined, 'p1'))
    const warnings = events.filter(({ type }) => type === 'loop_warning')
    const before = events.slice(0, events.indexOf(warnings[0] as never))
    expect(before.filter(({ type }) => type === 'tool-call').length).toBeLessThan(4)
  })

  it('keeps a question that nobody has answered, and the choice works', async () => {
    const first = agentAt(fresh(), () => calling(['look']))
    await collect(first.agent.sendMessageStream('go', undefined, 'p1'))
    const second = agentAt(readSession(file()), [says('I stop.')])
    expect(second.agent.stopped).toEqual(first.agent.stopped)
    second.agent.choose({ type: 'go-back', hint: 'Look elsewhere.' })
    const events = await collect(second.agent.resume())
    expect(events.at(-1)?.type).toBe('finished')
    expect(second.model.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'user'])
  })

  it('keeps a disabled guard disabled', async () => {
    const first = agentAt(fresh(), () => calling(['look']))
    await collect(first.agent.sendMessageStream('go'))
    first.agent.choose({ type: 'disable' })
    expect(agentAt(readSession(file()), [says('x')]).agent.guardMode).toBe('off')
  })

  it('keeps what was only observed, and goes on observing', async () => {
    const turns = [...Array(8).fill(calling(['look'])), says('Nothing.')]
    const first = agentAt(fresh(), turns)
    first.agent.guardMode = 'observe'
    const events = await collect(first.agent.sendMessageStream('go'))
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
    expect(first.agent.guard.findings.length).toBeGreaterThan(0)
    const second = agentAt(readSession(file()), turns)
    expect(second.agent.guardMode).toBe('observe')
    expect(second.agent.stopped).toBeUndefined()
    expect(second.agent.guard.findings).toEqual(first.agent.guard.findings)
    second.agent.guardMode = 'enforce'
    const later = await collect(second.agent.sendMessageStream('again'))
    expect(later.at(-1)).toMatchObject({ type: 'loop_detected' })
  })

  it('keeps what happened while the guard was off when a later loop is gone back from', async () => {
    const first = agentAt(fresh(), [calling(['look']), says('Nothing.')])
    first.agent.guardMode = 'off'
    await collect(first.agent.sendMessageStream('Look once.'))
    const second = agentAt(readSession(file()), () => calling(['look']))
    expect(second.agent.guardMode).toBe('off')
    second.agent.guardMode = 'enforce'
    await collect(second.agent.sendMessageStream('Look again.'))
    const third = agentAt(readSession(file()), [says('Done.')])
    third.agent.choose({ type: 'go-back' })
    expect(third.agent.history.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
  })

  it('begins a new guard where the state of the old one cannot be read, and loses nothing else', async () => {
    await collect(agentAt(fresh(), [says('Hello.')]).agent.sendMessageStream('hi'))
    const saved = readSession(file())
    const broken = { ...saved, state: { ...saved.state, guard: { version: 99 } } as never }
    const { agent } = agentAt(broken, () => calling(['look']))
    const before = agent.history.length
    await collect(agent.sendMessageStream('go'))
    agent.choose({ type: 'go-back' })
    expect(agent.history).toHaveLength(before + 1)
  })

  it('loses only the line that was being written', async () => {
    await collect(agentAt(fresh(), [says('Hello.')]).agent.sendMessageStream('hi'))
    appendFileSync(file(), '{"type":"entry","entry":{"mess')
    expect(readSession(file()).entries).toHaveLength(2)
  })

  it('continues from the last state that can be read', async () => {
    const { agent } = agentAt(fresh(), [says('Hello.')])
    await collect(agent.sendMessageStream('hi'))
    const before = readSession(file()).state
    appendFileSync(file(), '{"type":"state","state":{}}\n{"type":"state","state":{"guard"')
    expect(before?.request).toBe('hi')
    expect(readSession(file()).state).toEqual(before)
  })

  it('that is damaged, missing or something else says so', () => {
    expect(() => readSession(file())).toThrow(
      /there is no saved conversation at this path; got .*s1\.jsonl/,
    )
    createSessionLog(file(), fresh())
    const lines = readFileSync(file(), 'utf8')
    writeFileSync(file(), `${lines}garbage\n${lines}`)
    expect(() => readSession(file())).toThrow('line 4 of')
    writeFileSync(file(), '{"type":"text"}\n')
    expect(() => readSession(file())).toThrow('is not a saved conversation')
    for (const line of [
      '{"type":"entry"}',
      '{"type":"entry","entry":{"message":{"role":"user"}}}',
      '{"type":"entries","entries":5}',
      'null',
    ]) {
      writeFileSync(file(), `${lines}${line}\n${lines}`)
      expect(() => readSession(file()), line).toThrow('line 4 of')
    }
    writeFileSync(file(), lines.replace('"version":1', '"version":2'))
    expect(() => readSession(file())).toThrow('saved by a newer unloop, got version 2')
  })

  it('does not grow without end', async () => {
    const { agent } = agentAt(fresh(), [says('ok')])
    for (let prompt = 0; prompt < 60; prompt++) await collect(agent.sendMessageStream(`${prompt}`))
    const states = readFileSync(file(), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{"type":"state"'))
    expect(states.length).toBeLessThan(45)
    expect(readSession(file()).entries).toHaveLength(120)
  })

  it('survives kill -9 with every turn that was finished', async () => {
    const child = spawn(
      process.execPath,
      [new URL('killed-child.mjs', import.meta.url).pathname, file()],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let turns = 0
    const ended = new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal)))
    for await (const chunk of child.stdout) {
      turns = Number(String(chunk).trim().split('\n').at(-1))
      if (turns >= 5) child.kill('SIGKILL')
    }
    expect(await ended).toBe('SIGKILL')
    const { entries, state } = readSession(file())
    const answers = entries.filter(({ message }) => message.role === 'tool')
    expect(answers.length).toBeGreaterThanOrEqual(turns)
    expect(state?.turn).toBeGreaterThanOrEqual(turns)
  })
})

import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAgent } from '../src/agent.js'
import { readSession, type SavedSession } from '../src/session.js'
import { createSessionLog } from '../src/session-log.js'
import { readSummary } from '../src/session-summary.js'
import { collect } from './collect.js'
import { says, scriptedModel } from './scripted-model.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unloop-summary-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const path = () => join(folder, 's1.jsonl')
const header = { id: 's1', model: 'test/scripted', folder: '/tmp', createdAt: '2026-11-18' }
const fresh = (): SavedSession => ({ header, entries: [], state: undefined })

async function talk(...requests: string[]) {
  const log = createSessionLog(path(), fresh())
  const agent = createAgent({ model: scriptedModel([says('Yes.')]), saved: fresh(), log })
  for (const request of requests) await collect(agent.sendMessageStream(request))
  return { agent, log }
}

describe('the summary of a saved conversation', () => {
  it('has its first request, and counts its messages', async () => {
    await talk('Why does the login fail?', 'And now?')
    expect(readSummary(path())).toEqual({
      ...{ header, request: 'Why does the login fail?', messages: 4 },
      changedAt: expect.any(Number),
    })
  })

  it('has the name that the person gave it, until it is taken away', async () => {
    const { agent, log } = await talk('hi')
    log.rename(' The login \n')
    expect(readSummary(path()).header.name).toBe('The login')
    await collect(agent.sendMessageStream('and?'))
    expect(readSummary(path())).toMatchObject({ header: { name: 'The login' }, messages: 4 })
    const saved = readSession(path())
    expect(saved.header).toEqual({ ...header, name: 'The login' })
    expect(createSessionLog(path(), saved).rename('')).toBeUndefined()
    expect(readSummary(path()).header).toEqual(header)
    expect(readSession(path()).entries).toHaveLength(4)
  })

  it('has its first request also when the history was shortened', async () => {
    const { log } = await talk('Why does the login fail?', 'And now?')
    log.replace(readSession(path()).entries.slice(2))
    expect(readSummary(path())).toMatchObject({ request: 'Why does the login fail?', messages: 2 })
    const again = createSessionLog(path(), readSession(path()))
    again.replace([])
    expect(readSummary(path()).request).toBe('Why does the login fail?')
  })

  it('is that of a new conversation before anything was said', () => {
    createSessionLog(path(), fresh())
    expect(readSummary(path())).toMatchObject({ request: '', messages: 0 })
  })

  it('is the same whether the last line is a summary or not', async () => {
    const request = `${'"\u0000名\n'.repeat(300)}`
    await talk(request, 'And now?')
    const { changedAt: _, ...summary } = readSummary(path())
    expect(summary.request).toBe(request.slice(0, 200))
    const lines = readFileSync(path(), 'utf8')
    // a line that is being written, and a file of an earlier version
    appendFileSync(
      path(),
      `{"type":"entry","entry":{"message":{"role":"user","content":"${'x'.repeat(9)}`,
    )
    expect(readSummary(path())).toMatchObject(summary)
    appendFileSync(path(), 'x'.repeat(5000))
    expect(readSummary(path())).toMatchObject(summary)
    writeFileSync(path(), lines.replace(/^\{"type":"summary".*\n/gm, ''))
    expect(readSummary(path())).toMatchObject(summary)
  })

  it('does not need the middle of the file', async () => {
    await talk('hi')
    const lines = readFileSync(path(), 'utf8').split('\n')
    const damaged = [lines[0], 'garbage', 'x'.repeat(100_000), ...lines.slice(-2)]
    writeFileSync(path(), damaged.join('\n'))
    expect(readSummary(path())).toMatchObject({ request: 'hi', messages: 2 })
  })

  it('says what it is where it is no conversation', () => {
    expect(() => readSummary(path())).toThrow()
    writeFileSync(path(), '{"type":"text"}\n')
    expect(() => readSummary(path())).toThrow('is not a saved conversation')
  })
})

it('results of an earlier version get their outcome when they are read', () => {
  const log = createSessionLog(path(), fresh())
  const result = { type: 'tool-result', id: '1', name: 'look', isError: true }
  const content = [{ ...result, output: 'Not run: the person said no to this call.' }]
  log.append({ message: { role: 'tool', content: content as never }, first: 1, last: 1 })
  expect(readSession(path()).entries[0]?.message.content).toEqual([
    { ...content[0], outcome: 'declined' },
  ])
})

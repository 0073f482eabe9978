import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAgent } from '../src/agent.js'
import { readSession, type SavedSession } from '../src/session.js'
import { createSessionLog } from '../src/session-log.js'
import { collect, ofType } from './collect.js'
import { says, scriptedModel } from './scripted-model.js'

let folder = ''
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'unloop-full-')), 'sessions')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const path = () => join(folder, 's1.jsonl')
const draft = () => `${path()}.${process.pid}.tmp`
const fresh = (): SavedSession => ({
  header: { id: 's1', model: 'test/scripted', folder: '/tmp', createdAt: '2026-11-18' },
  entries: [],
  state: undefined,
})

function start(saved = fresh()) {
  const model = scriptedModel([says('Yes.')])
  const log = createSessionLog(path(), saved)
  return { agent: createAgent({ model, saved, log }), log }
}

// every write to /dev/full fails as on a full disk; other systems have no such file
describe.runIf(existsSync('/dev/full'))('a full disk', () => {
  it('leaves the old file as it is, and nothing else', async () => {
    const { agent } = start()
    await collect(agent.sendMessageStream('hi'))
    const before = readFileSync(path(), 'utf8')
    symlinkSync('/dev/full', draft())
    expect(() => createSessionLog(path(), readSession(path()))).toThrow(
      `cannot write ${path()}: the disk is full`,
    )
    expect(readFileSync(path(), 'utf8')).toBe(before)
    expect(readdirSync(folder)).toEqual(['s1.jsonl'])
  })

  it('is told once, the conversation continues, and is saved whole when there is room', async () => {
    const { agent } = start()
    await collect(agent.sendMessageStream('hi'))
    rmSync(path())
    symlinkSync('/dev/full', path())
    symlinkSync('/dev/full', draft())
    const events = await collect(agent.sendMessageStream('and?'))
    expect(ofType(events, 'fault')).toEqual([
      {
        ...{ type: 'fault', part: 'saving the conversation' },
        message: `cannot write ${path()}: the disk is full`,
      },
    ])
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
    expect(readSession(path()).entries).toHaveLength(4)
    expect(readdirSync(folder)).toEqual(['s1.jsonl'])
  })
})

describe('a folder that is gone', () => {
  it('is told once, whatever is to be written', async () => {
    const { agent } = start()
    renameSync(folder, `${folder}.away`)
    const first = await collect(agent.sendMessageStream('hi'))
    agent.setModel(scriptedModel([says('Yes.')]))
    agent.guardMode = 'observe'
    const second = await collect(agent.sendMessageStream('and?'))
    expect(ofType([...first, ...second], 'fault')).toHaveLength(1)
    expect(second.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
    mkdirSync(folder)
    await collect(agent.sendMessageStream('once more'))
    expect(readSession(path()).entries).toHaveLength(6)
    expect(ofType(first, 'fault')[0]?.message).toContain('cannot write')
  })
})

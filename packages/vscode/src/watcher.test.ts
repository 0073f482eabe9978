import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createOracle } from '@unloop/testing'
import { MAX_FOLLOWED } from '@unloop/transcripts'
import { defineDetector, detectors } from 'unloop'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Found } from './found.js'
import { type WatchLoopsOptions, watchLoops } from './watcher.js'

let home: string
let workspace: string
let end: AbortController
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'unloop-watcher-'))
  workspace = join(home, 'shop')
  mkdirSync(workspace)
  end = new AbortController()
})
afterEach(() => {
  end.abort()
  rmSync(home, { recursive: true })
})

/** Waits for it, however busy the machine is. */
const soon = <T>(ask: () => T) => expect.poll(ask)

/** The lines of Claude Code for one call and its answer. */
function claudeCall(number: number, cwd = workspace): string {
  const common = { sessionId: 'abcdef0123', cwd, isSidechain: false, version: '2.0.0' }
  const [asked, answered] = [`a${number}`, `u${number}`]
  const parentUuid = number === 0 ? 'u' : `u${number - 1}`
  const call = { type: 'tool_use', id: `t${number}`, name: 'Read', input: { file_path: 'a.ts' } }
  const answer = { type: 'tool_result', tool_use_id: `t${number}`, content: 'export const a = 1' }
  const message = { id: `m${number}`, role: 'assistant', model: 'claude', content: [call] }
  return [
    { type: 'assistant', uuid: asked, parentUuid, ...common, message },
    {
      ...{ type: 'user', uuid: answered, parentUuid: asked, ...common },
      message: { role: 'user', content: [answer] },
    },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}

const claudePrompt = (cwd = workspace) =>
  `${JSON.stringify({
    ...{ type: 'user', uuid: 'u', parentUuid: null, sessionId: 'abcdef0123', cwd },
    message: { role: 'user', content: 'Why does it fail?' },
  })}\n`

const claudeCalls = (count: number, cwd?: string) =>
  Array.from({ length: count }, (_, number) => claudeCall(number, cwd)).join('')

function claudeFile(name: string): string {
  const path = join(home, `.claude/projects/-shop/${name}.jsonl`)
  mkdirSync(dirname(path), { recursive: true })
  return path
}

/** Watches, once all that is there has been read: one old transcript at least. */
async function watch(options: Partial<WatchLoopsOptions> = {}) {
  const found: { found: Found; isDue: boolean }[] = []
  const problems: string[] = []
  const followed: string[] = []
  const faults: string[] = []
  const open = new Set<string>()
  const old = claudeFile('old')
  writeFileSync(old, claudePrompt() + claudeCalls(8))
  watchLoops({
    folders: [workspace],
    env: {},
    home,
    guard: {},
    signal: end.signal,
    onFound: (one, isDue) => found.push({ found: one, isDue }),
    onFollow: (path) => {
      followed.push(path)
      open.add(path)
    },
    onLeave: (path) => open.delete(path),
    onProblem: (message) => problems.push(message),
    onFault: (text) => faults.push(text),
    scanMs: 20,
    ...options,
  })
  await soon(() => followed).toContain(old)
  expect(found).toEqual([])
  return { found, problems, followed, faults, open }
}

/** The loops that are certain, each the first time that it was told of. */
const newsOf = (found: readonly { found: Found; isDue: boolean }[]) =>
  found.filter(({ found: { finding }, isDue }) => isDue && finding.certainty === 'certain')

/** Appends a call to a transcript, dated later than those of the others. */
function goOn(path: string, number: number) {
  appendFileSync(path, claudeCall(number))
  const later = new Date(Date.now() + number * 10)
  utimesSync(path, later, later)
}

describe('among more transcripts than are followed', () => {
  /** So many sessions of this folder, silent for some minutes, the first one longest. */
  function sessions(count: number): string[] {
    return Array.from({ length: count }, (_, at) => {
      const path = claudeFile(`session-${String(at).padStart(3, '0')}`)
      writeFileSync(path, claudePrompt() + claudeCall(0))
      const modifiedAt = new Date(Date.now() - (count - at + 60) * 1000)
      utimesSync(path, modifiedAt, modifiedAt)
      return path
    })
  }

  const pathsOf = (found: { found: Found }[]) =>
    new Set(found.map(({ found: { place } }) => place.type === 'transcript' && place.path))

  it('one that was let go and comes back is not told of twice', async () => {
    const { found, followed, open } = await watch()
    const path = claudeFile('back')
    writeFileSync(path, claudePrompt() + claudeCalls(6))
    await soon(() => pathsOf(found)).toContain(path)
    for (const [at, other] of sessions(MAX_FOLLOWED + 5).entries()) goOn(other, at + 1)
    await soon(() => open.has(path)).toBe(false)
    const times = followed.filter((one) => one === path).length
    goOn(path, 1000)
    await soon(() => followed.filter((one) => one === path).length).toBeGreaterThan(times)
    expect(newsOf(found)).toHaveLength(1)
  })

  it('those of other folders take no room', async () => {
    const { found, open } = await watch()
    for (let at = 0; at < 200; at++) {
      writeFileSync(claudeFile(`other-${at}`), claudePrompt('/other') + claudeCalls(2, '/other'))
    }
    const path = claudeFile('ours')
    writeFileSync(path, claudePrompt() + claudeCalls(8))
    await soon(() => [...pathsOf(found)]).toEqual([path])
    await soon(() => open.size).toBe(2)
  })
})

it('a part of the guard that fails is told of once, and the rest goes on', async () => {
  const throwing = defineDetector({
    ...{ name: 'broken', finds: '', advice: '', stage: 'stable', plane: 'calls' },
    ...{ on: ['tool-call'], options: {} },
    start: () => ({}),
    observe() {
      throw new Error('it broke')
    },
    pressure: () => ({ pressure: 0, count: 0, limit: 1 }),
  })
  const guard = { detectors: [throwing(), ...detectors] }
  const { found, faults } = await watch({ guard })
  const path = claudeFile('new')
  writeFileSync(path, claudePrompt() + claudeCalls(8))
  await soon(() => found.length).toBeGreaterThan(0)
  expect(faults).toEqual(['broken: it broke'])
})

describe('watching', () => {
  it('tells of a loop that grows in a transcript each time it has doubled, and where it is', async () => {
    const { found, problems, followed } = await watch()
    const path = claudeFile('new')
    writeFileSync(path, claudePrompt() + claudeCall(0))
    await soon(() => followed).toContain(path)
    for (let number = 1; number < 20; number++) appendFileSync(path, claudeCall(number))
    await soon(() => found.at(-1)?.found.finding.count).toBe(20)
    const [first, ...others] = newsOf(found)
    expect(others.map((one) => one.found.finding.count)).toEqual([8, 16])
    expect(first?.found).toMatchObject({
      finding: { detector: 'repeated-call', tool: 'Read', count: 4 },
      place: {
        type: 'transcript',
        path,
        program: 'claude-code',
        title: 'Claude Code',
        since: 2,
        line: 8,
      },
    })
    expect(problems).toEqual([])
  })

  it('tells of a loop that was likely once more when it is certain', async () => {
    const oracle = createOracle('tool-call', (_, count) => (count > 4 ? 'certain' : 'likely'))
    const { found } = await watch({ guard: { detectors: [oracle] } })
    writeFileSync(claudeFile('new'), claudePrompt() + claudeCalls(8))
    await soon(() => found.length).toBe(5)
    expect(found.map(({ found: { finding }, isDue }) => [finding.certainty, isDue])).toEqual([
      ['likely', true],
      ['certain', true],
      ...Array(3).fill(['certain', false]),
    ])
  })

  it('tells all of a transcript that is begun later', async () => {
    const { found } = await watch()
    writeFileSync(claudeFile('new'), claudePrompt() + claudeCalls(6))
    await soon(() => found.length).toBeGreaterThan(0)
  })

  it('leaves other projects alone', async () => {
    const { found } = await watch()
    writeFileSync(claudeFile('other'), claudePrompt('/other') + claudeCalls(8, '/other'))
    const codex = join(home, '.codex/sessions/2026/11/15/rollout-1-x.jsonl')
    mkdirSync(dirname(codex), { recursive: true })
    writeFileSync(codex, codexLines(Date.now() + 1000))
    // a session of yesterday that is taken up again: what it did then is no news
    writeFileSync(codex.replace('-1-', '-2-'), codexLines(Date.now() - 86_400_000))
    await soon(() => found.length).toBeGreaterThan(0)
    const paths = found.map(({ found: { place } }) => place.type === 'transcript' && place.path)
    expect(new Set(paths)).toEqual(new Set([codex]))
  })
})

function codexLines(at: number): string {
  const call = (id: string) => [
    { type: 'function_call', name: 'shell', arguments: '{"command":["cat","a.ts"]}', call_id: id },
    { type: 'function_call_output', call_id: id, output: 'export const a = 1' },
  ]
  return [
    { type: 'session_meta', payload: { id: 's', cwd: workspace, source: 'cli' } },
    ...Array.from({ length: 8 }, (_, i) => call(`c${i}`))
      .flat()
      .map((payload) => ({ type: 'response_item', payload })),
  ]
    .map((line) => `${JSON.stringify({ timestamp: new Date(at).toISOString(), ...line })}\n`)
    .join('')
}

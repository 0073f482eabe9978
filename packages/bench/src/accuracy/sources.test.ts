import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentEvent } from 'unloop'
import { afterAll, expect, test } from 'vitest'
import { filesIn } from './corpus.js'
import { readSources, type SourceRun } from './sources.js'

const folder = mkdtempSync(join(tmpdir(), 'loopbench-corpus-'))
afterAll(() => rmSync(folder, { recursive: true }))

const events: AgentEvent[] = [
  { type: 'prompt', text: 'Read a.' },
  { type: 'tool-call', id: '1', name: 'read', args: { path: 'a' } },
  { type: 'tool-result', id: '1', output: 'text of a' },
]
const lines = (...records: object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('')
const run = (id: string, outcome: unknown) => ({ id, source: 's', outcome, events })

writeFileSync(
  join(folder, 'trajectories.jsonl'),
  lines(run('loop', 'success'), run('going', null), run('honest', null), run('unsure', 'success')),
)
writeFileSync(join(folder, 'trajectories-2.jsonl'), lines(run('unread', 'failure')))
writeFileSync(
  join(folder, 'labels.jsonl'),
  lines(
    { id: 'loop', loop: true, kind: 'k', evident_at: 2, unsure: false },
    { id: 'going', loop: true, kind: 'k', evident_at: 2, unsure: false, stop: false },
    { id: 'honest', loop: false, kind: 'none', evident_at: null, unsure: false },
    { id: 'unsure', loop: true, kind: 'k', evident_at: 1, unsure: true },
  ),
)
writeFileSync(join(folder, 'native.jsonl'), lines(run('native', 'success')))
writeFileSync(join(folder, 'texts.jsonl'), lines({ id: 'text', text: 'One sentence.' }))
writeFileSync(join(folder, 'logs.jsonl'), lines({ id: 'log', text: '10:00 started' }))
writeFileSync(join(folder, 'degenerate-2.jsonl'), lines({ id: 'runaway', text: 'no no no' }))
const sessions = join(folder, 'raw')
mkdirSync(join(sessions, 'unloop'), { recursive: true })
writeFileSync(join(sessions, 'unloop', 'session.jsonl'), lines(...events))
execFileSync('tar', ['-czf', join(folder, 'sessions.tar.gz'), '-C', sessions, '.'])

test('a corpus is read whole, and each run counts where it belongs', async () => {
  const runs = await collect(folder)
  const belongs = Object.fromEntries(runs.map(({ id, sections }) => [id, sections]))
  expect(belongs).toEqual({
    loop: ['labelled'],
    going: ['labelled'],
    honest: ['labelled'],
    // a loop nobody is sure of is neither, though the run succeeded
    unsure: ['other'],
    unread: ['other'],
    native: ['native'],
    'unloop/session.jsonl': ['sessions'],
    text: ['ordinary'],
    log: ['ordinary'],
    runaway: ['degenerate'],
  })
  const loop = runs.find(({ id }) => id === 'loop')
  expect(loop).toMatchObject({ loop: true, evidentAt: 2 })
  expect(loop).not.toHaveProperty('stopWanted')
  expect(runs.find(({ id }) => id === 'going')).toMatchObject({ loop: true, stopWanted: false })
  expect(runs.find(({ id }) => id === 'honest')).not.toHaveProperty('evidentAt')
})

test('a raw session is read through its transcript', async () => {
  const session = (await collect(folder)).find(({ sections }) => sections.includes('sessions'))
  expect(session?.events.map(({ type }) => type)).toEqual(['prompt', 'tool-call', 'tool-result'])
})

test('a folder without runs is refused', () => {
  expect(() => filesIn(sessions)).toThrow(/trajectories\.jsonl\.gz, got/)
})

async function collect(place: string): Promise<SourceRun[]> {
  const runs: SourceRun[] = []
  for await (const one of readSources({ ...filesIn(place), seed: 1, perKind: 0 })) runs.push(one)
  return runs
}

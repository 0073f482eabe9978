import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { claudeCall, claudePrompt } from '../e2e/transcript.js'
import type { WatchedLoop } from './found.js'
import { toDocument } from './transcript-document.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unloop-document-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const loopIn = (path: string, since: number, line: number): WatchedLoop => ({
  at: 0,
  finding: {
    ...{ detector: 'repeated-call', kind: 'same-answer', certainty: 'certain', advice: '' },
    ...{ detail: 'Read was called 4 times', identity: 'x', count: 4, period: 1, strike: 1 },
    ...{ firstEvent: 0, lastEvent: 9, sample: '', action: 'warn' },
    wasted: { events: 4, characters: 0 },
  },
  place: {
    ...{ type: 'transcript', path, since, line, session: '5e55104', project: folder },
    ...{ program: 'claude-code', title: 'Claude Code' },
  },
})

it('shows the loop of a session of more than 50 MB, and where it is', async () => {
  const path = join(folder, 'session.jsonl')
  writeFileSync(path, claudePrompt(folder))
  const big = 'x'.repeat(1_000_000)
  for (let at = 0; at < 55; at++) appendFileSync(path, claudeCall(at, folder, `${at}.ts`, big))
  for (let at = 55; at < 60; at++) appendFileSync(path, claudeCall(at, folder, 'same.ts'))
  expect(statSync(path).size).toBeGreaterThan(50 * 1024 * 1024)
  const { text, first, last } = await toDocument(loopIn(path, 112, 119))
  const lines = text.split('\n')
  expect(text.length).toBeLessThan(2_000_000)
  expect(lines[first - 1]).toContain('Read')
  expect(lines.slice(first - 1, last).join('\n')).toContain('same.ts')
  expect(text).toContain('Read was called 4 times')
})

it('masks secrets', async () => {
  const path = join(folder, 'session.jsonl')
  const key =
    'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefghijklmn-AAAAAAAA'
  writeFileSync(path, claudePrompt(folder) + claudeCall(0, folder, 'a.ts', `KEY=${key}`))
  const { text } = await toDocument(loopIn(path, 2, 3))
  expect(text).toContain('KEY=')
  expect(text).not.toContain(key)
})

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { listFolder, transcriptLocations } from '../src/index.js'
import { fixture, readAll, readText, told } from './read.js'
import { nothing, type Tally, tallyOf } from './tally.js'

const FOLDER = 'cursor/projects/home-ada-shop/agent-transcripts'
const SESSION = '4113a71f-0d3c-4e0e-9d4a-0c5b3e0f7a01'
const HELPER = '9c20b7d1-6a44-4d0b-8f0e-2f1c5a7b0b02'
const MAIN = fixture(`${FOLDER}/${SESSION}/${SESSION}.jsonl`)
const HELPERS = fixture(`${FOLDER}/${SESSION}/subagents/${HELPER}.jsonl`)
const TEXT = fixture(`${FOLDER}/77a0e6b2-1d52-4b0c-9f5d-3d8f4c1e2b03.txt`)

describe('a transcript of Cursor', () => {
  it('tells messages and calls', async () => {
    const { items, events, summary } = await readAll(MAIN)
    expect(summary).toMatchObject({ format: 'cursor', records: 10, used: 10, bad: 0 })
    expect(items[0]?.run).toEqual({
      format: 'cursor',
      program: 'cursor',
      session: SESSION,
      project: '/home/ada/shop',
      outcome: { kind: 'aborted', status: 'aborted' },
    })
    expect(told(events)).toEqual([
      'prompt Why does the checkout test fail?',
      'turn-start',
      'text I will look.',
      'call  Read {"path":"/home/ada/shop/checkout.test.ts"}',
      'call  Shell {"command":"npm test","description":"Run the tests"}',
      'turn-start',
      'call  StrReplace {"path":"/home/ada/shop/checkout.ts","old_string":"a","new_string":"b"}',
      'result undefined failed "Error: old_string was not found."',
      'turn-start',
      'call  Task {"description":"Find the total","prompt":"Find the total.","subagent_type":"explore"}',
      'turn-start',
      'text It fails because of the total.',
      'turn-end',
      'prompt Fix it.',
      'turn-start',
      'call  Shell {"command":"npm test"}',
      'turn-end',
    ])
  })

  it('knows whose sub-agent it is', async () => {
    const { items } = await readAll(HELPERS)
    expect(items[0]?.run).toMatchObject({
      session: HELPER,
      agent: HELPER,
      parent: SESSION,
      outcome: { kind: 'finished', status: 'success' },
    })
    expect(items[0]?.event.agent).toBe(HELPER)
  })

  it.each([MAIN, HELPERS])('adds up to what a script counts: %s', async (path) => {
    const { items } = await readAll(path)
    expect(tallyOf(items)).toEqual(counted(readFileSync(path, 'utf8')))
  })

  it('was a text before', async () => {
    const { items, events, summary } = await readAll(TEXT)
    expect(summary).toMatchObject({ format: 'cursor-text', records: 8, bad: 0 })
    expect(items[0]?.run).toMatchObject({ program: 'cursor', project: '/home/ada/shop' })
    expect(told(events)).toEqual([
      'prompt Why does the checkout test fail?',
      'turn-start',
      'reasoning The test may read a fixture.',
      'call  Read {"path":"/home/ada/shop/checkout.test.ts"}',
      'result Read "test(\'checkout\', () => {})"',
      'call  Shell {"command":"npm test","description":"Run the tests"}',
      'result Shell undefined',
      'turn-start',
      'text It fails because of the total.',
    ])
    const raw = readFileSync(TEXT, 'utf8')
    const count = (mark: string) => raw.split(`\n${mark}`).length - 1
    expect(tallyOf(items)).toEqual({
      ...nothing(),
      prompts: raw.split('<user_query>').length - 1,
      turns: count('assistant:'),
      calls: count('[Tool call]'),
      results: count('[Tool result]'),
    })
  })

  it('is not any text with a person in it', async () => {
    const { summary } = await readText('user:\nHello\n\nassistant:\nHello\n', {}, 'chat.txt')
    expect(summary.problem?.code).toBe('unknown-format')
  })

  it('is found, whether flat, in a folder, or of a sub-agent', async () => {
    const found = []
    for await (const { path } of listFolder(fixture('cursor'))) found.push(path)
    expect(found.sort()).toEqual([HELPERS, MAIN, TEXT].sort())
    const lines = transcriptLocations({ CURSOR_CONFIG_DIR: '/c' }, 'linux', '/home/ada').find(
      ({ program, files }) => program === 'cursor' && files.source.includes('jsonl'),
    )
    expect(lines?.path).toBe('/c/projects')
    for (const path of ['1.jsonl', '1/1.jsonl', '1/subagents/2.jsonl']) {
      expect(lines?.files.test(`shop/agent-transcripts/${path}`)).toBe(true)
    }
    expect(lines?.files.test('shop/terminals/1.jsonl')).toBe(false)
  })
})

/** Counts without the reader. */
function counted(text: string): Tally {
  const sum = nothing()
  for (const line of text.trim().split('\n')) {
    const { role, message } = JSON.parse(line)
    const types = message?.content.map(({ type }: { type: string }) => type) ?? []
    if (role === 'assistant') sum.turns++
    if (role === 'user' && types.includes('text')) sum.prompts++
    sum.calls += types.filter((type: string) => type === 'tool_use').length
    sum.results += types.filter((type: string) => type === 'tool_result').length
    sum.errors += line.split('"is_error":true').length - 1
  }
  return sum
}

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { HookEvent, Payload } from './coding-agent.js'
import { codingAgentNamed } from './index.js'

// what the real programs told their hooks, see scripts/record-agents.mjs
function readRecorded(agent: string): HookEvent[] {
  const path = new URL(`../../test/fixtures/hooks/${agent}.jsonl`, import.meta.url)
  const payloads = readFileSync(path, 'utf8').trim().split('\n')
  return payloads.flatMap(
    (line) => codingAgentNamed(agent)?.read(JSON.parse(line) as Payload) ?? [],
  )
}

/** An event in a line. */
function brief({ event }: HookEvent): string {
  if (event.type === 'tool-call') return `call ${(event.args as { command: string }).command}`
  if (event.type === 'tool-result') {
    const output = JSON.stringify(event.output)
    const isHello = /(?:Output: |^"|"stdout":")hello/.test(output)
    const answer = output.includes('No such file') ? 'missing' : isHello ? 'hello' : ''
    return `${event.isError ? 'failed' : 'answer'} ${answer}`.trimEnd()
  }
  return 'text' in event ? `${event.type} ${event.text}` : event.type
}

const LAST = 'text The file a.txt says hello. There is no nothing.txt.'

describe('the recorded events of', () => {
  it('Claude Code', () => {
    expect(readRecorded('claude-code').map(brief)).toEqual([
      'prompt Read the files',
      'text I will look at the files.',
      'call echo hello > a.txt',
      'answer',
      'call cat nothing.txt',
      'failed missing',
      'turn-start',
      'call cat a.txt',
      'answer hello',
      'turn-start',
      'call cat nothing.txt',
      'failed missing',
      'turn-start',
      LAST,
      LAST,
    ])
  })

  it('Codex', () => {
    const told = readRecorded('codex').map(brief)
    // both calls of the first round are announced before either is answered
    expect(told.slice(1, 3).toSorted()).toEqual(['call cat nothing.txt', 'call echo hello > a.txt'])
    expect(told.slice(3, 5).toSorted()).toEqual(['answer', 'answer missing'])
    expect([told[0], ...told.slice(5)]).toEqual([
      'prompt Read the files',
      'call cat a.txt',
      'answer hello',
      'call cat nothing.txt',
      'answer missing',
      LAST,
    ])
  })

  it('Gemini CLI', () => {
    const told = readRecorded('gemini-cli').map(brief)
    expect(told.slice(1, 3).toSorted()).toEqual(['call cat nothing.txt', 'call echo hello > a.txt'])
    expect(told.slice(3, 5).toSorted()).toEqual(['answer', 'failed missing'])
    expect([told[0], ...told.slice(5)]).toEqual([
      'prompt Read the files',
      'call cat a.txt',
      'answer hello',
      'call cat nothing.txt',
      'failed missing',
    ])
  })

  it('qwen-code', () => {
    expect(readRecorded('qwen-code').map(brief)).toEqual([
      'prompt Read the files',
      'call echo hello > a.txt',
      'answer',
      'call cat nothing.txt',
      'failed missing',
      'turn-start',
      'call cat a.txt',
      'answer hello',
      'turn-start',
      'call cat nothing.txt',
      'failed missing',
      'turn-start',
      LAST,
    ])
  })

  it.each(['claude-code', 'codex', 'qwen-code'])(
    '%s, in which answers name their calls',
    (agent) => {
      const events = readRecorded(agent).map(({ event }) => event)
      const ids = (type: string) =>
        events.flatMap((event) => (event.type === type && 'id' in event ? event.id : []))
      expect(ids('tool-call')).toHaveLength(4)
      expect(ids('tool-result').toSorted()).toEqual(ids('tool-call').toSorted())
    },
  )
})

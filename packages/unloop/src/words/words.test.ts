import { describe, expect, it } from 'vitest'
import type { Finding } from '../finding.js'
import { CHOICES, choicesOf, describeChoice, factsOf, inEnglish, wordsOf } from './index.js'

const finding: Finding = {
  ...{ detector: 'repeated-call', kind: 'same-answer', certainty: 'certain' },
  ...{ detail: 'search was called 4 times', advice: 'Try something else.', identity: 'x' },
  ...{ count: 4, period: 1, firstEvent: 3, lastEvent: 9, sample: '{"query":"login"}', strike: 3 },
  ...{ action: 'ask', wasted: { events: 7, characters: 0, tokens: 1200 } },
}

describe('choices', () => {
  it('have the same order and keys everywhere, whatever is offered', () => {
    const keys = (words: ReturnType<typeof choicesOf>) => words.map(({ name, key }) => name + key)
    expect(keys(choicesOf({ tool: 'search' }))).toEqual([
      ...['stop1', 'continue-once2', 'allow3', 'hint4', 'go-back5', 'disable6'],
    ])
    expect(keys(choicesOf({ tool: 'search', offered: ['disable', 'allow', 'stop'] }))).toEqual([
      ...['stop1', 'allow3', 'disable6'],
    ])
  })

  it('offer to allow a tool only where there is one', () => {
    expect(choicesOf().map(({ name }) => name)).not.toContain('allow')
    expect(wordsOf('allow', { tool: 'search' }).label).toBe('Allow search')
  })

  it('each say what they will do and what they did, in whole sentences', () => {
    for (const name of CHOICES) {
      expect(wordsOf(name, { tool: 'search' }).effect).toMatch(/^[A-Z].*\.$/)
      expect(describeChoice({ type: name, tool: 'search', text: 'Look.' })).toMatch(/^[A-Z].*\.$/)
    }
  })

  it('speak the language of the person', () => {
    const t = (text: string, ...values: (string | number)[]) =>
      inEnglish(text, ...values).toUpperCase()
    expect(wordsOf('allow', { tool: 'search', t }).label).toBe('ALLOW SEARCH')
    expect(factsOf(finding, { t }).map(({ label }) => label)).toContain('COST')
  })
})

describe('facts', () => {
  it('are told in one order, without those that are not known', () => {
    expect(factsOf(finding, { since: { turn: 2, agoMs: 12_000 }, dollars: 0.02 })).toEqual([
      { name: 'what', label: 'What', value: 'search was called 4 times' },
      { name: 'seen', label: 'Seen', value: '{"query":"login"}' },
      { name: 'times', label: 'Times', value: '4, since turn 2, 12 s ago' },
      { name: 'cost', label: 'Cost', value: '7 events, 1,200 tokens, about $0.02' },
      { name: 'rule', label: 'Rule', value: 'repeated-call (same-answer)' },
      { name: 'advice', label: 'Advice', value: 'Try something else.' },
      { name: 'then', label: 'Then', value: 'the agent was stopped' },
    ])
    const judged = { ...finding, count: 1, sample: '', wasted: { events: 0, characters: 0 } }
    expect(factsOf(judged).map(({ name }) => name)).toEqual(['what', 'rule', 'advice', 'then'])
  })

  it('say the truth about a call that was to be refused', () => {
    const block = { ...finding, action: 'block' as const }
    const then = (call?: 'refused' | 'ran') => factsOf(block, { call }).at(-1)?.value
    expect(then('refused')).toBe('the call was refused')
    expect(then('ran')).toBe('the call had run; its answer was withheld')
    expect(then()).toBe('the model was told')
  })

  it('show nothing that is to be left out', () => {
    const shown = factsOf(finding, { clean: (text) => text.replaceAll('login', '…') })
    expect(JSON.stringify(shown)).not.toContain('login')
  })
})

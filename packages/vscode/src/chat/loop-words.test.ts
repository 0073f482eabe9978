import type { Finding } from 'unloop'
import { inEnglish } from 'unloop/words'
import { describe, expect, it } from 'vitest'
import type { ChatItem } from './item.js'
import { describeCounts, loopWordsOf, toLogLine } from './loop-words.js'

const certain: Finding = {
  ...{ detector: 'failing', kind: 'errors', certainty: 'certain', detail: 'it failed' },
  ...{
    advice: '',
    identity: 'x',
    count: 4,
    period: 1,
    firstEvent: 0,
    lastEvent: 9,
    sample: '',
    strike: 1,
  },
  ...{ action: 'block', wasted: { events: 4, characters: 0 } },
}
const likely: Finding = { ...certain, certainty: 'likely', action: 'warn' }

describe('a finding', () => {
  it('is counted with those of its kind', () => {
    expect(describeCounts([], inEnglish)).toBe('')
    expect(describeCounts([likely], inEnglish)).toBe('1 struggling')
    expect(describeCounts([likely, certain, certain], inEnglish)).toBe('2 stuck, 1 struggling')
  })

  it('is a line of the log that says which it is', () => {
    expect(toLogLine(likely)).toMatch(/^struggling, the model is told: failing \(errors\): it/)
    expect(toLogLine(certain)).toMatch(/^loop block: failing \(errors\): it failed/)
    expect(toLogLine({ ...certain, action: 'ask' })).toMatch(/^loop detected: /)
  })
})

describe('the card of a loop', () => {
  const call = (at: number, path: string): ChatItem => ({
    ...{ type: 'call', id: `c${at}`, name: 'read', args: `path: ${path}`, state: 'done' },
    ...{ output: 'one\n  two', numbers: [at, at + 1] },
  })
  const loop: ChatItem = { type: 'loop', id: 'l', finding: certain, at: 1, dollars: 1.5 }
  const wordsFor = (item: ChatItem, items: ChatItem[] = []) =>
    loopWordsOf(item, items, inEnglish).loop

  it('has the choices with their keys and what they will do', () => {
    expect(wordsFor(loop)?.choices.map(({ key, name }) => `${key} ${name}`)).toEqual([
      ...['1 stop', '2 continue-once', '4 hint', '5 go-back', '6 disable'],
    ])
    const withTool: ChatItem = { ...loop, finding: { ...certain, tool: 'read' } }
    expect(wordsFor(withTool)?.choices[2]).toMatchObject({
      ...{ key: '3', name: 'allow', label: 'Allow read' },
      effect: expect.stringContaining('not reported'),
    })
  })

  it('says what it cost, in dollars if they are known', () => {
    const cost = wordsFor(loop)?.facts.find(({ name }) => name === 'cost')?.value
    expect(cost).toBe('4 events, about $1.50')
  })

  it('says that nothing was done where the guard only observes', () => {
    const observed: ChatItem = { type: 'warning', finding: certain, at: 1, isObserved: true }
    expect(wordsFor(observed)).toMatchObject({ choices: [] })
    expect(wordsFor(observed)?.facts.at(-1)?.value).toContain('nothing was done')
  })

  it('has the last calls of the loop, each in one line, and no others', () => {
    const items = [-2, 0, 2, 4, 6, 8, 9, 10, 12].map((at) => call(at, `${at}.ts`))
    expect(wordsFor(loop, items)?.calls).toMatchObject(
      [0, 2, 4, 6, 8, 9].map((at) => ({ args: `path: ${at}.ts`, answer: 'one two' })),
    )
  })
})

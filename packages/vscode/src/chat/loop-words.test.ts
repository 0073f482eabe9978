import type { Finding } from 'unloop'
import { describe, expect, it } from 'vitest'
import { inEnglish } from '../translate.js'
import { describeCounts, describeState, toLogLine } from './loop-words.js'

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
  it('is of one that struggles, or of one that is stuck', () => {
    expect(describeState(likely, inEnglish)).toBe('struggling')
    expect(describeState(certain, inEnglish)).toBe('stuck')
  })

  it('of a chat that was saved before there were two kinds is of one that is stuck', () => {
    const { certainty: _, ...old } = certain
    expect(describeState(old as Finding, inEnglish)).toBe('stuck')
  })

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

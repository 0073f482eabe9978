import type { Finding } from 'unloop'
import { describe, expect, it } from 'vitest'
import { evidenceOf, listFindings } from './evidence.js'

const verdict: Finding = {
  detector: 'judge',
  kind: 'unproductive',
  certainty: 'certain',
  detail: 'a model is 95% sure that the agent made no progress lately: it reads and reads',
  advice: 'Try a different way.',
  identity: 'judge:judge',
  count: 1,
  period: 1,
  firstEvent: 40,
  lastEvent: 120,
  sample: 'it reads and reads',
  strike: 3,
  action: 'ask',
  wasted: { events: 81, characters: 0, tokens: 900 },
}

const since = { turn: 12, agoMs: 3000 }
const namesOf = (finding: Finding) => evidenceOf(finding, since).map(({ name }) => name)

describe('the evidence of a loop', () => {
  it('that was counted has how often it was seen, since when', () => {
    const finding = { ...verdict, count: 4, sample: 'read({})' }
    expect(namesOf(finding)).toEqual(['what', 'seen', 'times', 'cost', 'rule', 'advice'])
    expect(evidenceOf(finding, since)).toContainEqual({
      name: 'times',
      label: 'Times',
      value: '4, since turn 12, 3 s ago',
    })
  })

  it('that nobody counted has no number, and says nothing twice', () => {
    expect(namesOf(verdict)).toEqual(['what', 'times', 'cost', 'rule', 'advice'])
    expect(evidenceOf(verdict, since)).toContainEqual({
      name: 'times',
      label: 'Times',
      value: 'since turn 12, 3 s ago',
    })
    expect(listFindings([verdict])).not.toMatch(/Times|Seen/)
  })

  it('names no call that was refused where nobody knows what became of it', () => {
    const listed = listFindings([{ ...verdict, action: 'block' }])
    expect(listed).toContain('Then    the model was told')
    expect(listFindings([verdict])).toContain('Then    the agent was stopped')
  })

  it('stands with the stuck or the struggling, the stuck first', () => {
    const likely: Finding = { ...verdict, certainty: 'likely', detector: 'failing', action: 'warn' }
    const titles = listFindings([likely, verdict, likely]).match(/^\d.*$/gm)
    expect(titles).toEqual(['1. stuck: judge', '2. struggling: failing', '3. struggling: failing'])
  })

  it('whose beginning nobody knows has none, and no cost', () => {
    const finding = { ...verdict, firstEvent: 120, wasted: { events: 0, characters: 0 } }
    expect(namesOf(finding)).toEqual(['what', 'rule', 'advice'])
  })
})

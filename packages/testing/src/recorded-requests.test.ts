import { hostname } from 'node:os'
import { describe, expect, test } from 'vitest'
import { RECORDED_KINDS, recordedRequests } from './index.js'

const cases = recordedRequests()
const requests = cases.flatMap((one) => one.requests)

describe('the recorded requests', () => {
  test('are of all kinds, in four protocols', () => {
    const kinds = new Set(cases.flatMap((one) => one.kinds))
    expect([...kinds].sort()).toEqual([...RECORDED_KINDS].sort())
    const protocols = new Set(requests.map(({ protocol }) => protocol))
    expect([...protocols].sort()).toEqual([
      'anthropic',
      'gemini',
      'openai-chat',
      'openai-responses',
    ])
  })

  test('are at least 40 cases, most of them as they were recorded', () => {
    expect(cases.length).toBeGreaterThanOrEqual(40)
    const edited = cases.filter(({ origin }) => origin === 'edited')
    expect(edited.length).toBeLessThanOrEqual(cases.length / 10)
    expect(edited.filter(({ edit }) => !edit)).toEqual([])
  })

  test('are small', () => {
    expect(JSON.stringify(cases).length).toBeLessThan(600_000)
  })

  test('are of one protocol in a case, with a verdict and a reason', () => {
    for (const { name, why, requests, client } of cases) {
      expect(new Set(requests.map(({ protocol }) => protocol)).size, name).toBe(1)
      expect(requests.at(-1)?.verdict, name).toMatch(/^(?:go|told|ended|held)$/)
      expect(why, name).toMatch(/^[A-Z].+\.$/)
      expect(client, name).toMatch(/ \d/)
    }
  })
})

describe.each(cases)('$name', ({ requests }) => {
  test('has no secrets, paths or names of a machine', () => {
    const text = JSON.stringify(requests)
    expect(text).not.toMatch(/\b(?:sk-|AIza|gh[pousr]_|Bearer )/)
    expect(text).not.toMatch(/\/(?:root|tmp|work|Users|private|var)\/|[A-Z]:\\\\/)
    expect(text).not.toMatch(/\/home\/(?!ada\b)/)
    expect(text).not.toMatch(/(?:127\.0\.0\.1|localhost):\d/)
    expect(text).not.toContain(hostname())
    const names = requests.flatMap(({ headers }) => Object.keys(headers))
    expect(names.filter((name) => /key|auth|cookie|token|host$/.test(name))).toEqual([])
  })

  test('has no long prose', () => {
    expect(textsOf(requests).filter((text) => text.length > 1300)).toEqual([])
  })
})

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

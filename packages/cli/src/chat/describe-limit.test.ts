import { describe, expect, it } from 'vitest'
import { describeLimit } from './describe-limit.js'

describe('the limit of turns', () => {
  it('is what a request has taken', () => {
    expect(describeLimit({ turns: 100, limit: 100 })).toBe('ended after 100 turns, the limit')
    expect(describeLimit({ turns: 1, limit: 1 })).toBe('ended after 1 turn, the limit')
  })

  it('is told apart from the turns of a request that was continued', () => {
    expect(describeLimit({ turns: 117, limit: 100 })).toBe(
      'ended after 100 more turns, the limit; this request has taken 117 so far',
    )
  })
})

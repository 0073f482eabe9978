import { describe, expect, it } from 'vitest'
import { likeness, sketchOf } from './sketch.js'

const alike = (one: string, other: string) => likeness(sketchOf(one).sketch, sketchOf(other).sketch)

const message =
  'The tests still fail with the same error, so I will look at the parser once more and try to find out where the token is lost.'

describe('a sketch', () => {
  it('is the same for the same wording, whatever its numbers, case, marks and spaces', () => {
    const one = sketchOf('Attempt 1: let me try that again')
    const other = sketchOf('attempt 27 - Let me TRY that, again!')
    expect(other.hash).toBe(one.hash)
    expect(other.sketch).toEqual(one.sketch)
    expect(other.words).toBe(6)
  })

  it('measures how alike two messages are', () => {
    expect(alike(message, message)).toBe(1)
    expect(alike(message, message.replace('parser', 'lexer'))).toBeGreaterThan(0.6)
    expect(
      alike(message, 'Everything works now: I added a page about the settings and sent it to you.'),
    ).toBeLessThan(0.2)
  })

  it('reads scripts without spaces sign by sign', () => {
    expect(sketchOf('我会再看').words).toBe(4)
    expect(alike('我现在再次运行所有的测试。', '我现在再次运行所有的测试！')).toBeGreaterThan(0.7)
    expect(alike('我现在再次运行所有的测试。', '你好世界今天天气很好吗？')).toBeLessThan(0.3)
  })

  it('of nothing is like nothing', () => {
    expect(sketchOf('')).toMatchObject({ words: 0, hash: 0 })
    expect(sketchOf('12 - 34')).toMatchObject({ words: 0 })
    expect(alike('', '')).toBe(0)
  })
})

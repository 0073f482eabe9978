import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { createProgress } from './progress.js'

const part = (type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta', delta: string) =>
  ({ type, id: '1', delta }) satisfies LanguageModelV3StreamPart
const call: LanguageModelV3StreamPart = {
  ...{ type: 'tool-call', toolCallId: '1', toolName: 'look', input: '{}' },
}

/** How long an answer is waited for that brings these parts again and again, one a second. */
function secondsOf(parts: readonly LanguageModelV3StreamPart[], atMost = 10_000) {
  const progress = createProgress('test/model', 60_000)
  for (let seconds = 0; seconds < atMost; seconds++) {
    try {
      progress.see(parts[seconds % parts.length] as LanguageModelV3StreamPart, 1000)
    } catch (error) {
      return { seconds: seconds + 1, error }
    }
  }
  return undefined
}

describe('an answer', () => {
  it.each([part('text-delta', 'a'), part('reasoning-delta', 'a'), call])(
    'gets on with each $type',
    (said) => {
      expect(secondsOf([said, ...Array(50).fill(part('text-delta', ''))])).toBeUndefined()
    },
  )

  it.each<LanguageModelV3StreamPart>([
    part('text-delta', ''),
    part('reasoning-delta', ''),
    part('tool-input-delta', ''),
    { type: 'raw', rawValue: { type: 'ping' } },
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', id: '1' },
    { type: 'text-start', id: '1' },
    { type: 'reasoning-end', id: '1' },
    { type: 'tool-input-start', id: '1', toolName: 'look' },
  ])('does not get on with what says nothing: $type', (said) => {
    expect(secondsOf([said])).toMatchObject({ seconds: 60, error: { kind: 'silence' } })
  })

  it('may take a quarter of an hour to write one call, and no longer', () => {
    const written = part('tool-input-delta', 'a')
    expect(secondsOf([written])).toMatchObject({
      seconds: 900,
      error: { kind: 'endless', isTemporary: false, message: expect.stringContaining('900 s') },
    })
    expect(secondsOf([...Array(800).fill(written), call])).toBeUndefined()
  })

  it('is waited for as long as is left', () => {
    const progress = createProgress('test/model', 60_000)
    progress.see(part('text-delta', ''), 20_000)
    expect(progress.leftMs).toBe(40_000)
    progress.see(part('text-delta', 'a'), 30_000)
    expect(progress.leftMs).toBe(60_000)
    for (let n = 0; n < 15; n++) progress.see(part('tool-input-delta', 'a'), 59_000)
    expect(progress.leftMs).toBe(15_000)
    expect(progress.toError().kind).toBe('endless')
  })
})

import { expect, it } from 'vitest'
import { withBriefArgs } from './brief.js'

const argsOf = (args: unknown) => {
  const event = withBriefArgs({ type: 'tool-call', id: 'c', name: 'write', args })
  return event.type === 'tool-call' ? event.args : undefined
}

it.each([
  ['text', (mark: string) => `${'x'.repeat(70_000)}${mark}`],
  ['values', (mark: string) => [...Array(6000).fill(1), mark]],
  ['very much text', (mark: string) => `${'x'.repeat(3_000_000)}${mark}`],
])('makes a short text of large arguments, which is equal for the same ones only: %s', (_, of) => {
  expect(String(argsOf(of('a'))).length).toBeLessThan(100)
  expect(argsOf(of('a'))).toBe(argsOf(of('a')))
  expect(argsOf(of('a'))).not.toBe(argsOf(of('b')))
})

it('leaves others as they are', () => {
  for (const args of ['x', { path: 'a' }, 'x'.repeat(60_000)]) expect(argsOf(args)).toBe(args)
})

import fc from 'fast-check'
import { type AgentEvent, createGuard } from 'unloop'
import { expect, it } from 'vitest'
import { inSips } from './in-sips.js'

const piece = fc.record({
  type: fc.constantFrom('text' as const, 'reasoning' as const),
  text: fc.string({ maxLength: 90 }),
})
const event: fc.Arbitrary<AgentEvent> = fc.oneof(
  { weight: 9, arbitrary: piece },
  { weight: 1, arbitrary: fc.constant({ type: 'tool-call', name: 'read' } as const) },
)

/** What was said, with neighboring pieces of one kind put together. */
function joined(events: readonly AgentEvent[]): string {
  let last = ''
  return events
    .map((one) => {
      const head = one.type === last && 'text' in one ? '' : `\n${one.type}: `
      if (!('text' in one) || one.text !== '') last = one.type
      return 'text' in one && one.text === '' ? '' : head + ('text' in one ? one.text : '')
    })
    .join('')
}

it('tells everything, in order, and nothing twice', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const heard: AgentEvent[] = []
      const sips = inSips((one) => {
        heard.push(one)
        return false
      })
      for (const one of events) sips.see(one)
      sips.flush()
      expect(joined(heard)).toBe(joined(events))
    }),
  )
})

it('finds the same chant at most a line later', () => {
  const words = [...'I will look at the file again. '.repeat(30)]
  const at = (see: (event: AgentEvent) => boolean) =>
    words.findIndex((text) => see({ type: 'text', text }))
  const [plain, sipping] = [createGuard(), createGuard()]
  const exact = at((one) => plain.observe(one) !== undefined)
  const later = at(inSips((one) => sipping.observe(one) !== undefined).see)
  expect(exact).toBeGreaterThan(0)
  expect(later - exact).toBeGreaterThanOrEqual(0)
  expect(later - exact).toBeLessThan(160)
})

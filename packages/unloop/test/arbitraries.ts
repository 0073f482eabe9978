import fc from 'fast-check'
import type { AgentEvent } from '../src/event.js'

/** How many runs a property gets, and from which seed: printed, so that a failure can be had again. */
export const soak = process.env.UNLOOP_SOAK === '1'
export const seed = Number(process.env.UNLOOP_SEED ?? Date.now() % 2 ** 31)
export const runs = (few: number): fc.Parameters<unknown> => ({
  numRuns: soak ? 10_000 : Math.ceil(few / 2),
  seed,
})

const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'a',
      'I will do it now. ',
      'word ',
      '一次又一次',
      '😀',
      '12 ',
      'SELECT ',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '\n',
      '- ',
      '```\n',
      '```js\n',
      '~~~\n',
      '| a |',
      '---',
      '# ',
      '> ',
      '1. ',
      '\n\n',
    ),
  },
  { weight: 2, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
)

/** Text that often repeats itself: a few pieces, some of them many times over. */
export const loopyText: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join('')),
      fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 40 })),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.map(([text, times]) => text.repeat(times)).join(''))

/** The same text cut at any places, surrogate pairs included. */
export const cut = (text: string): fc.Arbitrary<string[]> =>
  fc.array(fc.nat(text.length), { maxLength: 40 }).map((places) => {
    const edges = [0, ...places.sort((a, b) => a - b), text.length]
    return edges.slice(1).map((edge, i) => text.slice(edges[i], edge))
  })

const args = fc.oneof(
  fc.constantFrom<unknown>(
    {},
    { path: 'a.ts' },
    { path: 'b.ts' },
    { command: 'npm test' },
    undefined,
  ),
  fc.jsonValue(),
)

const output = fc.oneof(
  fc.constantFrom<unknown>('ok', '', 'Error: no such file', 'a\nb\nc', undefined, {
    content: [{ type: 'text', text: 'x' }],
  }),
  fc.string(),
)

const optionalId = fc.option(fc.constantFrom('1', '2', '3'), { nil: undefined })

const withId = <T extends object>(event: T, id: string | undefined) =>
  (id === undefined ? event : { ...event, id }) as unknown as AgentEvent

const agentEvent: fc.Arbitrary<AgentEvent> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom('read', 'bash', 'edit', '__proto__'), args, optionalId)
      .map(([name, args, id]) => withId({ type: 'tool-call', name, args }, id)),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(output, optionalId, fc.boolean())
      .map(([output, id, isError]) => withId({ type: 'tool-result', output, isError }, id)),
  },
  { weight: 3, arbitrary: loopyText.map((text): AgentEvent => ({ type: 'text', text })) },
  { weight: 1, arbitrary: loopyText.map((text): AgentEvent => ({ type: 'reasoning', text })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<AgentEvent>(
      { type: 'turn-start' },
      { type: 'turn-end' },
      { type: 'retry' },
      { type: 'compaction' },
      { type: 'prompt' },
      { type: 'prompt', id: 'p', text: 'again' },
      { type: 'usage', inputTokens: 10, outputTokens: 5 },
      { type: 'handoff', to: 'b', text: 'yours' },
    ),
  },
)

/** Runs of an agent in which stretches of events come several times over, sometimes by sub-agents. */
export const loopyEvents: fc.Arbitrary<AgentEvent[]> = fc
  .array(
    fc.tuple(
      fc.array(agentEvent, { minLength: 1, maxLength: 4 }),
      fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 12 })),
      fc.option(fc.constantFrom('sub', 'other'), { nil: undefined, freq: 6 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) =>
    parts.flatMap(([events, times, agent]) =>
      Array.from({ length: times }, () =>
        events.map((event) => (agent === undefined ? event : { ...event, agent })),
      ).flat(),
    ),
  )

/** Anything at all where an event should be. */
export const nonsense: fc.Arbitrary<AgentEvent> = fc.oneof(
  fc.anything(),
  fc.record(
    {
      type: fc.oneof(
        fc.constantFrom(
          'text',
          'reasoning',
          'tool-call',
          'tool-result',
          'prompt',
          'usage',
          'handoff',
          'retry',
        ),
        fc.anything(),
      ),
      text: fc.anything(),
      name: fc.anything(),
      args: fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withTypedArray: true,
        withNullPrototype: true,
      }),
      id: fc.anything(),
      output: fc.anything({ withBigInt: true, withMap: true }),
      agent: fc.anything(),
      inputTokens: fc.anything(),
      to: fc.anything(),
    },
    { requiredKeys: ['type'] },
  ),
) as fc.Arbitrary<AgentEvent>

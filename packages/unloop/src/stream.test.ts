import { expect, it } from 'vitest'
import { call, text, times } from '../test/events.js'
import { defaultDetectors } from './detectors.js'
import type { AgentEvent } from './event.js'
import { createGuard } from './guard.js'
import { identicalCall, presets } from './presets/index.js'
import { guardStream } from './stream.js'

const again = call('read_file', { path: 'a.ts' })

/** A source that counts what was taken from it and knows whether it was closed. */
function source(events: AgentEvent[], close: () => Promise<unknown> = async () => {}) {
  const seen = { taken: 0, closed: false }
  const stream: AsyncIterable<AgentEvent> = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const value = events[seen.taken]
        if (value === undefined) return { done: true, value: undefined }
        seen.taken++
        return { done: false, value }
      },
      async return() {
        seen.closed = true
        await close()
        return { done: true, value: undefined }
      },
    }),
  }
  return { stream, seen }
}

async function typesOf(items: AsyncIterable<{ type: string }>): Promise<string[]> {
  const types: string[] = []
  for await (const { type } of items) types.push(type)
  return types
}

it('passes events through unchanged and in order', async () => {
  const events = [text('a'), call('ls'), text('b')]
  const { stream, seen } = source(events)
  const items: unknown[] = []
  for await (const item of guardStream(createGuard(), stream)) items.push(item)
  expect(items).toEqual(events)
  expect(items[0]).toBe(events[0])
  expect(seen).toEqual({ taken: 3, closed: false })
})

it('warns before the event, continues, and ends with the stop in place of the event', async () => {
  const { stream, seen } = source(times(20, [again]))
  const guard = createGuard({ detectors: [...defaultDetectors(), identicalCall()] })
  const items: { type: string }[] = []
  for await (const item of guardStream(guard, stream)) items.push(item)
  const types = items.map(({ type }) => type)
  expect(types.filter((type) => type === 'loop_detected')).toHaveLength(1)
  expect(types.at(-1)).toBe('loop_detected')
  expect(types.filter((type) => type === 'loop_warning')).toHaveLength(2)
  const warning = types.indexOf('loop_warning')
  expect(items[warning]).toMatchObject({ finding: { action: 'warn', lastEvent: warning } })
  expect(types[warning + 1]).toBe('tool-call')
  // warned, blocked and stopped: the source was closed at the event that stopped it
  expect(seen).toEqual({ taken: types.length - 2, closed: true })
  expect(guard.stopped).toBe(true)
})

it('is not held up by a source that will not close, nor broken by one that fails to', async () => {
  for (const close of [() => new Promise(() => {}), () => Promise.reject(new Error('no'))]) {
    const { stream, seen } = source(times(9, [again]), close)
    const types = await typesOf(guardStream(createGuard({ preset: presets['gemini-cli'] }), stream))
    expect(types.at(-1)).toBe('loop_detected')
    expect(seen.closed).toBe(true)
  }
})

it('closes the source when the reader leaves', async () => {
  const { stream, seen } = source([text('a'), text('b')])
  for await (const _item of guardStream(createGuard(), stream)) break
  expect(seen).toEqual({ taken: 1, closed: true })
})

it('passes the error of the source on', async () => {
  async function* failing(): AsyncGenerator<AgentEvent> {
    yield text('a')
    throw new Error('the connection was lost')
  }
  await expect(typesOf(guardStream(createGuard(), failing()))).rejects.toThrow(
    'connection was lost',
  )
})

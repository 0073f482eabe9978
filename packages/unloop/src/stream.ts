import type { AgentEvent } from './event.js'
import { type Finding, isFinal } from './finding.js'
import type { Guard } from './guard.js'

/** A loop was found and the stream continues; comes before the event that revealed it. */
export interface LoopWarning {
  type: 'loop_warning'
  finding: Finding
}

/** A loop was found and the stream is over; replaces the event that revealed it. */
export interface LoopDetected {
  type: 'loop_detected'
  finding: Finding
}

/**
 * The same events, guarded: a finding that warns, blocks or cuts is added as `loop_warning`; one that asks or
 * stops is the last item, `loop_detected`, and the source is closed.
 *
 * @example for await (const item of guardStream(guard, events)) if (item.type === 'loop_detected') …
 */
export async function* guardStream<E extends AgentEvent>(
  guard: Guard,
  source: AsyncIterable<E>,
): AsyncGenerator<E | LoopWarning | LoopDetected, void, undefined> {
  const iterator = source[Symbol.asyncIterator]()
  let open = false
  try {
    for (;;) {
      open = false
      const next = await iterator.next()
      if (next.done) return
      open = true
      const found = guard.observe(next.value)
      const finding = guard.mode === 'enforce' ? found : undefined
      if (finding && isFinal(finding)) {
        open = false
        close(iterator)
        yield { type: 'loop_detected', finding }
        return
      }
      if (finding) yield { type: 'loop_warning', finding }
      yield next.value
    }
  } finally {
    if (open) await iterator.return?.()
  }
}

/** Closes the source without waiting: a provider that hangs must not hold up the caller. */
function close(iterator: AsyncIterator<unknown>): void {
  try {
    iterator.return?.()?.then(undefined, () => {})
  } catch {
    // the run is over either way
  }
}

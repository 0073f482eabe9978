import type { AgentEvent } from '../event.js'

interface Reader {
  read(piece: unknown): AgentEvent[]
  end(): string
}

/** An answer while it comes. */
export interface Turn {
  /** True if it has to end here. */
  see(event: AgentEvent): boolean
  finish(): void
  /** somebody waits for the next piece of it */
  isWaiting: boolean
}

/**
 * An answer of server-sent events as it is, until `turn.see` says that it has to end: then what the reader says ends it, and the
 * provider is told to stop.
 */
export function watchStream(
  response: Response,
  reader: Reader,
  turn: Turn,
  attempt: <Result>(work: () => Result) => Result | undefined,
): Response {
  const source = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let rest = ''
  let isEnd = false

  /** The events that are complete now, up to the one that has to end it all. */
  function take(text: string): string {
    rest += text
    // a large event comes in many pieces, which are not to be searched again with each
    if (!text.includes('\n')) return ''
    let from = 0
    for (const { 0: gap, index } of rest.matchAll(/\r?\n\r?\n/g)) {
      const event = rest.slice(from, index)
      isEnd = attempt(() => isLast(event)) ?? false
      if (isEnd) return rest.slice(0, from) + reader.end()
      from = index + gap.length
    }
    const passed = rest.slice(0, from)
    rest = rest.slice(from)
    return passed
  }

  function isLast(event: string): boolean {
    // what is no object says nothing to us: a sign of life, or `[DONE]`
    const [, data] = /^data: ?(\{[^\r\n]*)/m.exec(event) ?? []
    if (!data) return false
    return reader.read(JSON.parse(data)).some(turn.see)
  }

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          turn.isWaiting = true
          const { done, value } = await source.read()
          turn.isWaiting = false
          const passed = take(decoder.decode(value, { stream: !done }))
          controller.enqueue(encoder.encode(done && !isEnd ? passed + rest : passed))
          if (!done && !isEnd) return
          turn.finish()
          controller.close()
          if (isEnd) await source.cancel()
        } catch (error) {
          turn.finish()
          throw error
        }
      },
      cancel(reason) {
        turn.finish()
        return source.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, response)
}

import type { AgentEvent } from '../event.js'

/** What an answer says, piece by piece, and how it can be ended early. */
export interface Reader {
  read(piece: unknown): AgentEvent[]
  end(): string
}

/** An answer while it comes. */
export interface Turn {
  /** True if it has to end here. */
  see(event: AgentEvent): boolean
  finish(): void
  /** It broke off and may be asked for again; throws what it broke off with. */
  fail(error: unknown): never
  /** somebody waits for the next piece of it */
  isWaiting: boolean
}

/** Does some of our own work, which may fail. */
export type Attempt = <Result>(work: () => Result) => Result | undefined

/** Watches an answer of server-sent events, and gives the answer for the program. */
export type WatchStream = (
  response: Response,
  reader: Reader,
  turn: Turn,
  attempt: Attempt,
) => Response

/**
 * An answer of server-sent events as it is, until `turn.see` says that it has to end: then what the reader says ends it, and the
 * provider is told to stop.
 */
export const watchStream: WatchStream = (response, reader, turn, attempt) => {
  const source = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  /** what was not passed on yet, the line of it that is read next, and the data of the event that is coming */
  let rest = ''
  let line = 0
  let data = ''
  let isEnd = false

  /** The events that are complete now, up to the one that has to end it all. */
  function take(text: string): string {
    rest += text
    let taken = 0
    // a large event comes in many pieces, which are not to be searched again with each
    let end = rest.indexOf('\n', rest.length - text.length)
    for (; end >= 0 && !isEnd; end = rest.indexOf('\n', line)) {
      const said = rest.slice(line, end)
      line = end + 1
      if (said === '' || said === '\r') {
        // what is no object says nothing to us: a sign of life, or `[DONE]`
        isEnd =
          attempt(() => /^ ?{/.test(data) && reader.read(JSON.parse(data)).some(turn.see)) ?? false
        data = ''
        if (!isEnd) taken = line
      } else if (data === '' && said.startsWith('data:')) data = said.slice(5)
    }
    const passed = rest.slice(0, taken)
    rest = rest.slice(taken)
    line -= taken
    return isEnd ? passed + reader.end() : passed
  }

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        turn.isWaiting = true
        const { done, value } = await source.read().catch(turn.fail)
        turn.isWaiting = false
        const kept = rest
        const passed = take(decoder.decode(value, { stream: !done }))
        // nothing kept back and nothing added: the bytes as they came
        const isSame = passed && !(kept || rest || isEnd || done)
        controller.enqueue(isSame ? value : encoder.encode(done && !isEnd ? passed + rest : passed))
        if (!done && !isEnd) return
        turn.finish()
        controller.close()
        if (isEnd) await source.cancel()
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

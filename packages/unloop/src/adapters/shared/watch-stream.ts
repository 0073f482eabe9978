import type { AgentEvent } from '../../event.js'
import { fromJsonText } from '../../reading/call-key.js'
import type { Any } from './any.js'

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
  /** It did not come, or broke off, and may be asked for again; throws what it broke off with. */
  lose(error?: Any): Any
  /** somebody waits for the next piece of it */
  isWaiting: boolean
}

/** Does some of our own work, which may fail. */
export type Attempt = <Result>(work: () => Result) => Result | undefined

/** Watches an answer while the program reads it, and gives the answer for the program. */
export type Watch = (response: Response, reader: Reader, turn: Turn, attempt: Attempt) => Response

/**
 * An answer as it is. One of server-sent events goes on until `turn.see` says that it has to end: then what the reader says ends
 * it, and the provider is told to stop. Any other is heard when all of it was read.
 */
export const watchStream: Watch = (response, reader, turn, attempt) => {
  const source = (response.body as ReadableStream<Uint8Array>).getReader()
  const isStream = response.headers.get('content-type')?.includes('event-stream')
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  /** what was not passed on yet, the line of it that is read next, and the data of the event that is coming */
  let rest = ''
  let line = 0
  let data = ''
  let isEnd: boolean | undefined

  /** True if it has to end here. */
  function hear(json: string): boolean | undefined {
    // what is no object says nothing to us: a sign of life, `[DONE]`, or a mistake, which the program will find
    const said = fromJsonText(json)
    return attempt(() => typeof said === 'object' && reader.read(said).some(turn.see))
  }

  /** The events that are complete now, up to the one that has to end it all. */
  function take(added: number): string {
    let taken = 0
    // a large event comes in many pieces, which are not to be searched again with each
    let end = rest.indexOf('\n', rest.length - added)
    for (; end >= 0 && !isEnd; end = rest.indexOf('\n', line)) {
      const said = rest.slice(line, end)
      line = end + 1
      if (said.trim() === '') {
        isEnd = hear(data)
        data = ''
        if (!isEnd) taken = line
      } else if (data === '' && said.startsWith('data:')) data = said.slice(5)
    }
    const passed = rest.slice(0, taken)
    rest = rest.slice(taken)
    line -= taken
    return isEnd ? passed + reader.end() : passed
  }

  /** What the program gets for a piece. */
  function pass(value: Uint8Array | undefined, done: boolean): Uint8Array | undefined {
    const text = decoder.decode(value, { stream: !done })
    rest += text
    if (done && !isStream) hear(rest)
    if (!isStream) return value
    const passed = done ? rest : take(text.length)
    // nothing kept back, nothing added and no character in two pieces: the bytes as they came
    return passed === text && text.length === value?.length ? value : encoder.encode(passed)
  }

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        turn.isWaiting = true
        const { done, value } = await source.read().catch(turn.lose)
        turn.isWaiting = false
        const passed = pass(value, done)
        if (passed) controller.enqueue(passed)
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
  return Object.defineProperty(new Response(body, response), 'url', { value: response.url })
}

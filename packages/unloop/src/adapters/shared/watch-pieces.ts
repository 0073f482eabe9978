import type { Any } from './any.js'
import type { Watch } from './watch-stream.js'

/**
 * Watches answers where the SDK takes them apart, `parse` being what does that: to parse each piece a second time would cost
 * more than all the rest.
 */
export function watchPieces(parse: (response: Response) => AsyncGenerator<Any>) {
  const watches = new WeakMap<Response, (pieces: AsyncGenerator<Any>) => void>()

  const watch: Watch = (response, reader, turn, attempt) => {
    let isEnd = false

    function hear(said: Any): Any {
      turn.isWaiting = false
      isEnd = attempt(() => reader.read(said).some(turn.see)) ?? false
      return isEnd ? JSON.parse(reader.end().slice('data:'.length)) : said
    }

    const json = response.json.bind(response)
    response.json = async () => {
      const said = await json()
      attempt(() => reader.read(said).forEach(turn.see))
      turn.finish()
      return said
    }
    watches.set(response, (pieces) => {
      const next = pieces.next.bind(pieces)
      const pass = (result: IteratorResult<Any>) => {
        if (result.done) turn.finish()
        else {
          // each is heard when the SDK reads it
          const said = result.value.json()
          result.value.json = () => said.then(hear)
        }
        return result
      }
      const end = async () => {
        await pieces.return(undefined)
        await response.body?.cancel()
        return pass(await next())
      }
      pieces.next = () => {
        if (isEnd) return end()
        turn.isWaiting = true
        return next().then(pass, turn.lose)
      }
    })
    return response
  }

  return {
    watch,
    /** In the place of `parse`. */
    parseWatched(response: Response): AsyncGenerator<Any> {
      const pieces = parse(response)
      watches.get(response)?.(pieces)
      return pieces
    },
  }
}

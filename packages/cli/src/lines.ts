/** A line of a stream with its number, from 1; a line that is too long comes without its text. */
export interface Line {
  number: number
  text: string | undefined
}

// an event is one call or one answer; whoever has a longer one did not write events
const MAX_CHARACTERS = 16 * 2 ** 20

/** The lines of a stream, holding no more than one of them. */
export async function* readLines(
  source: AsyncIterable<string | Uint8Array>,
  maxCharacters = MAX_CHARACTERS,
): AsyncGenerator<Line, void, undefined> {
  const decoder = new TextDecoder()
  let number = 0
  let rest = ''
  let isTooLong = false

  function take(part: string): Line {
    const text = isTooLong || rest.length + part.length > maxCharacters ? undefined : rest + part
    rest = ''
    isTooLong = false
    return { number: ++number, text: text?.endsWith('\r') ? text.slice(0, -1) : text }
  }

  for await (const chunk of source) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    let from = 0
    for (let to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
      yield take(text.slice(from, to))
      from = to + 1
    }
    if (!isTooLong) rest += text.slice(from)
    if (rest.length > maxCharacters) [rest, isTooLong] = ['', true]
  }
  rest += decoder.decode()
  if (rest !== '' || isTooLong) yield take('')
}

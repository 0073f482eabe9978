/** What skimming a file has shown. */
export interface Skimmed {
  /** how it begins, with its long texts cut short and without what is nested deeply */
  text: string
  /** something stands behind its first value */
  isMany: boolean
}

// the first words of a text say what it is
const TEXT_BYTES = 1000
// what tells a format stands within the first six levels
const MAX_DEPTH = 12
// of \u1234
const ESCAPE_BYTES = 6
// a longer line is bad, so its end does not matter
const MAX_BYTES = 64 * 2 ** 20

const NEWLINE = 10
const QUOTE = 34
const OPEN_LIST = 91
const BACKSLASH = 92
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/** Looks through JSON until `bytes` of it are gathered, passing over the most of long texts. */
export async function skim(chunks: AsyncIterable<Buffer>, bytes: number): Promise<Skimmed> {
  const gathered: Buffer[] = []
  let size = 0
  let position = 0
  let inText = false
  let escaped = false
  let length = 0
  let escapedAt = 0
  let passesOver = false
  let depth = 0
  let root = 0
  let isOver = false
  let isMany = false
  let hasLines = false
  let newline = -1

  function gather(chunk: Buffer, from: number, to: number): void {
    if (size >= bytes || passesOver || depth > MAX_DEPTH) return
    size += to - from
    // a copy, for the memory of the chunk is used again
    gathered.push(Buffer.from(chunk.subarray(from, to)))
  }

  /** The next byte of a text; true where the rest of the text can be left out without halving an escape. */
  function isEnough(byte: number): boolean {
    const escapes = byte === BACKSLASH && !escaped
    const isPlace = escapes || length - escapedAt > ESCAPE_BYTES
    if (escapes) escapedAt = length
    escaped = escapes
    return (++length > TEXT_BYTES || size >= bytes) && isPlace
  }

  function outside(byte: number): void {
    if (byte === NEWLINE && depth > 0) hasLines = true
    if (byte <= 32) return
    if (isOver) isMany = true
    if (root === 0) root = byte
    if (byte === QUOTE) {
      inText = true
      escaped = false
      length = 0
      escapedAt = -ESCAPE_BYTES
    } else if (isOpening(byte)) depth++
    else if (isClosing(byte) && --depth === 0) isOver = true
  }

  /** Where the text that is open ends, or the length of the chunk if it continues in the next. */
  function endOfText(chunk: Buffer, from: number): number {
    let i = escaped ? from + 1 : from
    escaped = false
    while (i < chunk.length) {
      const end = indexIn(chunk, QUOTE, i)
      if (newline < i) newline = indexIn(chunk, NEWLINE, i)
      // no text goes beyond its line, but a line may break off in one
      if (newline < end) return newline
      let slashes = 0
      while (end - slashes > i && chunk[end - slashes - 1] === BACKSLASH) slashes++
      if (slashes % 2 === 0) return end
      escaped = end === chunk.length
      i = end + 1
    }
    return chunk.length
  }

  function take(chunk: Buffer): void {
    let from = 0
    newline = -1
    for (let i = 0; i < chunk.length; i++) {
      if (passesOver) {
        i = endOfText(chunk, i)
        if (i === chunk.length) break
        inText = false
        passesOver = false
        from = i
        continue
      }
      const byte = chunk[i] as number
      if (!inText) {
        // of what is nested deeply only the outer brackets stay
        if (depth === MAX_DEPTH && isOpening(byte)) gather(chunk, from, i + 1)
        if (depth === MAX_DEPTH + 1 && isClosing(byte)) from = i
        outside(byte)
      } else if (byte === NEWLINE || (byte === QUOTE && !escaped)) inText = false
      else if (isEnough(byte)) {
        gather(chunk, from, i)
        passesOver = true
      }
    }
    gather(chunk, from, chunk.length)
    position += chunk.length
  }

  for await (const chunk of chunks) {
    take(chunk)
    // whether one value or many stand there is still to be seen if all so far is one line
    const isSeen = isMany || hasLines || root !== OPEN_OBJECT
    if ((size >= bytes && isSeen) || position >= MAX_BYTES) break
  }
  return { text: Buffer.concat(gathered).toString('utf8', 0, bytes), isMany }
}

const isOpening = (byte: number) => byte === OPEN_OBJECT || byte === OPEN_LIST
const isClosing = (byte: number) => byte === CLOSE_OBJECT || byte === CLOSE_LIST

function indexIn(chunk: Buffer, byte: number, from: number): number {
  const index = chunk.indexOf(byte, from)
  return index < 0 ? chunk.length : index
}

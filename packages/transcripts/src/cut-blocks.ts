import { type Cutter, type Take, tooLong } from './cut.js'
import { cutLines } from './cut-lines.js'

/** Says that a line begins a block, and of which kind; it is told the kind of the block before. */
export type StartsBlock = (line: string, before: string) => string | undefined

/** Cuts a text into blocks of lines; the key of each is its kind. */
export function cutBlocks(take: Take, maxBytes: number, startsBlock: StartsBlock): Cutter {
  let lines: string[] = []
  let kind = ''
  let start = 0
  let size = 0

  function release(): void {
    if (size > maxBytes) take.spoiled(start, tooLong(maxBytes))
    else if (lines.length > 0) take.text(lines.join('\n'), start, kind)
    lines = []
    size = 0
  }

  const cutter = cutLines(
    {
      ...take,
      text(line, offset) {
        const next = startsBlock(line, kind)
        if (next !== undefined) {
          release()
          kind = next
        }
        if (size === 0) start = offset
        size += line.length + 1
        if (size <= maxBytes) lines.push(line)
        else lines = []
      },
    },
    maxBytes,
  )
  return {
    push: cutter.push,
    end() {
      cutter.end()
      release()
    },
  }
}

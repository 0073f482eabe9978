/** A part of a message that stands by itself. */
export type Block =
  | { type: 'paragraph' | 'heading'; text: Span[] }
  | { type: 'code'; language: string; text: string }
  | { type: 'list'; isNumbered: boolean; items: Span[][] }

/** Words within a line. */
export type Span = string | { type: 'code' | 'strong'; text: string }

/** The part of Markdown that models write most; the rest, links among it, stays as it is written. */
export function toBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  let list: Extract<Block, { type: 'list' }> | undefined
  const lines = text.split('\n')

  function endParagraph() {
    if (paragraph.length > 0) {
      blocks.push({ type: 'paragraph', text: toSpans(paragraph.join('\n')) })
    }
    paragraph = []
    list = undefined
  }

  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const fence = line.match(/^\s*(`{3,}|~{3,})\s*([\w+-]*)/)
    if (fence) {
      endParagraph()
      const [, mark = '', language = ''] = fence
      const first = at + 1
      do at++
      while (at < lines.length && !lines[at]?.trimStart().startsWith(mark))
      blocks.push({ type: 'code', language, text: lines.slice(first, at).join('\n') })
      continue
    }
    const heading = line.match(/^#{1,6}(?=\s)/)
    const item = line.match(/^\s*(?:[-*+]|\d+[.)])(?=\s)/)
    if (heading) {
      endParagraph()
      blocks.push({ type: 'heading', text: toSpans(after(heading, line)) })
    } else if (item) {
      if (!list) {
        endParagraph()
        list = { type: 'list', isNumbered: /\d/.test(item[0]), items: [] }
        blocks.push(list)
      }
      list.items.push(toSpans(after(item, line)))
    } else if (line.trim() === '') {
      endParagraph()
    } else {
      if (list) endParagraph()
      paragraph.push(line)
    }
  }
  endParagraph()
  return blocks
}

const after = ([mark]: RegExpMatchArray, line: string) => line.slice(mark.length).trimStart()

/** Code and bold words. */
const toSpans = (text: string): Span[] =>
  text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/).map((part, index) => {
    // what was split at stands at every second place
    if (index % 2 === 0) return part
    return part.startsWith('`')
      ? { type: 'code', text: part.slice(1, -1) }
      : { type: 'strong', text: part.slice(2, -2) }
  })

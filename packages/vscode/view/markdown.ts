import { h } from './dom.js'

/** The part of Markdown that models write most, as elements; the rest stays as it is written. */
export function toElements(text: string): HTMLElement[] {
  const elements: HTMLElement[] = []
  let paragraph: string[] = []
  let list: HTMLElement | undefined
  const lines = text.split('\n')

  function endParagraph() {
    if (paragraph.length > 0) elements.push(h('p', {}, ...inline(paragraph.join('\n'))))
    paragraph = []
    list = undefined
  }

  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const fence = line.match(/^\s*(`{3,}|~{3,})\s*([\w+-]*)/)
    if (fence) {
      endParagraph()
      const end = lines.findIndex((other, i) => i > at && other.trim().startsWith(fence[1] ?? ''))
      const body = lines.slice(at + 1, end < 0 ? undefined : end).join('\n')
      elements.push(h('pre', { tabindex: '0', 'data-language': fence[2] }, h('code', {}, body)))
      at = end < 0 ? lines.length : end
      continue
    }
    const heading = line.match(/^(#{1,6})\s+(.*)$/)
    const item = line.match(/^\s*([-*+]|\d+[.)])\s+(.*)$/)
    if (heading) {
      endParagraph()
      elements.push(h('p', { class: 'heading' }, ...inline(heading[2] ?? '')))
    } else if (item) {
      if (!list) {
        endParagraph()
        list = h(/\d/.test(item[1] ?? '') ? 'ol' : 'ul')
        elements.push(list)
      }
      list.append(h('li', {}, ...inline(item[2] ?? '')))
    } else if (line.trim() === '') {
      endParagraph()
    } else {
      if (list) endParagraph()
      paragraph.push(line)
    }
  }
  endParagraph()
  return elements
}

/** Code and bold words within a line. */
function inline(text: string): (Node | string)[] {
  return text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/).map((part) => {
    if (/^`.+`$/.test(part)) return h('code', {}, part.slice(1, -1))
    if (/^\*\*.+\*\*$/.test(part)) return h('strong', {}, part.slice(2, -2))
    return part
  })
}

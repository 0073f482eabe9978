import { type Cell, type Markup, type MarkupElement, toMarkup } from '../src/chat/markdown.js'
import { never } from '../src/never.js'
import { codeBlock } from './code-block.js'
import { h } from './dom.js'
import type { Frame } from './frame.js'
import { webLink } from './link.js'

/** A part of a message of the model as nodes. */
export const toNodes = (text: string, frame: Frame): HTMLElement[] =>
  toMarkup(text).map((element) => toElement(element, frame))

const all = (children: readonly Markup[], frame: Frame): (HTMLElement | string)[] =>
  children.map((child) => (typeof child === 'string' ? child : toElement(child, frame)))

function toElement(element: MarkupElement, frame: Frame): HTMLElement {
  switch (element.type) {
    case 'paragraph':
      return h('p', {}, ...all(element.children, frame))
    case 'heading':
      return h('h3', { class: `depth-${element.depth}` }, ...all(element.children, frame))
    case 'code-block':
      return codeBlock(element, frame)
    case 'code':
      return frame.paths.mark(h('code', {}, element.text), element.path)
    case 'path':
      return frame.paths.mark(h('span', {}, element.text), element.path)
    case 'link':
      return webLink(element.href, all(element.children, frame))
    case 'ordered-list':
      return h('ol', { start: String(element.start) }, ...all(element.children, frame))
    case 'list':
      return h('ul', {}, ...all(element.children, frame))
    case 'item':
      return h('li', {}, ...all(element.children, frame))
    case 'checkbox': {
      const { done, todo } = frame.words
      const name = element.isChecked ? done : todo
      return h(
        'span',
        { class: 'task', role: 'img', 'aria-label': name },
        element.isChecked ? '☑ ' : '☐ ',
      )
    }
    case 'quote':
      return h('blockquote', {}, ...all(element.children, frame))
    case 'strong':
      return h('strong', {}, ...all(element.children, frame))
    case 'emphasis':
      return h('em', {}, ...all(element.children, frame))
    case 'deleted':
      return h('del', {}, ...all(element.children, frame))
    case 'fragment':
      return h('span', {}, ...all(element.children, frame))
    case 'table':
      return tableElement(element.header, element.rows, frame)
    case 'break':
      return h('br')
    case 'rule':
      return h('hr')
    default:
      return never(element)
  }
}

/** A table that scrolls by itself where it is too wide, by keyboard as well. */
function tableElement(header: readonly Cell[], rows: readonly Cell[][], frame: Frame): HTMLElement {
  const cell = (name: 'th' | 'td', { align, children }: Cell) =>
    h(
      name,
      { ...(name === 'th' && { scope: 'col' }), ...(align && { class: align }) },
      ...all(children, frame),
    )
  return h(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': frame.words.table },
    h(
      'table',
      {},
      h('thead', {}, h('tr', {}, ...header.map((one) => cell('th', one)))),
      h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.map((one) => cell('td', one))))),
    ),
  )
}

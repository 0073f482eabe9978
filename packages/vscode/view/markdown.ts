import { type Block, type Span, toBlocks } from '../src/chat/markdown.js'
import { never } from '../src/never.js'
import { h } from './dom.js'

/** A message of the model as elements. */
export const toElements = (text: string): HTMLElement[] => toBlocks(text).map(toElement)

function toElement(block: Block): HTMLElement {
  switch (block.type) {
    case 'paragraph':
      return h('p', {}, ...block.text.map(toNode))
    case 'heading':
      return h('p', { class: 'heading' }, ...block.text.map(toNode))
    case 'code':
      return h('pre', { tabindex: '0', 'data-language': block.language }, h('code', {}, block.text))
    case 'list':
      return h(
        block.isNumbered ? 'ol' : 'ul',
        {},
        ...block.items.map((item) => h('li', {}, ...item.map(toNode))),
      )
    default:
      return never(block)
  }
}

const toNode = (span: Span): Node | string =>
  typeof span === 'string' ? span : h(span.type, {}, span.text)

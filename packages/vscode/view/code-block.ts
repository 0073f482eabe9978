import { h } from './dom.js'
import type { Frame } from './frame.js'
import { highlight } from './highlight.js'

/** Code with its language, and buttons to copy it and to insert it into the editor. */
export function codeBlock(
  { language, text }: { language: string; text: string },
  { words, tell, announce }: Frame,
): HTMLElement {
  const act = (type: 'copy' | 'insert', done: string) => () => {
    tell({ type, text: wholeText(block, text) })
    announce(done)
  }
  const button = (label: string, onclick: () => void) =>
    h('button', { type: 'button', class: 'quiet', onclick }, label)
  const block = h(
    'div',
    { class: 'code-block' },
    h(
      'div',
      { class: 'code-head' },
      h('span', { class: 'language' }, language),
      button(words.copy, act('copy', words.copied)),
      button(words.insert, act('insert', words.inserted)),
    ),
    h(
      'pre',
      { tabindex: '0', role: 'region', 'aria-label': language || words.code },
      h('code', {}, ...highlight(text, language)),
    ),
  )
  return block
}

/** The code, with that of the blocks in which it goes on. */
function wholeText(block: HTMLElement, text: string): string {
  let whole = text
  let next = block.nextElementSibling
  while (next?.classList.contains('continued')) {
    whole += `\n${next.querySelector('code')?.textContent ?? ''}`
    next = next.nextElementSibling
  }
  return whole
}

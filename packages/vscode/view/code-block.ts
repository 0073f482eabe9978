import { h } from './dom.js'
import type { Frame } from './frame.js'
import { highlight } from './highlight.js'

/** Code with its language, and buttons to copy it and to insert it into the editor. */
export function codeBlock(
  { language, text }: { language: string; text: string },
  { words, tell, announce }: Frame,
): HTMLElement {
  // read when it is wanted: code that is being written grows
  const act = (type: 'copy' | 'insert', done: string) => () => {
    tell({ type, text: wholeText(block) })
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

/** Shows in a block of code what another one has, which is the same code with more of it. */
export function growCode(block: Element, grown: Element) {
  for (const part of ['.language', 'code']) {
    block.querySelector(part)?.replaceChildren(...(grown.querySelector(part)?.childNodes ?? []))
  }
  const name = grown.querySelector('pre')?.getAttribute('aria-label') ?? ''
  block.querySelector('pre')?.setAttribute('aria-label', name)
}

const CONTINUED = 'continued'

/** Marks code that goes on with the block before it, behind this joint. */
export function continueCode(block: HTMLElement | undefined, joint: string) {
  block?.classList.add(CONTINUED)
  if (block) block.dataset.joint = joint
}

/** The code, with that of the blocks in which it goes on. */
function wholeText(block: HTMLElement): string {
  let whole = codeOf(block)
  let next = after(block)
  while (next?.classList.contains(CONTINUED)) {
    whole += `${next.dataset.joint ?? ''}${codeOf(next)}`
    next = after(next)
  }
  return whole
}

const codeOf = (block: HTMLElement) => block.querySelector('code')?.textContent ?? ''

/** The block that follows; what may still change is in an element of its own. */
function after({ nextElementSibling: next }: HTMLElement): HTMLElement | undefined {
  const block = next?.classList.contains('last') ? next.firstElementChild : next
  return block instanceof HTMLElement ? block : undefined
}

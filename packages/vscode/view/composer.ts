import { showCount } from 'unloop/words'
import type { ContextPart } from '../src/chat/item.js'
import type { Status } from '../src/protocol.js'
import { fill, h } from './dom.js'
import type { Frame } from './frame.js'
import { isEmbedded } from './is-embedded.js'

/** Where the person writes, with what goes along with it and how things stand. */
export interface Composer {
  element: HTMLElement
  focus(): void
  showContext(parts: readonly ContextPart[]): void
  showStatus(status: Status): void
}

/** A composer that begins with this draft and tells `onDraft` of each change. */
export function createComposer(
  { words, tell }: Omit<Frame, 'focusInput'>,
  draft: string,
  onDraft: (text: string) => void,
): Composer {
  let isBusy = false
  const input = h('textarea', {
    rows: '2',
    'aria-label': words.message,
    oninput: () => onDraft(input.value),
    onkeydown,
  })
  input.value = draft
  const button = h('button', { type: 'button', class: 'send', onclick: act }, words.send)
  const chips = h('ul', { class: 'chips', 'aria-label': words.context })
  const line = h('p', { class: 'status' })

  function onkeydown(event: Event) {
    const { key, shiftKey, isComposing } = event as KeyboardEvent
    if (key === 'Escape' && isBusy) return tell({ type: 'stop' })
    // the Enter that ends the input of a Chinese or Japanese word sends nothing
    if (key !== 'Enter' || shiftKey || isComposing) return
    event.preventDefault()
    if (!isBusy) act()
  }

  function act() {
    if (isBusy) return tell({ type: 'stop' })
    const text = input.value.trim()
    if (text === '') return
    tell({ type: 'send', text })
    input.value = ''
    onDraft('')
    input.focus()
  }

  return {
    element: h('footer', {}, line, chips, h('div', { class: 'row' }, input, button)),
    focus: () => input.focus(),
    showContext(parts) {
      chips.hidden = parts.length === 0
      chips.replaceChildren(
        ...parts.map(({ id, label }) => {
          const name = fill(words.removeContext, label)
          const remove = () => tell({ type: 'remove-context', id })
          return h(
            'li',
            { class: 'chip', title: label },
            h('span', {}, label),
            h('button', { type: 'button', 'aria-label': name, title: name, onclick: remove }, '×'),
          )
        }),
      )
    },
    showStatus(status) {
      isBusy = status.isBusy
      input.placeholder = isEmbedded(status) ? words.embeddedPlaceholder : words.placeholder
      button.textContent = isBusy ? words.stop : words.send
      button.classList.toggle('stop', isBusy)
      const { model, guardMode, turn, tokens, sign, fault } = status
      const guard = { enforce: words.guardOn, observe: words.guardObserve, off: words.guardOff }[
        guardMode
      ]
      const parts = [
        model,
        guard,
        ...(turn > 0 ? [fill(words.turn, turn)] : []),
        ...(tokens > 0 ? [fill(words.tokens, showCount(tokens))] : []),
      ]
      line.replaceChildren(
        h('span', { class: `guard ${guardMode}` }),
        parts.join(' · '),
        fault === undefined ? '' : h('span', { class: 'fault', title: fault }, words.fault),
        sign
          ? h('span', { class: 'sign' }, fill(words.near, sign.detector, sign.count, sign.limit))
          : '',
      )
    },
  }
}

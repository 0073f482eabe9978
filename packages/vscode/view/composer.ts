import type { ContextPart } from '../src/chat/item.js'
import type { Status } from '../src/protocol.js'
import type { WaitingMessage } from '../src/waiting.js'
import { refill } from './carry-over.js'
import { fill, h } from './dom.js'
import type { Frame } from './frame.js'
import { isEmbedded } from './is-embedded.js'
import { createStatusLine } from './status-line.js'

/** Where the person writes, with what goes along with it and how things stand. */
export interface Composer {
  element: HTMLElement
  focus(): void
  showContext(parts: readonly ContextPart[]): void
  showStatus(status: Status): void
  showWaiting(messages: readonly WaitingMessage[]): void
  /** Puts a text before what is being written. */
  giveBack(text: string): void
}

/** A composer that begins with this draft and tells `onDraft` of each change. */
export function createComposer(
  { words, tell, announce }: Pick<Frame, 'words' | 'tell' | 'announce'>,
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
  const sendButton = h('button', { type: 'button', class: 'send', onclick: send }, words.send)
  const stopButton = h(
    'button',
    { type: 'button', class: 'stop', hidden: true, onclick: () => tell({ type: 'stop' }) },
    words.stop,
  )
  const chips = h('ul', { class: 'chips', 'aria-label': words.context })
  const queue = h('ul', { class: 'waiting', 'aria-label': words.afterwards, hidden: true })
  const line = createStatusLine({ words, tell })
  const why = h('p', {})
  const continueButton = h(
    'button',
    { type: 'button', onclick: () => tell({ type: 'continue-here' }) },
    words.continueHere,
  )
  const newButton = h(
    'button',
    { type: 'button', class: 'quiet', onclick: () => tell({ type: 'new-chat' }) },
    words.newChat,
  )
  const buttons = h('div', { class: 'buttons' }, continueButton, newButton)
  // it is read out when it appears
  const reading = h('section', { class: 'reading', role: 'status', hidden: true }, why, buttons)
  const row = h('div', { class: 'row' }, input, stopButton, sendButton)

  /** What cannot be written to has no input, but says why, and what to do. */
  function showReading(state: Status['reading']) {
    const hidden = state === undefined ? reading : row
    const hadFocus = hidden.contains(document.activeElement)
    reading.hidden = state === undefined
    row.hidden = state !== undefined
    chips.hidden = state !== undefined
    const texts = {
      'open-elsewhere': words.openElsewhere,
      requested: words.requested,
      unanswered: words.otherIsSilent,
    }
    const text = state === undefined ? '' : texts[state]
    if (why.textContent !== text) why.textContent = text
    continueButton.disabled = state === 'requested'
    // the keyboard does not get lost with what it was on
    if (hadFocus) (state === undefined ? input : newButton).focus()
  }

  function placeholderFor(status: Status): string {
    if (status.isBusy) return words.busyPlaceholder
    return isEmbedded(status) ? words.embeddedPlaceholder : words.placeholder
  }

  function onkeydown(event: Event) {
    const { key, shiftKey, isComposing } = event as KeyboardEvent
    if (key === 'Escape' && isBusy && !isComposing) return tell({ type: 'stop' })
    // the Enter that ends the input of a Chinese or Japanese word sends nothing
    if (key !== 'Enter' || shiftKey || isComposing) return
    event.preventDefault()
    send()
  }

  /** Sends it; while the agent is busy, it waits for its turn. */
  function send() {
    const text = input.value.trim()
    if (text === '') return
    tell({ type: 'send', text })
    input.value = ''
    onDraft('')
    input.focus()
  }

  function giveBack(text: string) {
    input.value = [text, input.value].filter(Boolean).join('\n\n')
    onDraft(input.value)
  }

  const footer = h('footer', {}, line.element, reading, queue, chips, row)

  return {
    element: footer,
    focus: () => input.focus(),
    giveBack(text) {
      giveBack(text)
      announce(words.givenBack)
      // the person may be writing elsewhere in the editor
      if (document.hasFocus()) input.focus()
    },
    showWaiting(messages) {
      refill(
        queue,
        messages.map(({ id, text }) => {
          const remove = () => {
            tell({ type: 'remove-waiting', id })
            input.focus()
          }
          const edit = () => {
            tell({ type: 'remove-waiting', id })
            giveBack(text)
            input.focus()
          }
          return h(
            'li',
            {},
            h('span', { class: 'waits' }, text),
            smallButton('\u270e', fill(words.edit, text), edit),
            smallButton('\u00d7', fill(words.remove, text), remove),
          )
        }),
        () => input,
      )
    },
    showContext(parts) {
      refill(
        chips,
        parts.map(({ id, label }) => {
          const name = fill(words.removeContext, label)
          const remove = () => tell({ type: 'remove-context', id })
          return h(
            'li',
            { class: 'chip', title: label },
            h('span', {}, label),
            smallButton('\u00d7', name, remove),
          )
        }),
        (place) => [...chips.querySelectorAll('button')].slice(0, place + 1).at(-1) ?? input,
      )
    },
    showStatus(status) {
      isBusy = status.isBusy
      input.placeholder = placeholderFor(status)
      // where there is nothing to stop any more, the person goes on writing
      if (!isBusy && stopButton === document.activeElement) input.focus()
      stopButton.hidden = !isBusy
      showReading(status.reading)
      line.show(status)
    },
  }
}

/** A button that is a sign, with a name for those who cannot see it. */
const smallButton = (sign: string, name: string, onclick: () => void) =>
  h('button', { type: 'button', class: 'small', 'aria-label': name, title: name, onclick }, sign)

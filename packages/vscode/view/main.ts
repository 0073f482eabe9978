import type { ChatItem } from '../src/chat/item.js'
import type { LoopWords } from '../src/chat/loop-words.js'
import { never } from '../src/never.js'
import type { FromView, Status, ToView } from '../src/protocol.js'
import type { ViewWords } from '../src/view-words.js'
import { type Composer, createComposer } from './composer.js'
import { h } from './dom.js'
import type { Frame } from './frame.js'
import { isEmbedded } from './is-embedded.js'
import { itemElement } from './item.js'
import { toElements } from './markdown.js'

declare function acquireVsCodeApi(): {
  postMessage(message: FromView): void
  getState(): { draft?: string } | undefined
  setState(state: { draft: string }): void
}

const editor = acquireVsCodeApi()
const tell = (message: FromView) => editor.postMessage(message)

window.addEventListener('message', ({ data }: MessageEvent<ToView>) => {
  if (data.type === 'start') start(data.words)
  else show?.(data)
})
tell({ type: 'ready' })

let show: ((message: Exclude<ToView, { type: 'start' }>) => void) | undefined

/** Builds the page; the host sends what is to be seen right after. */
function start(words: ViewWords) {
  const composer: Composer = createComposer(
    { words, tell },
    editor.getState()?.draft ?? '',
    (draft) => editor.setState({ draft }),
  )
  const frame: Frame = { words, tell, focusInput: composer.focus }
  const list = h('ol', { class: 'list' })
  const log = h('div', { id: 'items', role: 'log', 'aria-label': words.chat, tabindex: '0' }, list)
  const offers = offersElement(frame)
  const welcome = h('section', { class: 'welcome' }, h('p', {}, words.welcome), offers)
  const announcer = h('p', { class: 'hidden', role: 'status' })
  document.body.replaceChildren(h('main', {}, welcome, log), announcer, composer.element)

  const items: ChatItem[] = []
  const loops = new Map<number, LoopWords>()
  const dirty = new Set<number>()
  let status: Status | undefined

  function put(index: number, item: ChatItem, loop: LoopWords | undefined) {
    items[index] = item
    if (loop) loops.set(index, loop)
    const next = itemElement(item, loops.get(index), frame)
    const old = list.children[index]
    const hadFocus = old?.contains(document.activeElement)
    const isOpen = old?.querySelector('details')?.open
    if (old) old.replaceWith(next)
    else list.append(next)
    const details = next.querySelector('details')
    if (details && isOpen) details.open = true
    // a card whose buttons are gone must not leave the keyboard nowhere
    if (hadFocus) composer.focus()
    welcome.hidden = items.length > 0
  }

  function write(index: number, text: string) {
    const item = items[index]
    if (item?.type !== 'answer' && item?.type !== 'thought') return
    items[index] = { ...item, text: item.text + text }
    if (dirty.size === 0) requestAnimationFrame(drawText)
    dirty.add(index)
  }

  /** Draws what was written since the last frame. */
  function drawText() {
    for (const index of dirty) {
      const item = items[index]
      const target = list.children[index]?.querySelector('.text, .said')
      if (item?.type === 'answer') target?.replaceChildren(...toElements(item.text))
      if (item?.type === 'thought' && target) target.textContent = item.text
    }
    dirty.clear()
    keepBottom()
  }

  let isAtBottom = true
  log.addEventListener('scroll', () => {
    isAtBottom = log.scrollHeight - log.scrollTop - log.clientHeight < 40
  })
  function keepBottom() {
    if (isAtBottom) log.scrollTop = log.scrollHeight
  }

  function showStatus(next: Status) {
    composer.showStatus(next)
    offers.hidden = !isEmbedded(next)
    // what is being written is read out once it is complete
    log.setAttribute('aria-busy', String(next.isBusy))
    document.body.classList.toggle('busy', next.isBusy)
    if (next.isBusy && !status?.isBusy) announcer.textContent = words.working
    if (!next.isBusy && status?.isBusy && !next.isStopped) announcer.textContent = words.answered
    status = next
  }

  show = (message) => {
    switch (message.type) {
      case 'chat':
        items.length = 0
        loops.clear()
        list.replaceChildren()
        welcome.hidden = false
        isAtBottom = true
        for (const [index, { item, loop }] of message.items.entries()) put(index, item, loop)
        return keepBottom()
      case 'item':
        put(message.index, message.item, message.loop)
        return keepBottom()
      case 'delta':
        return write(message.index, message.text)
      case 'status':
        return showStatus(message.status)
      case 'context':
        return composer.showContext(message.parts)
      case 'reveal':
        return reveal(list.children[message.index])
      case 'focus':
        return composer.focus()
      default:
        return never(message)
    }
  }
}

function reveal(element: Element | undefined) {
  if (!(element instanceof HTMLElement)) return
  element.tabIndex = -1
  element.scrollIntoView({ block: 'center' })
  element.focus()
}

/** What the embedded model can be asked first. */
function offersElement({ words, tell }: Frame): HTMLElement {
  const offer = (label: string, text: string) => {
    const onclick = () => tell({ type: 'send', text })
    return h('button', { type: 'button', class: 'quiet', onclick }, label)
  }
  return h(
    'div',
    { class: 'buttons' },
    offer(words.tryAsk, 'How does the ladder work?'),
    offer(words.tryStuck, '/stuck repeated-call'),
  )
}

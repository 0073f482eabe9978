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
import { createPainter } from './painter.js'
import { createPaths } from './paths.js'
import { createWrittenText, type WrittenText } from './written-text.js'

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
  const list = h('ol', { class: 'list' })
  const log = h('div', { id: 'items', role: 'log', 'aria-label': words.chat, tabindex: '0' }, list)
  const announcer = h('p', { class: 'hidden', role: 'status' })
  const painter = createPainter(keepBottom)
  const frame: Frame = {
    ...{ words, tell, focusInput: composer.focus, paint: painter.add },
    paths: createPaths(tell, words.openPath),
    announce(text) {
      announcer.textContent = text
    },
  }
  const offers = offersElement(frame)
  const welcome = h('section', { class: 'welcome' }, h('p', {}, words.welcome), offers)
  document.body.replaceChildren(h('main', {}, welcome, log), announcer, composer.element)

  let items: ChatItem[] = []
  const loops = new Map<number, LoopWords>()
  const texts = new Map<number, WrittenText>()
  let status: Status | undefined

  /** The text of an answer; that of one which only got a mark is as it was. */
  function textOf(index: number, item: ChatItem): HTMLElement | undefined {
    if (item.type !== 'answer') return
    const before = items[index]
    const old = texts.get(index)
    if (old && before?.type === 'answer' && before.text === item.text) return old.element
    const written = createWrittenText(item.text, frame)
    texts.set(index, written)
    return written.element
  }

  function elementFor(index: number, item: ChatItem, loop: LoopWords | undefined): HTMLElement {
    const text = textOf(index, item)
    items[index] = item
    if (loop) loops.set(index, loop)
    return itemElement(item, { loop: loops.get(index), text }, frame)
  }

  function put(index: number, item: ChatItem, loop: LoopWords | undefined) {
    const old = list.children[index]
    const hadFocus = old?.contains(document.activeElement)
    const isOpen = old?.querySelector('details')?.open
    const next = elementFor(index, item, loop)
    if (old) old.replaceWith(next)
    else list.append(next)
    const details = next.querySelector('details')
    if (details && isOpen) details.open = true
    welcome.hidden = items.length > 0
    if (!old || old === pinned) pinned = isOpenLoop(item) ? next : undefined
    if (!hadFocus) return
    // a card whose buttons are gone must not leave the keyboard nowhere
    const card = next.querySelector('[data-key]') && next.querySelector<HTMLElement>('.card')
    if (card) card.focus()
    else composer.focus()
  }

  function showAll(all: { item: ChatItem; loop?: LoopWords }[]) {
    painter.clear()
    items = []
    loops.clear()
    texts.clear()
    isAtBottom = true
    list.replaceChildren(...all.map(({ item, loop }, index) => elementFor(index, item, loop)))
    welcome.hidden = items.length > 0
    const last = list.lastElementChild
    pinned = last instanceof HTMLElement && isOpenLoop(items.at(-1)) ? last : undefined
    keepBottom()
  }

  function write(index: number, text: string) {
    const item = items[index]
    if (item?.type !== 'answer' && item?.type !== 'thought') return
    items[index] = { ...item, text: item.text + text }
    if (item.type === 'answer') texts.get(index)?.write(text)
    else list.children[index]?.querySelector('.said')?.append(text)
  }

  let isAtBottom = true
  log.addEventListener('scroll', () => {
    if (!pinned) isAtBottom = log.scrollHeight - log.scrollTop - log.clientHeight < 40
  })
  /** what is to be decided about is read from its beginning, until the person looks elsewhere */
  let pinned: HTMLElement | undefined
  for (const type of ['wheel', 'pointerdown', 'keydown', 'focusin']) {
    log.addEventListener(type, () => {
      pinned = undefined
    })
  }
  function keepBottom() {
    if (pinned && isAtBottom) pinned.scrollIntoView({ block: 'start' })
    if (!pinned && isAtBottom) log.scrollTop = log.scrollHeight
  }
  // items are laid out when they come into sight, and are higher then than was thought
  new ResizeObserver(keepBottom).observe(list)

  function showStatus(next: Status) {
    composer.showStatus(next)
    offers.hidden = !isEmbedded(next)
    // what is being written is read out once it is complete
    log.setAttribute('aria-busy', String(next.isBusy))
    document.body.classList.toggle('busy', next.isBusy)
    if (next.isBusy && !status?.isBusy) frame.announce(words.working)
    if (!next.isBusy && status?.isBusy && !next.isStopped) frame.announce(words.answered)
    status = next
  }

  show = (message) => {
    switch (message.type) {
      case 'chat':
        return showAll(message.items)
      case 'item':
        put(message.index, message.item, message.loop)
        return keepBottom()
      case 'delta':
        return write(message.index, message.text)
      case 'status':
        return showStatus(message.status)
      case 'context':
        return composer.showContext(message.parts)
      case 'paths':
        return frame.paths.answer(message.asked, message.existing)
      case 'waiting':
        return composer.showWaiting(message.messages)
      case 'give-back':
        return composer.giveBack(message.text)
      case 'reveal':
        return reveal(list.children[message.index])
      case 'focus':
        return composer.focus()
      default:
        return never(message)
    }
  }
}

const isOpenLoop = (item: ChatItem | undefined) =>
  item?.type === 'loop' && item.decision === undefined

function reveal(element: Element | undefined) {
  if (!(element instanceof HTMLElement)) return
  element.tabIndex = -1
  element.scrollIntoView({ block: 'center' })
  // a loop is decided with keys, where it has the focus
  const target = element.querySelector<HTMLElement>('.card[tabindex]') ?? element
  target.focus()
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

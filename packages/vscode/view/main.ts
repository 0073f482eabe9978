import type { ChatItem } from '../src/chat/item.js'
import type { LoopWords } from '../src/chat/loop-words.js'
import { never } from '../src/never.js'
import type { FromView, Status, ToView } from '../src/protocol.js'
import type { ViewWords } from '../src/view-words.js'
import { announcementOf } from './announcement.js'
import { carryOver } from './carry-over.js'
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
  const announcer = h('p', { class: 'hidden', role: 'status' })
  const announce = (text: string) => {
    announcer.textContent = text
  }
  const composer: Composer = createComposer(
    { words, tell, announce },
    editor.getState()?.draft ?? '',
    (draft) => editor.setState({ draft }),
  )
  const list = h('ol', { class: 'list' })
  const log = h('div', { id: 'items', role: 'log', 'aria-label': words.chat, tabindex: '0' }, list)
  const painter = createPainter(keepBottom)
  const frame: Frame = {
    ...{ words, tell, announce, focusInput: composer.focus, paint: painter.add },
    paths: createPaths(tell, words.openPath),
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
    if (old && isSame([item, loop], [items[index], loops.get(index)])) return
    const draw = () => elementFor(index, item, loop)
    const wasPinned = old === pinned
    const next = old ? carryOver(old, draw, composer.focus) : add(item, draw())
    welcome.hidden = items.length > 0
    if (!old || wasPinned) pinned = isOpenLoop(item) ? next : undefined
  }

  /** Something new: it is told, unlike what is only shown again. */
  function add(item: ChatItem, element: HTMLElement): HTMLElement {
    log.setAttribute('aria-live', 'polite')
    list.append(element)
    const text = announcementOf(item, words)
    if (text !== undefined) announce(text)
    return element
  }

  function showAll(all: { item: ChatItem; loop?: LoopWords }[]) {
    painter.clear()
    items = []
    loops.clear()
    texts.clear()
    isAtBottom = true
    log.setAttribute('aria-live', 'off')
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
    offers.hidden = !isEmbedded(next) || next.reading !== undefined
    // what is being written is read out once it is complete
    log.setAttribute('aria-busy', String(next.isBusy))
    document.body.classList.toggle('busy', next.isBusy)
    document.body.classList.toggle('read-only', next.reading !== undefined)
    if (next.isBusy && !status?.isBusy) announce(words.working)
    if (!next.isBusy && status?.isBusy && isAnswered(items.at(-1))) announce(words.answered)
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
        composer.focus()
        return tell({ type: 'focused' })
      default:
        return never(message)
    }
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Whether a run that ends with this item has come to an end of its own; of any other the item tells. */
const isAnswered = (item: ChatItem | undefined) => item?.type === 'answer'

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

import type { ChatItem, ItemAction, ItemOf } from '../src/chat/item.js'
import type { LoopWords } from '../src/chat/loop-words.js'
import { never } from '../src/never.js'
import { toSentences } from '../src/sentences.js'
import { announcementOf } from './announcement.js'
import { fill, h } from './dom.js'
import type { Frame } from './frame.js'
import { loopCard, warningCard } from './loop-card.js'

/** What an item has besides its own fields: what is said of a loop, and the text of an answer. */
export interface Drawn {
  loop: LoopWords | undefined
  text: HTMLElement | undefined
}

/** One thing of the chat as a list item. */
export function itemElement(item: ChatItem, drawn: Drawn, frame: Frame): HTMLElement {
  const marks = [item.isLoop && 'in-loop', item.isUndone && 'undone'].filter(Boolean)
  return h(
    'li',
    {
      class: ['item', item.type, ...marks].join(' '),
      // told once, when it is new, and not each time it is drawn
      'aria-live': announcementOf(item, frame.words) !== undefined && 'off',
    },
    item.isUndone && h('span', { class: 'mark' }, frame.words.undone),
    item.isLoop && !item.isUndone && h('span', { class: 'mark' }, frame.words.loop),
    ...content(item, drawn, frame),
  )
}

function content(item: ChatItem, { loop, text }: Drawn, frame: Frame): HTMLElement[] {
  const { words } = frame
  switch (item.type) {
    case 'person':
      return [
        h('h2', { class: 'who' }, words.you),
        h('p', { class: 'said' }, item.text),
        ...(item.context.length > 0 ? [contextOf(item, frame)] : []),
      ]
    case 'answer':
      return [h('h2', { class: 'who' }, item.agent ?? words.agent), ...(text ? [text] : [])]
    case 'thought':
      return [
        h('details', {}, h('summary', {}, words.thinking), h('p', { class: 'said' }, item.text)),
      ]
    case 'call':
      return [callElement(item, frame)]
    case 'question':
      return [questionElement(item, frame)]
    case 'warning':
      return loop ? [warningCard(item, loop, frame)] : []
    case 'loop':
      return loop ? [loopCard(item, loop, frame)] : []
    case 'notice':
      return [h('p', {}, item.text), ...actionButtons(item.actions, frame)]
    case 'error':
      return [
        h('p', {}, toSentences(item.message, item.advice)),
        ...actionButtons(item.actions, frame),
      ]
    default:
      return never(item)
  }
}

const contextOf = ({ context }: ItemOf<'person'>, { words }: Frame) =>
  h(
    'ul',
    { class: 'chips', 'aria-label': words.context },
    ...context.map(({ label }) => h('li', { class: 'chip', title: label }, h('span', {}, label))),
  )

function callElement({ name, args, output, state }: ItemOf<'call'>, { words }: Frame): HTMLElement {
  const line = args.replace(/\s+/g, ' ')
  return h(
    'details',
    { class: `call ${state}` },
    h(
      'summary',
      {},
      h('span', { class: 'tool' }, name),
      h('span', { class: 'args' }, line),
      h('span', { class: 'state' }, words[state]),
    ),
    args !== '' && h('pre', { tabindex: '0' }, args),
    output !== '' && h('pre', { tabindex: '0' }, output),
  )
}

function questionElement(item: ItemOf<'question'>, { words, tell }: Frame): HTMLElement {
  const title = fill(words.wantsTo, item.tool)
  const answer =
    (isAgreed: boolean, isForGood = false) =>
    () =>
      tell({ type: 'answer', id: item.id, isAgreed, isForGood })
  const scopes = item.scopes?.join(', ') ?? ''
  return h(
    'section',
    { class: 'card question', 'aria-label': title },
    h('h2', {}, title),
    h('pre', { tabindex: '0' }, item.question),
    item.answer === undefined
      ? h(
          'div',
          { class: 'buttons' },
          h('button', { type: 'button', onclick: answer(true) }, words.run),
          scopes !== '' &&
            h(
              'button',
              { type: 'button', class: 'quiet', onclick: answer(true, true) },
              fill(words.runAlways, scopes),
            ),
          h('button', { type: 'button', class: 'quiet', onclick: answer(false) }, words.refuse),
        )
      : h('p', { class: 'decision' }, answerOf(item, words)),
  )
}

function answerOf({ answer, isCancelled }: ItemOf<'question'>, words: Frame['words']): string {
  if (isCancelled) return words.unanswered
  return answer ? words.agreed : words.disagreed
}

function actionButtons(actions: ItemAction[] = [], { words, tell }: Frame): HTMLElement[] {
  if (actions.length === 0) return []
  const labels: Record<ItemAction, string> = {
    resume: words.resume,
    retry: words.retry,
    'set-key': words.setKey,
    'open-settings': words.openSettings,
  }
  const button = (action: ItemAction) => {
    const onclick = () => tell({ type: 'act', action })
    return h('button', { type: 'button', class: 'quiet', onclick }, labels[action])
  }
  return [h('div', { class: 'buttons' }, ...actions.map(button))]
}

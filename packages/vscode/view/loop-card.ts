import type { ItemOf } from '../src/chat/item.js'
import type { LoopWords } from '../src/chat/loop-words.js'
import { h } from './dom.js'
import type { Frame } from './frame.js'

/** A loop that ended the run: what looped, how often, what it cost, and the buttons to decide. */
export function loopCard(item: ItemOf<'loop'>, loop: LoopWords, frame: Frame): HTMLElement {
  const { words } = frame
  const isOpen = item.decision === undefined
  return h(
    'section',
    { class: 'card loop', role: 'group', 'aria-label': words.loopTitle },
    isOpen &&
      h('span', { class: 'hidden', role: 'alert' }, `${words.loopTitle}. ${item.finding.detail}`),
    h('h2', {}, words.loopTitle),
    evidence(item, loop, frame),
    ...(isOpen ? buttons(item, loop, frame) : [h('p', { class: 'decision' }, item.decision ?? '')]),
  )
}

/** A loop the run went on after: one line, the evidence on demand. */
export function warningCard(item: ItemOf<'warning'>, loop: LoopWords, frame: Frame): HTMLElement {
  const { words } = frame
  const isLikely = item.finding.certainty === 'likely'
  const done = isLikely ? words.struggling : words.stuck
  const observed = isLikely ? words.observedStruggling : words.observedStuck
  const title = item.isObserved ? observed : done
  const then = item.isObserved ? '' : ` (${loop.action})`
  return h(
    'details',
    { class: isLikely ? 'card warning likely' : 'card warning' },
    h('summary', {}, h('strong', {}, title), `: ${item.finding.detail}${then}`),
    evidence(item, loop, frame),
  )
}

function evidence(
  { finding }: ItemOf<'loop'> | ItemOf<'warning'>,
  { cost, action }: LoopWords,
  { words }: Frame,
): HTMLElement {
  const { detail, sample, count, detector, kind } = finding
  const rule = kind === detector ? detector : `${detector} (${kind})`
  const facts: [string, string | Node][] = [
    [words.what, detail],
    ...(sample ? [[words.seen, h('code', {}, sample)] as [string, Node]] : []),
    [words.times, String(count)],
    [words.cost, cost],
    [words.rule, rule],
    [words.outcome, action],
  ]
  return h('dl', {}, ...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]))
}

function buttons(item: ItemOf<'loop'>, loop: LoopWords, frame: Frame): HTMLElement[] {
  const form = hintForm(item, frame)
  const row = h('div', { class: 'buttons' })
  for (const { id, label } of loop.buttons) {
    const choose = () => {
      if (id !== 'hint') return frame.tell({ type: 'choose', id: item.id, choice: { type: id } })
      form.hidden = false
      form.querySelector('input')?.focus()
    }
    row.append(h('button', { type: 'button', onclick: choose }, label))
  }
  return [row, form]
}

function hintForm({ id }: ItemOf<'loop'>, { words, tell, focusInput }: Frame): HTMLFormElement {
  const input = h('input', { type: 'text', 'aria-label': words.hint, placeholder: words.hint })
  const hide = () => {
    form.hidden = true
    focusInput()
  }
  const form = h(
    'form',
    {
      class: 'hint',
      hidden: true,
      onsubmit(event) {
        event.preventDefault()
        const text = input.value.trim()
        if (text !== '') tell({ type: 'choose', id, choice: { type: 'hint', text } })
      },
    },
    input,
    h('button', { type: 'submit' }, words.sendHint),
    h('button', { type: 'button', class: 'quiet', onclick: hide }, words.cancel),
  )
  return form
}

import type { Fact } from 'unloop/words'
import type { ItemOf } from '../src/chat/item.js'
import type { LoopWords } from '../src/chat/loop-words.js'
import { h } from './dom.js'
import type { Frame } from './frame.js'

/** A loop that ended the run: what looped, how often, what it cost, and what can be decided. */
export function loopCard(item: ItemOf<'loop'>, loop: LoopWords, frame: Frame): HTMLElement {
  const { words } = frame
  const isOpen = item.decision === undefined
  return h(
    'section',
    {
      ...{ class: 'card loop', role: 'group', 'aria-label': words.loopTitle, tabindex: '0' },
      ...(isOpen && { onkeydown: pressByKey }),
    },
    h('h2', {}, words.loopTitle),
    factsElement(loop),
    ...(isOpen ? choices(item, loop, frame) : [h('p', { class: 'decision' }, item.decision ?? '')]),
    loop.calls.length > 0 && callsTable(loop.calls, frame),
  )
}

/** A loop the run went on after: one line, the evidence on demand. */
export function warningCard(item: ItemOf<'warning'>, loop: LoopWords, frame: Frame): HTMLElement {
  const { words } = frame
  const isLikely = item.finding.certainty === 'likely'
  const done = isLikely ? words.struggling : words.stuck
  const observed = isLikely ? words.observedStruggling : words.observedStuck
  const title = item.isObserved ? observed : done
  const then = loop.facts.find(({ name }) => name === 'then')?.value
  return h(
    'details',
    { class: isLikely ? 'card warning likely' : 'card warning' },
    h(
      'summary',
      {},
      h('strong', {}, title),
      `: ${item.finding.detail}${item.isObserved ? '' : ` (${then})`}`,
    ),
    factsElement(loop),
    loop.calls.length > 0 && callsTable(loop.calls, frame),
  )
}

const factsElement = ({ facts }: LoopWords): HTMLElement =>
  h('dl', {}, ...facts.flatMap(({ label, ...fact }) => [h('dt', {}, label), toValue(fact)]))

const toValue = ({ name, value }: Omit<Fact, 'label'>) =>
  h('dd', {}, name === 'seen' ? h('code', {}, value) : value)

/** The last calls below each other, so that what is the same can be seen. */
const callsTable = (calls: LoopWords['calls'], { words }: Frame): HTMLElement =>
  h(
    'table',
    { class: 'laps' },
    h('caption', {}, words.lastCalls),
    h(
      'thead',
      {},
      h('tr', {}, h('th', { scope: 'col' }, words.call), h('th', { scope: 'col' }, words.answer)),
    ),
    h(
      'tbody',
      {},
      ...calls.map(({ name, args, answer, state }) =>
        h(
          'tr',
          {},
          h('td', {}, h('code', {}, args === '' ? name : `${name} ${args}`)),
          h('td', {}, answer === '' ? words[state] : h('code', {}, answer)),
        ),
      ),
    ),
  )

/** Presses the button whose key it is, unless the key is written into a hint. */
function pressByKey(event: Event) {
  const { key, ctrlKey, altKey, metaKey, target, currentTarget } = event as KeyboardEvent
  if (ctrlKey || altKey || metaKey || target instanceof HTMLInputElement) return
  const card = currentTarget as HTMLElement
  // a hint is being written, wherever the focus is at the moment
  if (card.querySelector('form.hint:not([hidden])')) return
  const buttons = card.querySelectorAll<HTMLElement>('[data-key]')
  const button = [...buttons].find(({ dataset }) => dataset.key === key)
  if (!button) return
  event.preventDefault()
  button.click()
}

function choices(item: ItemOf<'loop'>, loop: LoopWords, frame: Frame): HTMLElement[] {
  const form = hintForm(item, frame)
  const rows = loop.choices.map(({ name, key, label, effect }) => {
    const choose = () => {
      if (name !== 'hint') {
        return frame.tell({ type: 'choose', id: item.id, choice: { type: name } })
      }
      form.hidden = false
      form.querySelector('input')?.focus()
    }
    const described = `effect-${item.id}-${key}`
    return h(
      'li',
      {},
      h(
        'button',
        {
          ...{ type: 'button', onclick: choose, 'data-key': key },
          ...{ 'aria-keyshortcuts': key, 'aria-describedby': described },
        },
        h('kbd', { 'aria-hidden': 'true' }, key),
        label,
      ),
      h('span', { class: 'effect', id: described }, effect),
    )
  })
  return [h('ul', { class: 'choices' }, ...rows), form]
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

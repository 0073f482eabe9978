import { describeChoice } from 'unloop/words'
import { createChoiceForm } from './choice-form.js'
import { OPTIONS, type Option } from './choice-options.js'
import { element, setAttribute, setText } from './dom.js'
import type { Choice, Live, SessionView } from './live.js'

export interface ChoicePanel {
  element: HTMLElement
  /** Presses the choice with this key; false if there is none. */
  press(key: string): boolean
  update(session: SessionView, store: Live['store'], isGone: boolean): void
}

/** Returns what went wrong, in words, or ''. */
export type Send = (choice: Choice) => Promise<string>

/** The choices as buttons, each with what it does and a form where it asks for something. */
export function createChoicePanel(send: Send): ChoicePanel {
  const when = element('p', { class: 'quiet' })
  const status = element('p', { class: 'status', role: 'status' })
  const rows = OPTIONS.map((option) => createRow(option, choose))
  const section = element(
    'section',
    { class: 'choices', 'aria-labelledby': 'choices-heading' },
    element('h3', { id: 'choices-heading' }, 'Your choice'),
    when,
    element('ul', {}, ...rows.map((row) => row.element)),
    status,
  )
  let shared = false
  let isSending = false

  async function choose(choice: Choice): Promise<boolean> {
    if (isSending) return false
    isSending = true
    setText(status, 'Sending …')
    const problem = await send(choice)
    isSending = false
    status.classList.toggle('problem', problem !== '')
    setText(status, problem || `${toPast(choice)} ${toTiming(shared)}`)
    return problem === ''
  }

  return {
    element: section,
    press: (key) => rows.some((row) => row.press(key)),
    update(session, store, isGone) {
      shared = store.kind === 'redis'
      setText(when, isGone ? 'This session is no longer listed.' : toTiming(shared))
      for (const row of rows) row.update(session, isGone)
    },
  }
}

const toPast = ({ choice, ...rest }: Choice) => describeChoice({ type: choice, ...rest })

const toTiming = (shared: boolean) =>
  `It takes effect at the agent’s next request${shared ? ', on all instances' : ''}.`

function createRow(option: Option, choose: (choice: Choice) => Promise<boolean>) {
  const { choice, words, blocked } = option
  const button = element('button', {
    type: 'button',
    class: 'choice',
    'data-choice': choice,
    'aria-describedby': `effect-${choice}`,
  })
  const mark = element('kbd', { 'aria-hidden': 'true' })
  const name = element('span')
  button.append(mark, name)
  const line = element('p', { class: 'quiet', id: `effect-${choice}` })
  const row = element('li', {}, button, line)
  let session: SessionView | undefined
  let close = () => {}

  function open(shown: SessionView): void {
    const form = createChoiceForm(choice, shown, {
      cancel: () => close(),
      send: async (made) => {
        if (await choose(made)) close()
      },
    })
    if (!form) return void choose({ choice: 'continue-once' })
    close = () => {
      const hadFocus = form.element.contains(document.activeElement)
      form.element.remove()
      button.setAttribute('aria-expanded', 'false')
      close = () => {}
      if (hadFocus) button.focus()
    }
    button.setAttribute('aria-expanded', 'true')
    row.append(form.element)
    form.first.focus()
  }

  button.addEventListener('click', () => {
    if (button.getAttribute('aria-disabled') === 'true' || !session) return
    if (button.getAttribute('aria-expanded') === 'true') close()
    else open(session)
  })
  if (choice !== 'continue-once') button.setAttribute('aria-expanded', 'false')

  return {
    element: row,
    /** Presses it, if this is its key. */
    press(key: string): boolean {
      if (mark.textContent !== key) return false
      button.focus()
      button.click()
      return true
    },
    update(shown: SessionView, isGone: boolean) {
      session = shown
      const why = blocked(shown)
      const { key, label, effect } = words(shown)
      setText(name, label)
      setText(mark, key)
      setAttribute(button, 'aria-keyshortcuts', key)
      setText(line, why || effect)
      setAttribute(button, 'aria-disabled', why !== '' || isGone ? 'true' : undefined)
    },
  }
}

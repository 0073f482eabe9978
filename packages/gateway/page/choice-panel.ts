import { createChoiceForm } from './choice-form.js'
import { OPTIONS, type Option } from './choice-options.js'
import { element, setAttribute, setText } from './dom.js'
import type { Choice, Live, SessionView } from './live.js'
import { showChoice } from './show.js'

export interface ChoicePanel {
  element: HTMLElement
  update(session: SessionView, store: Live['store'], isGone: boolean): void
}

/** Returns what went wrong, in words, or ''. */
export type Send = (choice: Choice) => Promise<string>

/** The choices as buttons, each with what it does and a form where it asks for something. */
export function createChoicePanel(send: Send): ChoicePanel {
  const when = element('p', { class: 'quiet' })
  const status = element('p', { class: 'status', role: 'status' })
  const rows = OPTIONS.map((option) => createRow(option, choose))
  let shared = false
  let isSending = false

  async function choose(choice: Choice): Promise<boolean> {
    if (isSending) return false
    isSending = true
    setText(status, 'Sending …')
    const problem = await send(choice)
    isSending = false
    status.classList.toggle('problem', problem !== '')
    setText(status, problem || `${showChoice(choice.choice)}: saved. ${toTiming(shared)}`)
    return problem === ''
  }

  return {
    element: element(
      'section',
      { class: 'choices', 'aria-labelledby': 'choices-heading' },
      element('h3', { id: 'choices-heading' }, 'Your choice'),
      when,
      element('ul', {}, ...rows.map((row) => row.element)),
      status,
    ),
    update(session, store, isGone) {
      shared = store.kind === 'redis'
      setText(when, isGone ? 'This session is no longer listed.' : toTiming(shared))
      for (const row of rows) row.update(session, isGone)
    },
  }
}

const toTiming = (shared: boolean) =>
  `It takes effect at the agent’s next request${shared ? ', on all instances' : ''}.`

function createRow(option: Option, choose: (choice: Choice) => Promise<boolean>) {
  const { choice, label, effect, blocked } = option
  const button = element('button', {
    type: 'button',
    class: 'choice',
    'data-choice': choice,
    'aria-describedby': `effect-${choice}`,
  })
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
    if (!form) return void choose({ choice: 'continue' })
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
  if (choice !== 'continue') button.setAttribute('aria-expanded', 'false')

  return {
    element: row,
    update(shown: SessionView, isGone: boolean) {
      session = shown
      const why = blocked(shown)
      setText(button, label(shown))
      setText(line, why || effect(shown))
      setAttribute(button, 'aria-disabled', why !== '' || isGone ? 'true' : undefined)
    },
  }
}

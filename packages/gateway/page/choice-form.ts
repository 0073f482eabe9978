import { toolOf } from './choice-options.js'
import { element } from './dom.js'
import type { Choice, SessionView } from './live.js'

/** What a choice asks for before it is sent. */
export interface ChoiceForm {
  element: HTMLFormElement
  /** where the focus goes */
  first: HTMLElement
}

interface Handlers {
  send(choice: Choice): void
  cancel(): void
}

/** The form of a choice, made for the session as it is now; "Continue once" has none. */
export function createChoiceForm(
  choice: Choice['choice'],
  session: SessionView,
  handlers: Handlers,
): ChoiceForm | undefined {
  switch (choice) {
    case 'continue-once':
      return
    case 'allow':
      return toAllowForm(session, handlers)
    case 'hint':
      return toHintForm(handlers)
    case 'stop':
      return toConfirmation(
        'Stop this session? The agent’s next request is answered by the gateway, not by the model.',
        'Stop session',
        choice,
        handlers,
      )
    case 'disable':
      return toConfirmation(
        'Disable the guard for this session? This cannot be undone.',
        'Disable guard',
        choice,
        handlers,
      )
  }
}

function toAllowForm(session: SessionView, handlers: Handlers): ChoiceForm {
  const tool = toolOf(session)
  const always = element('input', { type: 'radio', name: 'times', checked: true })
  const limited = element('input', { type: 'radio', name: 'times' })
  const times = element('input', {
    type: 'number',
    min: '1',
    max: '1000000',
    // twice as many as there were
    value: `${Math.max(10, 2 * (session.findings.at(-1)?.count ?? 0))}`,
    'aria-label': 'Number of repeats',
  })
  times.addEventListener('focus', () => {
    limited.checked = true
  })
  const form = toForm(`Allow ${tool}`, handlers, [
    element(
      'fieldset',
      {},
      element('legend', {}, `How often may ${tool} repeat?`),
      element('label', { class: 'radio' }, always, 'always in this session'),
      element('label', { class: 'radio' }, limited, 'up to ', times, ' times'),
    ),
  ])
  form.addEventListener('submit', () =>
    handlers.send({
      choice: 'allow',
      tool,
      ...(limited.checked ? { times: times.valueAsNumber } : {}),
    }),
  )
  return { element: form, first: always }
}

function toHintForm(handlers: Handlers): ChoiceForm {
  const text = element('textarea', { rows: '3', required: true, maxlength: '2000' })
  const form = toForm('Send hint', handlers, [
    element('label', { class: 'stacked' }, 'Hint for the model', text),
  ])
  form.addEventListener('submit', () => handlers.send({ choice: 'hint', text: text.value.trim() }))
  text.addEventListener('input', () =>
    text.setCustomValidity(text.value.trim() === '' ? 'Write what the model should know.' : ''),
  )
  return { element: form, first: text }
}

function toConfirmation(
  question: string,
  label: string,
  choice: 'stop' | 'disable',
  handlers: Handlers,
): ChoiceForm {
  const form = toForm(label, handlers, [element('p', { id: `question-${choice}` }, question)])
  const first = form.querySelector('button') as HTMLElement
  first.setAttribute('aria-describedby', `question-${choice}`)
  first.classList.add('danger')
  form.addEventListener('submit', () => handlers.send({ choice }))
  return { element: form, first }
}

function toForm(label: string, { cancel }: Handlers, children: HTMLElement[]): HTMLFormElement {
  const no = element('button', { type: 'button', class: 'quiet-button' }, 'Cancel')
  no.addEventListener('click', cancel)
  const yes = element('button', { type: 'submit', class: 'main-button' }, label)
  const buttons = element('div', { class: 'buttons' }, yes, no)
  const form = element('form', { class: 'choice-form' }, ...children, buttons)
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    cancel()
  })
  return form
}

import { byId, field, setText } from './dom.js'

/** Asks for the token; `problem` says what was wrong with the last one. */
export function askForToken(problem = ''): void {
  byId('sign-in').hidden = false
  byId('board').hidden = true
  setText(byId('sign-in-error'), problem)
  field('token').value = ''
  field('token').focus()
}

/** Wires the form. */
export function onToken(use: (token: string) => void): void {
  byId('sign-in-form').addEventListener('submit', (event) => {
    event.preventDefault()
    const token = field('token').value.trim()
    if (token !== '') use(token)
  })
}

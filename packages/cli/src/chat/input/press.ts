/** What a person did at the keyboard. Anything a terminal sends that is none of these is `unknown`, never text. */
export type Press =
  | { type: 'text'; text: string }
  | { type: 'paste'; text: string }
  | { type: 'key'; name: KeyName }

export type KeyName =
  | 'enter'
  /** a line end that does not send: Ctrl+J, or Enter with a modifier */
  | 'newline'
  | 'tab'
  | 'escape'
  | 'backspace'
  | 'delete'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'word-left'
  | 'word-right'
  | 'delete-word'
  | 'backspace-word'
  | 'undo'
  | `ctrl-${string}`
  | 'unknown'

export const key = (name: KeyName): Press => ({ type: 'key', name })

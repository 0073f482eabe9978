import type { Chat } from '../chat.js'
import type { Press } from '../input/press.js'
import { readSlash } from '../slash.js'
import type { Completion } from '../state.js'
import { accept } from './complete.js'

/** What keys do to the list of what the word at the cursor may become. */
export interface CompletionKeys {
  /** Does what a press means to the list; false if it means something else. */
  press(press: Press): boolean
  /** Shows what the word may become after a press. */
  update(press: Press): void
}

export function createCompletionKeys(chat: Chat): CompletionKeys {
  const { get, dispatch } = chat.store

  function show(completion: Completion | undefined) {
    if (completion || get().completion) dispatch({ type: 'complete', completion })
  }

  function look() {
    const { editor, dialog, search } = get()
    show(dialog || search ? undefined : chat.completer.complete(editor, onMore))
  }

  /** More was found; somebody who closed the list or went on does not want it back. */
  function onMore() {
    if (isWanted) look()
  }
  let isWanted = false

  function take(completion: Completion) {
    dispatch({ type: 'edit', editor: accept(get().editor, completion) })
    look()
  }

  function step(completion: Completion, by: -1 | 1) {
    const { length } = completion.options
    const from = completion.selected < 0 && by < 0 ? 0 : completion.selected
    show({ ...completion, selected: (from + by + length) % length })
  }

  /** Takes the selected line; one that is written out already is sent, and so is a command that needs nothing more. */
  function enter(completion: Completion): boolean {
    const { editor } = get()
    const option = completion.options[completion.selected]
    const written = editor.text.slice(completion.from, editor.cursor)
    show(undefined)
    isWanted = false
    if (!option || option.text === written) return false
    dispatch({ type: 'edit', editor: accept(editor, completion) })
    if (option.text.startsWith('/') && isComplete(option.text)) chat.submit(get().editor.text)
    return true
  }

  return {
    press(press) {
      const { completion } = get()
      if (press.type !== 'key') return false
      if (!completion) {
        if (press.name !== 'tab') return false
        isWanted = true
        look()
        return true
      }
      switch (press.name) {
        case 'tab':
          take(completion)
          return true
        case 'up':
        case 'ctrl-p':
          step(completion, -1)
          return true
        case 'down':
        case 'ctrl-n':
          step(completion, 1)
          return true
        case 'escape':
          isWanted = false
          show(undefined)
          return true
        case 'enter':
          return enter(completion)
        default:
          return false
      }
    },
    update(press) {
      // a line that was recalled or pasted is not being written
      isWanted =
        press.type === 'text' ||
        (press.type === 'key' && (press.name === 'backspace' || press.name === 'delete'))
      if (isWanted) look()
      else show(undefined)
    },
  }
}

/** Whether a command can be sent as it is: what has to be added would be asked for. */
const isComplete = (line: string) => {
  const command = readSlash(line)
  return command !== undefined && command.type !== 'unknown' && command.type !== 'stuck'
}

import type { Chat } from './chat.js'
import type { Press } from './input/press.js'
import type { Search } from './state.js'

/** The search through what was sent before, as in a shell. */
export interface SearchKeys {
  /** Does what a press means in the search; false if it means something else. */
  press(press: Press): boolean
}

export function createSearchKeys(chat: Chat): SearchKeys {
  const { get, dispatch } = chat.store
  let prompts: readonly string[] = []
  /** where the match is among them */
  let place = 0

  function find(query: string, from: number) {
    const at = query === '' ? -1 : lastWith(prompts, query, from)
    const match = prompts[at]
    if (match !== undefined) place = at
    const search: Search = { query, ...(match !== undefined && { match }) }
    dispatch({ type: 'search', search })
  }

  function begin() {
    prompts = [...new Set(chat.pastPrompts())]
    place = prompts.length
    dispatch({ type: 'complete', completion: undefined })
    dispatch({ type: 'search', search: { query: '' } })
  }

  /** Puts what was found into the prompt. */
  function take({ match }: Search) {
    dispatch({ type: 'search', search: undefined })
    if (match !== undefined)
      dispatch({ type: 'edit', editor: { text: match, cursor: match.length } })
  }

  return {
    press(press) {
      const { search } = get()
      if (!search) {
        if (press.type !== 'key' || press.name !== 'ctrl-r') return false
        begin()
        return true
      }
      const { query } = search
      if (press.type !== 'key') {
        find(query + press.text.replaceAll('\n', ' '), prompts.length - 1)
        return true
      }
      switch (press.name) {
        case 'ctrl-r':
          find(query, place - 1)
          return true
        case 'backspace':
          find(query.slice(0, -1), prompts.length - 1)
          return true
        case 'ctrl-g':
          dispatch({ type: 'search', search: undefined })
          return true
        case 'enter':
          take(search)
          chat.submit(get().editor.text)
          return true
        case 'unknown':
          return true
        case 'escape':
        case 'tab':
          take(search)
          return true
        default:
          // a key that moves or changes what was found
          take(search)
          return false
      }
    },
  }
}

/** The last text up to that place which contains the query, whatever its case. */
function lastWith(texts: readonly string[], query: string, from: number): number {
  const wanted = query.toLowerCase()
  for (let at = from; at >= 0; at--) {
    if (texts[at]?.toLowerCase().includes(wanted)) return at
  }
  return -1
}

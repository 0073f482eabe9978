import type { ChatParts } from './chat.js'
import type { SessionSummary } from './sessions.js'
import type { Action, ChatState } from './state.js'
import type { Store } from './store.js'

/** Lists to choose from, which are filtered by typing. */
export interface Lists {
  /** Opens the list of saved conversations; false if there are none. */
  openSessions(query: string): boolean
  openModels(models: readonly string[]): void
  filter(query: string): void
}

export function createLists(
  { get, dispatch }: Store<ChatState, Action>,
  parts: Pick<ChatParts, 'listSessions'>,
): Lists {
  let sessions: readonly SessionSummary[] = []
  let models: readonly string[] = []

  const showSessions = (query: string) =>
    dispatch({
      type: 'dialog',
      dialog: { type: 'sessions', sessions: matching(sessions, query), query, selected: 0 },
    })

  function showModels(query: string) {
    const found = models.filter((name) => hasWords(name, query))
    dispatch({ type: 'dialog', dialog: { type: 'models', models: found, query, selected: 0 } })
  }

  return {
    openSessions(query) {
      sessions = parts.listSessions()
      if (matching(sessions, query).length === 0) return false
      showSessions(query)
      return true
    },
    openModels(names) {
      models = names
      showModels('')
    },
    filter(query) {
      const { dialog } = get()
      if (dialog?.type === 'sessions') showSessions(query)
      if (dialog?.type === 'models') showModels(query)
    },
  }
}

/** Those whose name, id or first request has all words of the query. */
export const matching = (sessions: readonly SessionSummary[], query: string): SessionSummary[] =>
  sessions.filter(({ id, name = '', title }) => hasWords(`${name} ${id} ${title}`, query))

function hasWords(text: string, query: string): boolean {
  const lower = text.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}

import type { Saved, Session, SessionView } from '../store/session.js'
import type { Store } from '../store/store.js'

/** What the live page shows. */
export interface Live {
  at: number
  store: { kind: Store['kind']; ok: boolean }
  totals: { sessions: number; stuck: number; requests: number; saved: Saved }
  sessions: SessionView[]
}

// more than anybody reads; the filter of the page works on these
const MAX_SESSIONS = 300

/** Reads what the live page shows; what was read last if the store does not answer. */
export function createLive(store: Store) {
  let known: SessionView[] = []

  return async (): Promise<Live> => {
    let ok = store.isUp
    try {
      known = (await store.list(MAX_SESSIONS)).map(toView)
    } catch {
      ok = false
    }
    const sum = (read: (one: SessionView) => number) =>
      known.reduce((total, session) => total + read(session), 0)
    return {
      at: Date.now(),
      store: { kind: store.kind, ok },
      totals: {
        sessions: known.length,
        stuck: known.filter(({ state }) => state === 'stuck').length,
        requests: sum(({ requests }) => requests),
        saved: {
          requests: sum(({ saved }) => saved.requests),
          tokens: sum(({ saved }) => saved.tokens),
          dollars: sum(({ saved }) => saved.dollars),
        },
      },
      sessions: known,
    }
  }
}

/** A session without what only the gateway needs. */
const toView = ({
  chosen: _chosen,
  promptAt: _promptAt,
  hasTools: _hasTools,
  over: _over,
  pardons: _pardons,
  ...view
}: Session): SessionView => view

import type { SessionView } from './live.js'

export interface Filters {
  search: string
  /** '' for all */
  state: string
}

/** The sessions that match, those that need a person first. */
export const select = (sessions: readonly SessionView[], filters: Filters): SessionView[] =>
  sessions.filter(matching(filters)).sort(byUrgency)

/** Stuck and stopped first, then the closest to a loop, then the latest. */
function byUrgency(a: SessionView, b: SessionView): number {
  return (
    Number(isHalted(b)) - Number(isHalted(a)) ||
    // shown in percent: smaller differences would make rows jump for no visible reason
    Math.round(b.pressure * 100) - Math.round(a.pressure * 100) ||
    b.lastAt - a.lastAt ||
    (a.id < b.id ? -1 : 1)
  )
}

const isHalted = ({ state }: SessionView) => state === 'stuck' || state === 'stopped'

function matching({ search, state }: Filters): (session: SessionView) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return (session) => {
    if (state !== '' && session.state !== state) return false
    if (words.length === 0) return true
    const { id, name, agent, model, protocol, findings } = session
    const found = findings.flatMap(({ detector, tool = '', detail }) => [detector, tool, detail])
    const text = [id, name, agent, model, protocol, session.state, ...found]
      .join('\n')
      .toLowerCase()
    return words.every((word) => text.includes(word))
  }
}

import { byId, setText } from './dom.js'
import type { SessionView } from './live.js'
import { nameOf } from './show.js'

/** Says something to people who listen to the page. */
export const announce = (text: string): void => setText(byId('announcer'), text)

/** Announces the sessions that got stuck or stopped since the last time, and nothing else. */
export function createStateAnnouncer(): (sessions: readonly SessionView[]) => void {
  let before: Map<string, string> | undefined
  return (sessions) => {
    const states = new Map(sessions.map(({ id, state }) => [id, state]))
    const halted = sessions.filter(
      ({ id, state }) =>
        (state === 'stuck' || state === 'stopped') && before && before.get(id) !== state,
    )
    before = states
    if (halted.length > 3) announce(`${halted.length} more sessions are stuck or stopped.`)
    else if (halted.length > 0)
      announce(halted.map((session) => `${nameOf(session)} is ${session.state}.`).join(' '))
  }
}

import type { GuardedSession } from './guarded-sessions.js'

/** A session as machines read it. */
export const toSessionJson = ({
  place,
  explanation,
  startedAt,
  lastAt,
  ...session
}: GuardedSession) => ({
  ...session,
  startedAt: new Date(startedAt).toISOString(),
  lastAt: new Date(lastAt).toISOString(),
})

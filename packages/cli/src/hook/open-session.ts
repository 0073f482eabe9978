import type { GuardOptions } from 'unloop'
import type { Reading } from './journal.js'
import { createSession, type SavedSession, type Session, type SessionLine } from './session.js'
import type { Voice } from './words.js'

/** The session that was saved; a new one if another version saved it, or the disk is broken. */
export function openSession(
  options: GuardOptions,
  voice: Voice,
  { saved }: Pick<Reading<SessionLine>, 'saved'>,
  tell: (message: string) => void,
): Session {
  const all: GuardOptions = {
    attended: voice.isAttended,
    ...options,
    onFault: ({ part, error }) => tell(`${part} failed: ${error}`),
  }
  try {
    return createSession(all, voice, saved as SavedSession | undefined)
  } catch (error) {
    tell(`the session starts over: ${(error as Error).message}`)
    return createSession(all, voice)
  }
}

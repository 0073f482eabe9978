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
    detectors: withoutWords(options.detectors),
    onFault: ({ part, error }) => tell(`${part} failed: ${error}`),
  }
  try {
    return createSession(all, voice, saved as SavedSession | undefined)
  } catch (error) {
    tell(`the session starts over: ${(error as Error).message}`)
    return createSession(all, voice)
  }
}

type Detectors = NonNullable<GuardOptions['detectors']>

/**
 * Work on a list gets much patience, and is known by its silence: a model that tries one thing after the other says so. Hooks hear no
 * words, so there silence proves nothing. In recorded sessions, honest work has up to nine failures in a row that change nothing. Searches
 * that find nothing keep the patience of a list.
 */
function withoutWords(given: Detectors = {}): Detectors {
  if (Array.isArray(given)) return given
  const { failing = true, ...others } = given as Record<string, boolean | object>
  if (failing === false) return given
  return { ...others, failing: { batch: 14, ...(failing === true ? {} : failing) } }
}

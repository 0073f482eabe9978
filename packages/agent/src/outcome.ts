import type { CallOutcome, ResultPart } from './message.js'

// what the model reads of a call that has no answer

export const NOT_RUN = 'This call was not run.'
export const INTERRUPTED =
  'This call was stopped while it was running. It may have had effects; what it did is not known.'
export const NOBODY_ASKED = 'Not run: this needs permission, and nobody is there to ask.'
export const SAID_NO = 'Not run: the person said no to this call.'
// calls have no results if the program was killed, and it is unknown how far it came
export const UNKNOWN = 'Whether this call was run is not known: it was interrupted.'

/** What the model reads of a call that the guard refused. */
export const toRefusal = (reason: string): string => `Not run. ${reason}`

/** What the model reads of a call that should not have been made: it ran, and why there is no answer. */
export const toWithheld = (reason: string): string => `${WITHHELD} ${reason}`

const WITHHELD = 'This call was run; its answer is left out.'

/** A saved result; those of earlier versions have no outcome, but their words tell. */
export function withOutcome(
  result: Omit<ResultPart, 'outcome'> & { outcome?: CallOutcome },
): ResultPart {
  const { outcome, isError, output } = result
  if (outcome !== undefined) return { ...result, outcome }
  if (!isError) return { ...result, outcome: 'done' }
  if (output.startsWith(WITHHELD)) return { ...result, outcome: 'done', isWithheld: true }
  const known = WORDS.find(([words]) => output.startsWith(words))
  return { ...result, outcome: known?.[1] ?? 'failed' }
}

const WORDS: readonly (readonly [words: string, outcome: CallOutcome])[] = [
  [NOT_RUN, 'skipped'],
  [INTERRUPTED, 'stopped'],
  ['This call was started and interrupted', 'stopped'],
  [UNKNOWN, 'stopped'],
  [NOBODY_ASKED, 'declined'],
  [SAID_NO, 'declined'],
  [toRefusal(''), 'refused'],
]

import { type ChoiceWords, wordsOf } from 'unloop/words'
import type { Choice, SessionView } from './live.js'

/** One of the person's choices. */
export interface Option {
  choice: Choice['choice']
  words(session: SessionView): ChoiceWords
  /** why it cannot be chosen, or '' */
  blocked(session: SessionView): string
}

/** The tool that an "allow" is about. */
export const toolOf = ({ findings }: SessionView): string => findings.at(-1)?.tool ?? ''

/** The choices that a gateway can put into effect, in the order of all places. */
export const OPTIONS: readonly Option[] = [
  toOption('stop', ({ state }) => (state === 'stopped' ? 'The session is stopped already.' : '')),
  toOption('continue-once', ({ findings, state }) => {
    if (state === 'unguarded') return IS_DISABLED
    return findings.length === 0 && state !== 'stopped' ? NO_LOOP : ''
  }),
  toOption('allow', (session) => {
    if (session.state === 'unguarded') return IS_DISABLED
    if (session.findings.length === 0) return NO_LOOP
    return toolOf(session) === '' ? 'The last finding is not about a tool.' : ''
  }),
  toOption('hint', () => ''),
  toOption('disable', ({ state }) => (state === 'unguarded' ? IS_DISABLED : '')),
]

function toOption(choice: Choice['choice'], blocked: Option['blocked']): Option {
  return {
    choice,
    blocked,
    words: (session) =>
      wordsOf(choice, {
        tool: toolOf(session) || undefined,
        isBudget: session.findings.at(-1)?.detector === 'budget',
      }),
  }
}

const IS_DISABLED = 'The guard is disabled for this session.'
const NO_LOOP = 'No loop was found so far.'

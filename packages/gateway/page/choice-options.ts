import type { Choice, SessionView } from './live.js'

/** One of the person's choices, in words. */
export interface Option {
  choice: Choice['choice']
  label(session: SessionView): string
  /** what it will do */
  effect(session: SessionView): string
  /** why it cannot be chosen, or '' */
  blocked(session: SessionView): string
}

/** The tool that an "allow" is about. */
export const toolOf = ({ findings }: SessionView): string => findings.at(-1)?.tool ?? ''

export const OPTIONS: readonly Option[] = [
  {
    choice: 'continue',
    label: () => 'Continue',
    effect: ({ findings }) =>
      findings.at(-1)?.detector === 'budget'
        ? 'Gives the session the same budget once more.'
        : 'Lets the session go on and ignores the next report of this loop. If the agent keeps looping, the gateway steps in again.',
    blocked: ({ findings, state }) => {
      if (state === 'unguarded') return IS_DISABLED
      return findings.length === 0 && state !== 'stopped' ? 'No loop was found so far.' : ''
    },
  },
  {
    choice: 'allow',
    label: (session) => `Allow ${toolOf(session) || 'a tool'}…`,
    effect: (session) => `Lets ${toolOf(session)} repeat without a report.`,
    blocked: (session) => {
      if (session.state === 'unguarded') return IS_DISABLED
      if (session.findings.length === 0) return 'No loop was found so far.'
      return toolOf(session) === '' ? 'The last finding is not about a tool.' : ''
    },
  },
  {
    choice: 'hint',
    label: () => 'Hint…',
    effect: () =>
      'Adds your words to the agent’s next request. The gateway then starts over with a warning.',
    blocked: () => '',
  },
  {
    choice: 'stop',
    label: () => 'Stop…',
    effect: () => 'The gateway answers instead of the model until you give the agent a new prompt.',
    blocked: ({ state }) => (state === 'stopped' ? 'The session is stopped already.' : ''),
  },
  {
    choice: 'disable',
    label: () => 'Disable…',
    effect: () => 'Nothing is reported or stopped for the rest of this session.',
    blocked: ({ state }) => (state === 'unguarded' ? IS_DISABLED : ''),
  },
]

const IS_DISABLED = 'The guard is disabled for this session.'

import type { Finding } from '../../finding.js'
import type { Guard } from '../../guard.js'
import type { Any } from '../shared/any.js'

/** What the person is asked; `new Command({ resume })` takes one of the choices, or `{ hint: 'words for the model' }`. */
export interface Question {
  reason: string
  /** `allow`, that the tool may repeat, is among them where the loop is one of a tool */
  choices: readonly Choice[]
}

export type Choice = 'continue-once' | 'allow' | 'hint' | 'stop' | 'disable'

export const questionOf = ({ detail, tool }: Finding): Question => ({
  reason: detail,
  choices: CHOICES.filter((choice) => choice !== 'allow' || tool !== undefined),
})

/** Does what the person chose; gives the words for the model, if there are some. Anything else leaves it stopped. */
export function choose(guard: Guard, choice: Any, tool = ''): string | undefined {
  if (choice === 'continue-once') guard.continueOnce()
  if (choice === 'allow') guard.allow(tool)
  if (choice === 'disable') guard.disable()
  return typeof choice?.hint === 'string' ? guard.hint(choice.hint) : undefined
}

const CHOICES: readonly Choice[] = ['continue-once', 'allow', 'hint', 'stop', 'disable']

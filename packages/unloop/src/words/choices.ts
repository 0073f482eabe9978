import { inEnglish, type Translate } from './translate.js'

/** What a person can decide about a loop. */
export type ChoiceName = 'stop' | 'continue-once' | 'allow' | 'hint' | 'go-back' | 'disable'

/** A choice as it is shown, wherever it is shown. */
export interface ChoiceWords {
  name: ChoiceName
  /** what chooses it on a keyboard; it means the same everywhere */
  key: string
  label: string
  /** the label where there is room for a word */
  short: string
  /** what will happen */
  effect: string
}

/** What the words depend on. */
export interface ChoiceContext {
  /** the tool that repeats, if the loop is about one tool */
  tool?: string | undefined
  /** the budget is spent, and no loop was found */
  isBudget?: boolean | undefined
  /** the choices that the place can put into effect; all by default */
  offered?: readonly ChoiceName[] | undefined
  t?: Translate | undefined
}

/** All choices, in the order in which they are shown: what is safe first, what is final last. */
export const CHOICES: readonly ChoiceName[] = [
  'stop',
  'continue-once',
  'allow',
  'hint',
  'go-back',
  'disable',
]

/**
 * The choices about a loop, in words. To allow a tool is offered only where there is one.
 *
 * @example
 * choicesOf({ tool: 'search' }).map(({ key, label, effect }) => `${key} ${label}: ${effect}`)
 */
export function choicesOf(context: ChoiceContext = {}): ChoiceWords[] {
  const { tool, offered = CHOICES } = context
  return CHOICES.filter(
    (name) => offered.includes(name) && (name !== 'allow' || tool !== undefined),
  ).map((name) => wordsOf(name, context))
}

/** One choice in words, whether or not it can be chosen. */
export function wordsOf(name: ChoiceName, context: ChoiceContext = {}): ChoiceWords {
  const key = String(CHOICES.indexOf(name) + 1)
  return { name, key, ...TEXTS[name](context, context.t ?? inEnglish) }
}

type Texts = Omit<ChoiceWords, 'name' | 'key'>

const TEXTS: Record<ChoiceName, (context: ChoiceContext, t: Translate) => Texts> = {
  stop: (_, t) => ({
    label: t('Stop'),
    short: t('Stop'),
    effect: t('The agent stays stopped until it gets a new message.'),
  }),
  'continue-once': ({ isBudget }, t) => ({
    label: t('Continue once'),
    short: t('Continue'),
    effect: isBudget
      ? t('The agent continues with the same budget once more.')
      : t('The agent continues. The next report of this loop is ignored.'),
  }),
  allow: ({ tool }, t) => ({
    label: tool === undefined ? t('Allow the tool') : t('Allow {0}', tool),
    short: t('Allow'),
    effect: t('The agent continues. Repeats of this tool are not reported in this session.'),
  }),
  hint: (_, t) => ({
    label: t('Send a hint…'),
    short: t('Hint…'),
    effect: t('You write to the model, and the agent continues.'),
  }),
  'go-back': (_, t) => ({
    label: t('Go back and retry'),
    short: t('Go back'),
    effect: t('The loop is removed from the conversation, and the model tries again.'),
  }),
  disable: (_, t) => ({
    label: t('Disable for this session'),
    short: t('Disable'),
    effect: t('The agent continues, and loops are no longer looked for in this session.'),
  }),
}

/** A choice that was made. */
export interface Chosen {
  type: ChoiceName
  tool?: string | undefined
  times?: number | 'always' | undefined
  text?: string | undefined
}

/** What was decided, for those who read it later. */
export function describeChoice(chosen: Chosen, t: Translate = inEnglish): string {
  const { type, tool = '', times = 'always', text = '' } = chosen
  switch (type) {
    case 'stop':
      return t('Stopped: the agent waits for a new message.')
    case 'continue-once':
      return t('Continued once: the next report of this loop is ignored.')
    case 'allow':
      return times === 'always'
        ? t('Allowed: {0} may repeat in this session.', tool)
        : t('Allowed: {0} may repeat {1} times in this session.', tool, times)
    case 'hint':
      return t('Hint to the model: {0}', text)
    case 'go-back':
      return t('Went back to before the loop; the model tries again.')
    case 'disable':
      return t('Disabled: loops are no longer looked for in this session.')
  }
}

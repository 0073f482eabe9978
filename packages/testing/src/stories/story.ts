/** What an agent does in one step: it calls a tool and reads the answer, or it only speaks. */
export interface Step {
  /** the tool; without one, the agent only speaks */
  name?: string
  args?: unknown
  output?: unknown
  isError?: boolean
  /** what it says and thinks before the call */
  says?: string
  thinks?: string
  /** how long the call takes; a story either knows this or does not */
  seconds?: number
  /** made in the same answer of the model as the step before */
  together?: boolean
  /** what a program says in the person's place after a step without a call */
  answered?: string
}

/**
 * What a guard makes of a story: nothing at all; advice at most; an end at this step or before; advice at this step or
 * before. A call that is refused counts as an end, since honest work suffers from it just as much.
 */
export type Expectation =
  | 'quiet'
  | 'no stop'
  | { stoppedWithin: number }
  | { advisedWithin: number }

/** A way on which the events of an agent reach a guard. */
export type Path = 'core' | 'ai-sdk' | 'gateway' | 'hook'

/** A run of an agent that is honest or stuck, and what a guard should make of it. */
export interface Story {
  name: string
  prompt?: string
  steps: readonly Step[]
  expect: Expectation
  /** time passes between its calls, though nobody says how much */
  takesTime?: boolean
  /** what no finding may say, to the person or to the model */
  words?: readonly (string | RegExp)[]
  /** what is expected does not hold yet: nowhere, or on these paths */
  fails?: true | readonly Path[]
}

/** What a guard made of a story; steps are counted from 1. */
export interface Outcome {
  /** the step of the first finding, of the first refusal, and of the end */
  found?: number
  refused?: number
  ended?: number
  /** what was said, to the person and to the model */
  said: string[]
}

/** What is wrong with an outcome; nothing if the story came out as expected. */
export function complaintsAbout({ expect, words = [] }: Story, outcome: Outcome): string[] {
  const { found, refused, ended, said } = outcome
  const complaints = words.flatMap((word) =>
    said.filter((text) => (typeof word === 'string' ? text.includes(word) : word.test(text))),
  )
  const first = Math.min(refused ?? Number.POSITIVE_INFINITY, ended ?? Number.POSITIVE_INFINITY)
  if (expect === 'quiet' || expect === 'no stop') {
    if (first < Number.POSITIVE_INFINITY)
      complaints.push(`stopped at step ${first}: ${said.at(-1)}`)
    else if (expect === 'quiet' && found) complaints.push(`advised at step ${found}: ${said[0]}`)
  } else if ('stoppedWithin' in expect) {
    if (!ended) complaints.push(found ? `advised at step ${found}, never stopped` : 'never noticed')
    else if (ended > expect.stoppedWithin) complaints.push(`stopped at step ${ended} only`)
  } else if (!found) complaints.push('never noticed')
  else if (found > expect.advisedWithin) complaints.push(`advised at step ${found} only`)
  return complaints
}

/** The steps of a story by answers of the model: several calls in one are parallel. */
export function roundsOf({ steps }: Story): Step[][] {
  const rounds: Step[][] = []
  for (const step of steps) {
    const last = rounds.at(-1)
    if (step.together && last) last.push(step)
    else rounds.push([step])
  }
  return rounds
}

/** Whether what is expected of a story is known not to hold on a path. */
export const failsOn = ({ fails }: Story, path: Path): boolean =>
  fails === true || fails?.includes(path) === true

/** Whether a story can be played by any program, at once: it only calls, and without thoughts, which many do not pass on. */
export const isPlayableAtOnce = ({ takesTime, steps }: Story): boolean =>
  !takesTime &&
  steps.every(
    ({ name, seconds, thinks }) =>
      name !== undefined && seconds === undefined && thinks === undefined,
  )

/** A call and its answer. */
export const call = (name: string, args: unknown, output: unknown, more: Step = {}): Step => ({
  name,
  args,
  output,
  ...more,
})

/** A call that fails, and the program says so. */
export const failed = (name: string, args: unknown, output: unknown, more: Step = {}): Step =>
  call(name, args, output, { isError: true, ...more })

/** A command in a shell. */
export const bash = (command: string, output: string, more: Step = {}): Step =>
  call('bash', { command }, output, more)

/** So many steps, or groups of steps. */
export const times = (count: number, make: (at: number) => Step | readonly Step[]): Step[] =>
  Array.from({ length: count }, (_, at) => make(at)).flat()

/** An item of a list; after the last comes the first. */
export const pick = <Item>(list: readonly Item[], at: number): Item =>
  list[((at % list.length) + list.length) % list.length] as Item

/** A number that looks random, and is the same each time. */
export const noise = (at: number, below: number): number =>
  ((at + 1) * 7919 + ((at * at) % 997) * 104_729) % below

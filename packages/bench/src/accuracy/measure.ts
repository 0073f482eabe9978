import type { Contender } from './contenders.js'
import { judgeRun } from './judge-run.js'
import { type Level, type Outcome, type Summary, summarise } from './metrics.js'
import type { Section, SourceRun } from './sources.js'

export interface ContenderResult {
  name: string
  outcomes: Partial<Record<Section, Outcome[]>>
}

/** Lets every contender watch every run. */
export async function measureAccuracy(
  contenders: readonly Contender[],
  runs: AsyncIterable<SourceRun> | Iterable<SourceRun>,
  progress: (done: number) => void = () => {},
): Promise<ContenderResult[]> {
  const results = contenders.map(({ name }): ContenderResult => ({ name, outcomes: {} }))
  let done = 0
  for await (const run of runs) {
    for (const [index, contender] of contenders.entries()) {
      const result = results[index]
      if (result) addOutcome(result, run.sections, judgeRun(contender, run))
    }
    progress(++done)
  }
  return results
}

export function addOutcome(
  { outcomes }: ContenderResult,
  sections: readonly Section[],
  outcome: Outcome,
): void {
  for (const section of sections) {
    outcomes[section] ??= []
    outcomes[section].push(outcome)
  }
}

// a chant must be seen by the delta in which it became evident; calls get two more steps
const slack: Partial<Record<Section, number>> = { texts: 0 }

export function summariseSection(
  result: ContenderResult,
  section: Section,
  level: Level = 'advice',
): Summary {
  return summarise(result.outcomes[section] ?? [], level, slack[section])
}

/** Everything with a known truth, each run once even if it counts in two sections. */
export function knownOutcomes({ outcomes }: ContenderResult): Outcome[] {
  const { other: _, native: __, sessions: ___, ...known } = outcomes
  return [...new Set(Object.values(known).flat())]
}

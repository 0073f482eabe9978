import type { Certainty, Finding } from 'unloop'
import { quote } from '../scan/evidence.js'
import type { Cleaner } from '../scan/redact.js'
import type { Evidence } from '../scan/run-report.js'
import { troubleLines } from '../troubles.js'
import { oneLine } from '../words.js'
import type { Ending } from './child.js'
import type { Seen, Watched } from './watch.js'

/** What `unloop run --report` writes. */
export interface RunReport {
  schemaVersion: 1
  /** `stopped`: a loop ended the run; `unwatched`: its output could not be read */
  outcome: 'finished' | 'stopped' | 'unwatched'
  /** the words of the command, shortened */
  command: string[]
  startedAt: string
  endedAt: string
  /** how the command ended; a command that was stopped ends as it likes */
  exitCode?: number
  signal?: string
  /** what its output is, by its name in the list of formats */
  format?: string
  program?: string
  session?: string
  model?: string
  events: number
  calls: number
  tokens: { input: number; cached: number; output: number }
  /** the loop that ended the run */
  stop?: LoopReport
  /** all loops that were seen, the one that ended the run included */
  loops: LoopReport[]
  /** what limits this report: output that could not be read, parts of the guard that failed */
  problems: string[]
}

/** One loop, or what looked like one. */
export interface LoopReport {
  identity: string
  certainty: Certainty
  detector: string
  kind: string
  detail: string
  advice: string
  sample: string
  tool?: string
  agent?: string
  count: number
  /** line of the output that revealed it, from 1 */
  line: number
  wasted: Finding['wasted']
  /** the events that showed it, oldest first */
  evidence: Evidence[]
}

/** What is known apart from the output. */
export interface Facts {
  command: readonly string[]
  startedAt: number
  endedAt: number
  ending: Ending
  /** why nothing was watched, in words */
  unwatched: string | undefined
}

// a prompt may be a page long, and is not ours to repeat
const WORD = 200

/** The whole story of a run, without secrets. */
export function toReport(watched: Watched, facts: Facts, clean: Cleaner): RunReport {
  const { summary, run, calls, tokens, loops, stop } = watched
  const { ending, unwatched } = facts
  return {
    schemaVersion: 1,
    outcome: stop ? 'stopped' : unwatched === undefined ? 'finished' : 'unwatched',
    command: facts.command.map((word) => oneLine(clean.text(word), WORD)),
    startedAt: new Date(facts.startedAt).toISOString(),
    endedAt: new Date(facts.endedAt).toISOString(),
    ...('code' in ending ? { exitCode: ending.code } : { signal: ending.signal }),
    ...(summary.format !== undefined && { format: summary.format }),
    ...(run?.program !== undefined && { program: run.program }),
    ...(run?.session !== undefined && { session: run.session }),
    ...(run?.model !== undefined && { model: run.model }),
    events: summary.events,
    calls,
    tokens,
    ...(stop && { stop: toLoop(stop, clean) }),
    loops: loops.map((seen) => toLoop(seen, clean)),
    problems: [...(unwatched === undefined ? [] : [unwatched]), ...problemsOf(watched)],
  }
}

/** A loop as it is shown, to people and programs. */
export function toLoop({ finding, line, evidence }: Seen, clean: Cleaner): LoopReport {
  const { certainty, detector, kind, advice, tool, agent, count, wasted } = finding
  return {
    // it names the call or the text, as the sample does
    identity: clean.sample(finding.identity),
    certainty,
    detector,
    kind,
    detail: clean.sample(finding.detail),
    advice,
    sample: clean.sample(finding.sample),
    ...(tool !== undefined && { tool }),
    ...(agent !== undefined && { agent }),
    count,
    line,
    wasted,
    evidence: evidence.map((one) => ({ ...one, text: quote(one.text, clean.text) })),
  }
}

/** What went wrong while the output was read, a line each. */
export function problemsOf({ summary, troubles }: Watched): string[] {
  const { bad, badRecords } = summary
  const lines = badRecords.map(({ line }) => line).join(', ')
  return [
    ...(bad > 0 ? [`lines of the output that could not be read: ${bad} (${lines})`] : []),
    ...troubleLines(troubles),
  ]
}

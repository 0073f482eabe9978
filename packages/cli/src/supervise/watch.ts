import {
  createStreamReader,
  type Run,
  type Summary,
  type TranscriptItem,
} from '@unloop/transcripts'
import { type AgentEvent, createGuard, type Finding, type GuardOptions } from 'unloop'
import { type Run as GuardRun, runOf } from 'unloop/host'
import { evidenceOf } from '../scan/evidence.js'
import type { Evidence } from '../scan/run-report.js'
import { type Troubles, troublesOf } from '../troubles.js'

/** A loop as it was seen last, where it was revealed, and the events that showed it. */
export interface Seen {
  finding: Finding
  /** line of the output, from 1 */
  line: number
  evidence: Evidence[]
}

/** What is known about a run so far. */
export interface Watched {
  summary: Summary
  /** whose run it is, as far as its output tells */
  run: Run | undefined
  calls: number
  tokens: { input: number; cached: number; output: number }
  /** each loop once, in the order in which they were seen */
  loops: Seen[]
  /** the loop that ended it */
  stop: Seen | undefined
  troubles: Troubles
}

/** A guard that looks at the output of an agent. */
export interface Watch {
  /** Takes the next bytes. Never throws. */
  take(chunk: Buffer): void
  /** Says that no more comes. */
  end(): void
  readonly watched: Watched
}

interface Listeners {
  /** a loop is seen for the first time, or is certain now */
  onLoop(seen: Seen): void
  /** the run has to end; called once */
  onStop(seen: Seen): void
  /** the output is not that of an agent we know */
  onUnknown(): void
}

// as many events as a report shows of a loop
const SHOWN = 8
// a run with more of them has other problems
const MAX_LOOPS = 50

/**
 * Watches a run by what it prints. Nothing can be refused and the model cannot be told anything, so that a warning or a refusal only
 * counts as a step towards the end.
 */
export function createWatch(options: GuardOptions, listeners: Listeners): Watch {
  const guard = createGuard({ ...options, onFault() {} })
  const host = runOf(guard, 'run')
  const reader = createStreamReader()
  const loops = new Map<string, Seen>()
  const tokens = { input: 0, cached: 0, output: 0 }
  const recent: TranscriptItem[] = []
  let run: Run | undefined
  let calls = 0
  let stop: Seen | undefined
  let isUnknown = false

  function show(item: TranscriptItem): void {
    const { event } = item
    run ??= item.run
    count(event)
    remember(item)
    const speaker: GuardRun = event.agent === undefined ? host : host.within(event.agent)
    const verdict = speaker.decide(event)
    const finding = 'finding' in verdict ? verdict.finding : undefined
    if (!finding) return
    const seen = note(finding, item.line)
    if (verdict.type !== 'stop' || stop) return
    stop = seen
    listeners.onStop(seen)
  }

  /** Words that come in pieces are one thing to show. */
  function remember(item: TranscriptItem): void {
    const { event } = item
    if (QUIET.has(event.type)) return
    const last = recent.at(-1)
    if (
      last &&
      isWords(event) &&
      last.event.type === event.type &&
      last.event.agent === event.agent
    ) {
      const text = (last.event.text + event.text).slice(-MAX_WORDS)
      recent[recent.length - 1] = { ...item, event: { ...event, text } }
      return
    }
    recent.push(item)
    if (recent.length > SHOWN) recent.shift()
  }

  function note(finding: Finding, line: number): Seen {
    const name = `${finding.agent ?? ''} ${finding.identity}`
    const known = loops.get(name)
    const seen = { finding, line, evidence: recent.map(evidenceOf) }
    loops.set(name, seen)
    if (loops.size > MAX_LOOPS) loops.delete(loops.keys().next().value as string)
    if (known?.finding.certainty !== finding.certainty) listeners.onLoop(seen)
    return seen
  }

  function count(event: AgentEvent): void {
    if (event.type === 'tool-call') calls++
    if (event.type !== 'usage') return
    tokens.input += event.inputTokens ?? 0
    tokens.cached += event.cachedTokens ?? 0
    tokens.output += event.outputTokens ?? 0
  }

  function read(items: readonly TranscriptItem[]): void {
    for (const item of items) show(item)
    if (isUnknown || !reader.summary.problem) return
    isUnknown = true
    listeners.onUnknown()
  }

  return {
    take: (chunk) => void host.attempt(() => read(reader.push(chunk))),
    end: () => void host.attempt(() => read(reader.end())),
    get watched() {
      return {
        summary: reader.summary,
        run,
        calls,
        tokens,
        loops: [...loops.values()],
        stop,
        troubles: troublesOf(guard),
      }
    },
  }
}

// more than is quoted
const MAX_WORDS = 1000

const isWords = (event: AgentEvent) => event.type === 'text' || event.type === 'reasoning'

// say nothing that a person would want to see
const QUIET = new Set(['usage', 'turn-start', 'turn-end'])

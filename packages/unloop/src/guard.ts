import { type AgentState, createAgents } from './agents.js'
import { isAgentEvent } from './check-event.js'
import type { Detector, Pressure, Report } from './detector.js'
import type { AgentEvent, AgentEventType } from './event.js'
import type { Finding } from './finding.js'
import { randomSeed } from './hash.js'
import { actionFor, strike } from './ladder.js'
import { fold } from './log.js'
import { LoopError } from './loop-error.js'
import { checkSettings, type GuardOptions } from './settings.js'
import { loadSnapshot, type Snapshot, saveAgents } from './snapshot.js'
import { mark, spentSince } from './tally.js'

/** How near one detector is to a finding. */
export interface Explanation extends Pressure {
  detector: string
}

/** Something of ours that failed; what failed is left out from then on. */
export interface Fault {
  part: string
  error: unknown
}

/** Watches one run of an agent. */
export interface Guard {
  /** Takes the next event; tells of a loop the moment it is one. Never throws. */
  observe(event: AgentEvent): Finding | undefined
  /** a loop has led to `ask` or `stop`, and nobody has decided yet */
  readonly stopped: boolean
  /** how many events were observed: the number of the next */
  readonly events: number
  /** what was found in this session, oldest first; the last ones only */
  readonly findings: readonly Finding[]
  /** parts of ours that threw and were left out */
  readonly faults: readonly Fault[]
  /** how near the nearest detector is to a finding, 0 to 1: an early sign */
  readonly pressure: number
  /** Per detector: how near, which count against which limit, why a repeat was let pass. */
  explain(agent?: string): Explanation[]
  /** Throws a `LoopError` with the finding if the run was stopped. */
  assert(): void
  /** The whole state as plain JSON; `createGuard(options, snapshot)` goes on from it. */
  snapshot(): Snapshot
  /** Forgets everything but a `disable()`. */
  reset(): void
  /** From now on nothing is found, whatever comes. */
  disable(): void
}

// enough for a person to read through; a snapshot carries them all
const MAX_FINDINGS = 16

/**
 * A guard for one run of an agent.
 *
 * @example
 * const guard = createGuard()
 * const finding = guard.observe({ type: 'tool-call', name: 'read_file', args: { path: 'a.ts' } })
 */
export function createGuard(options?: GuardOptions, snapshot?: Snapshot): Guard {
  const { detectors, ladder, mode } = checkSettings(options)
  const listeners = listenersByType(detectors)
  const saved = snapshot === undefined ? undefined : loadSnapshot(snapshot, detectors)
  const seed = saved?.seed ?? randomSeed()
  const agents = createAgents(detectors, saved?.agents)
  const broken = new Set<Detector>()
  const faults: Fault[] = []
  let findings: Finding[] = saved?.findings ?? []
  let events = saved?.events ?? 0
  let stopped = saved?.stopped ?? false
  let disabled = saved?.disabled ?? false

  function observe(event: AgentEvent): Finding | undefined {
    const number = events++
    if (disabled) return
    try {
      return isAgentEvent(event) ? take(event, number) : undefined
    } catch (error) {
      faults.push({ part: 'guard', error })
      disabled = true
    }
  }

  function take(event: AgentEvent, number: number): Finding | undefined {
    if (event.type === 'prompt' && agents.prompt(event)) stopped = false
    const state = agents.of(event)
    count(state, event, number)
    fold(state.log, event, number, seed)
    let first: Finding | undefined
    for (const index of listeners[event.type]) {
      const report = ask(state, index, event, number)
      if (report) first = judge(state, detectors[index] as Detector, report, number) ?? first
    }
    return first
  }

  function ask(state: AgentState, index: number, event: AgentEvent, number: number) {
    const detector = detectors[index] as Detector
    const context = state.contexts[index] as AgentState['contexts'][number]
    if (broken.size > 0 && broken.has(detector)) return
    context.number = number
    try {
      return detector.observe(state.states[index], event, context)
    } catch (error) {
      broken.add(detector)
      faults.push({ part: detector.name, error })
    }
  }

  function judge(state: AgentState, detector: Detector, report: Report, number: number) {
    const { plane, name } = detector
    const identity = `${name}:${report.identity}`
    const place = plane === 'calls' ? (state.log.steps.at(-1)?.number ?? number) : number
    const loop = strike(state.loops, plane, { ...report, identity }, number, place)
    if (!loop) return
    const finding = toFinding(state, detector, report, number)
    finding.identity = loop.identity
    finding.strike = loop.strikes
    finding.action = actionFor(ladder[plane], loop.strikes)
    findings.push(finding)
    if (findings.length > MAX_FINDINGS) findings.shift()
    if (mode === 'observe') return
    if (finding.action === 'ask' || finding.action === 'stop') stopped = true
    return finding
  }

  function explain(agent?: string): Explanation[] {
    const state = agents.named(agent)
    return detectors.flatMap((detector, index) => {
      if (!state || disabled || broken.has(detector)) return []
      const context = { options: detector.options, log: state.log, number: events }
      return [{ detector: detector.name, ...detector.pressure(state.states[index], context) }]
    })
  }

  return {
    observe,
    explain,
    faults,
    get stopped() {
      return stopped && !disabled
    },
    get events() {
      return events
    },
    get findings() {
      return findings
    },
    get pressure() {
      return Math.max(0, ...explain().map(({ pressure }) => pressure))
    },
    assert() {
      const last = findings.findLast(({ action }) => action === 'ask' || action === 'stop')
      if (stopped && !disabled && last) throw new LoopError(last)
    },
    snapshot: () => ({
      unloop: 1,
      seed,
      events,
      stopped,
      disabled,
      findings: copyFindings(findings),
      agents: saveAgents(agents, detectors),
    }),
    reset() {
      agents.clear()
      findings = []
      events = 0
      stopped = false
    },
    disable() {
      disabled = true
    },
  }
}

const copyFindings = (findings: readonly Finding[]) =>
  findings.map((finding) => ({ ...finding, wasted: { ...finding.wasted } }))

/** Adds what an event costs, with a mark where a stretch may begin. */
function count({ tally }: AgentState, event: AgentEvent, number: number): void {
  switch (event.type) {
    case 'text':
    case 'reasoning':
      tally.characters += event.text.length
      return
    case 'tool-call':
    case 'turn-start':
      return mark(tally, number)
    case 'usage':
      for (const tokens of [event.inputTokens, event.outputTokens]) {
        if (typeof tokens === 'number' && tokens > 0) tally.tokens += tokens
      }
  }
}

function toFinding(
  { tally, agent }: AgentState,
  detector: Detector,
  report: Report,
  at: number,
): Finding {
  const spent = spentSince(tally, report.since)
  const finding: Finding = {
    detector: detector.name,
    kind: report.kind,
    detail: report.detail,
    advice: report.advice ?? detector.advice,
    identity: report.identity,
    count: report.count,
    period: report.period,
    since: report.since,
    at,
    sample: report.sample,
    strike: 1,
    action: 'stop',
    wasted: { events: at - report.since + 1, ...spent },
  }
  if (report.characters !== undefined) finding.wasted.characters = report.characters
  if (report.tool !== undefined) finding.tool = report.tool
  if (agent !== '') finding.agent = agent
  return finding
}

/** Which detectors want to see which events. */
function listenersByType(detectors: readonly Detector[]): Record<AgentEventType, number[]> {
  const listeners: Record<AgentEventType, number[]> = {
    prompt: [],
    'turn-start': [],
    'turn-end': [],
    text: [],
    reasoning: [],
    'tool-call': [],
    'tool-result': [],
    retry: [],
    usage: [],
    handoff: [],
    compaction: [],
  }
  for (const [index, { on }] of detectors.entries()) {
    for (const type of on) listeners[type].push(index)
  }
  return listeners
}

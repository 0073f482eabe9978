import type { Detector, DetectorReport, Finder, Pressure } from './detector.js'
import type { AgentEvent, AgentEventType } from './event.js'
import { createFaults, type Fault } from './fault.js'
import type { Finding } from './finding.js'
import { readEvent, shortName } from './intake/intake.js'
import { actionFor, continuedLoop, type Loop, strike } from './ladder/ladder.js'
import { addCost, toFinding } from './ladder/report.js'
import { LoopError } from './loop-error.js'
import { bad } from './options.js'
import { randomSeed } from './reading/hash.js'
import { addErrand } from './rounds/errands.js'
import { fold, foldDelta, forgetSince } from './rounds/log.js'
import { isAchievement } from './rounds/rounds.js'
import { checkSettings, type GuardOptions } from './settings.js'
import { type AgentState, createAgents, type Seat } from './state/agents.js'
import { loadSnapshot, type Snapshot, saveAgents, toSnapshot } from './state/snapshot.js'

export type { Fault } from './fault.js'

/** How near one detector is to a finding. */
export interface Explanation extends Pressure {
  detector: string
}

/** Watches one run of an agent. */
export interface Guard {
  /** Takes the next event; tells of a loop the moment it is one. Never throws. */
  observe(event: AgentEvent): Finding | undefined
  /** a loop has led to `ask` or `stop`, and nobody has decided otherwise */
  readonly stopped: boolean
  /** nothing is looked for any more, because the person chose so; no event can do that */
  readonly disabled: boolean
  /** how many events were observed: the number of the next */
  readonly events: number
  /** what was found in this session, oldest first; the last ones only */
  readonly findings: readonly Finding[]
  /** detectors that threw and were left out, and failures of the guard itself; the first ones only */
  readonly faults: readonly Fault[]
  /** Takes the failure of a part that works for the guard, such as an adapter. */
  addFault(part: string, error: unknown): void
  /** how many events could not be read and were skipped */
  readonly skipped: number
  /** Takes what somebody else found, as the judge does: the ladder, the list and the person's choices hold for it as well. */
  report(finding: Finding): Finding | undefined
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

  /** The person's choice: go on, and let the loop that stopped it pass once more. */
  continueOnce(): void
  /** The person's choice: go on, and let this tool come so many times, or always. */
  allow(tool: string, times?: number | 'always'): void
  /** The person's choice: go on with a word to the model; gives the text to put before it. */
  hint(text: string): string
  /** The person's choice: undo the loop; gives the number of the event with which it first began, to cut the history at. */
  goBack(): number
  /** The person's choice: it stays stopped. */
  stop(): void
  /** The person's choice: from now on nothing is found, whatever comes. */
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
  const { detectors, tools, answers, ladder, mode, onFault } = checkSettings(options)
  const saved = snapshot === undefined ? undefined : loadSnapshot(snapshot, detectors)
  const known = { seed: saved?.seed ?? randomSeed(), tools, answers }
  const agents = createAgents(detectors, saved?.agents)
  const allowed = new Map<string, number>(saved?.allowed)
  const broken = new Set<Detector>()
  const faults = createFaults(onFault)
  let findings: Finding[] = saved?.findings ?? []
  let events = saved?.events ?? 0
  let stopped = saved?.stopped ?? false
  let disabled = saved?.disabled ?? false
  let skipped = saved?.skipped ?? 0
  let isBusy = false

  function observe(event: AgentEvent): Finding | undefined {
    const number = events++
    if (disabled) return
    // who is asked about an event may not show another one meanwhile
    const read = isBusy ? undefined : readEvent(event)
    if (!read) {
      skipped++
      return
    }
    isBusy = true
    try {
      return take(read, number)
    } catch (error) {
      skipped++
      faults.add('guard', error)
    } finally {
      isBusy = false
    }
  }

  /** Whether the person, or else the options, let this tool come so often. */
  function isAllowed(tool: string | undefined, count: number): boolean {
    if (tool === undefined) return false
    const option = Object.hasOwn(tools, tool) ? tools[tool]?.allow : undefined
    return (allowed.get(tool) ?? toCount(option ?? 0)) > count
  }

  function take(event: AgentEvent, number: number): Finding | undefined {
    const { type } = event
    // deltas come by the thousand, so they take the shortest way
    if (type === 'text' || type === 'reasoning') {
      const state = agents.of(event)
      state.tally.characters += event.text.length
      foldDelta(state.log, event, number)
      return tell(state, state.others[type], event, number)
    }
    if (type === 'prompt' && agents.prompt(event, stopped)) stopped = false
    const state = agents.of(event)
    const { log } = state
    addCost(state, event, number)
    fold(log, event, number, known)
    if (log.completed) {
      addErrand(log.errands, state.agent, log.completed)
      if (state.agent !== '' && isAchievement(log.completed)) agents.delegated()
    }
    const listeners = log.completed ? state.completing : state.others
    const found = tell(state, listeners[type], event, number)
    return found ?? (type === 'tool-call' ? goOn(state, number) : undefined)
  }

  /** Tells the detectors of an event, and gives what they found; what is certain comes first. */
  function tell(
    state: AgentState,
    seats: readonly Seat[] | undefined,
    event: AgentEvent,
    number: number,
  ): Finding | undefined {
    if (!seats) return
    let reports: [Detector, DetectorReport][] | undefined
    for (let i = 0; i < seats.length; i++) {
      const seat = seats[i] as Seat
      const report = ask(seat, event, number)
      if (report) reports = [...(reports ?? []), [seat.detector, report]]
    }
    if (!reports) return
    let found: Finding | undefined
    for (const certainty of CERTAINTIES) {
      for (const [detector, report] of reports) {
        if ((report.certainty ?? 'certain') !== certainty) continue
        try {
          found = judge(state, detector, report, event.type, number) ?? found
        } catch (error) {
          drop(detector, error)
        }
      }
      if (found) return found
    }
  }

  function ask(seat: Seat, event: AgentEvent, number: number): DetectorReport | undefined {
    if (broken.size > 0 && broken.has(seat.detector)) return
    seat.number = number
    try {
      return seat.observe(seat.state, event, seat)
    } catch (error) {
      drop(seat.detector, error)
    }
  }

  /** A detector that fails is left out from then on. */
  function drop(detector: Detector, error: unknown): void {
    // where the stack of the host is full it is not the detector that failed
    if (!isStackFull(error)) broken.add(detector)
    faults.add(detector.name, error)
  }

  function judge(
    teller: AgentState,
    detector: Finder,
    report: DetectorReport,
    type: AgentEventType,
    number: number,
  ) {
    const state = report.isEverybody ? agents.main() : teller
    const tools = report.tools ?? [report.tool]
    if (tools.every((tool) => isAllowed(tool, report.count))) return
    const plane = report.plane ?? detector.plane
    const named = { ...report, identity: `${detector.name}:${report.identity}` }
    // a round is one step; the rules of the presets count each call
    const stepwise = plane === 'calls' && detector.stage !== 'reference' && !report.isEverybody
    const inRound = type === 'tool-call' || type === 'tool-result' || state.log.isOpen
    const place = stepwise && inRound ? state.log.firstCall : number
    const finding = toFinding(state, detector, report, number)
    const loop = strike(state.loops, plane, named, number, place, inRound)
    if (loop) return conclude(loop, finding)
    renew(finding, named.identity)
  }

  /** What was reported when the call was made is known better now that it was answered. */
  function renew(finding: Finding, identity: string): void {
    const told = findings.findLast((known) => known.identity === identity)
    if (!told || finding.count <= told.count) return
    const { strike, action, certainty } = told
    Object.assign(told, finding, { identity, strike, action, certainty })
  }

  /** A call of a loop that was reported: it can be refused before it is made, with all others of its round. */
  function goOn(state: AgentState, number: number): Finding | undefined {
    const loop = continuedLoop(state.loops, state.log)
    const last = loop && findings.findLast(({ identity }) => identity === loop.identity)
    if (!loop || !last || isAllowed(state.log.calls.at(-1)?.name, last.count)) return
    if (loop.at >= state.log.firstCall) {
      const isRefused = mode === 'enforce' && last.action !== 'warn'
      return isRefused ? { ...last, lastEvent: number } : undefined
    }
    const report = { ...last, keys: loop.keys }
    const struck = strike(state.loops, loop.plane, report, number, state.log.firstCall, true)
    if (!struck) return
    const detail = last.detail.endsWith(AGAIN) ? last.detail : last.detail + AGAIN
    const wasted = { ...last.wasted, events: number - last.firstEvent + 1 }
    return conclude(struck, { ...last, lastEvent: number, detail, wasted })
  }

  function conclude(loop: Loop, finding: Finding): Finding | undefined {
    finding.identity = loop.identity
    finding.strike = loop.strikes
    finding.action = actionFor(ladder[loop.plane], loop)
    // ours may be renewed; what was given stays as it was
    findings.push({ ...finding })
    if (findings.length > MAX_FINDINGS) findings.shift()
    if (mode === 'observe') return
    if (isFinal(finding)) stopped = true
    return finding
  }

  function explain(agent?: string): Explanation[] {
    const state = agents.named(agent)
    if (!state || disabled) return []
    return state.seats.flatMap((seat) => {
      const { detector } = seat
      if (broken.has(detector)) return []
      try {
        return [{ detector: detector.name, ...detector.pressure(seat.state, seat) }]
      } catch (error) {
        faults.add(detector.name, error)
        return []
      }
    })
  }

  /** The finding that the person decides about, and the loop it is about. */
  function pending() {
    const finding = findings.findLast(isFinal) ?? findings.at(-1)
    const state = agents.named(finding?.agent)
    return {
      finding,
      state,
      loop: state?.loops.find(({ identity }) => identity === finding?.identity),
    }
  }

  return {
    observe,
    explain,
    faults: faults.list,
    addFault: faults.add,
    get skipped() {
      return skipped
    },
    report(finding) {
      if (disabled) return
      try {
        const state = agents.of({ type: 'turn-start', agent: shortName(finding.agent ?? '') })
        const finder = { name: finding.detector, plane: 'calls', advice: finding.advice } as const
        const { kind, detail, count, period, firstEvent, sample } = finding
        const identity = shortName(finding.identity)
        const report = { kind, detail, identity, count, period, firstEvent, sample }
        return judge(state, finder, report, 'turn-start', events)
      } catch (error) {
        faults.add('report', error)
      }
    },
    get stopped() {
      return stopped && !disabled
    },
    get disabled() {
      return disabled
    },
    get events() {
      return events
    },
    get findings() {
      return findings
    },
    get pressure() {
      // what has an excuse is not near, however often it came
      return Math.max(0, ...explain().map(({ pressure, excuse }) => (excuse ? 0 : pressure)))
    },
    assert() {
      const last = findings.findLast(isFinal)
      if (stopped && !disabled && last) throw new LoopError(last)
    },
    snapshot: () =>
      toSnapshot({
        unloop: 3,
        seed: known.seed,
        events,
        skipped,
        stopped,
        disabled,
        allowed: [...allowed],
        findings,
        agents: saveAgents(agents),
      }),
    reset() {
      agents.clear()
      allowed.clear()
      findings = []
      events = 0
      skipped = 0
      stopped = false
    },
    continueOnce() {
      const { loop } = pending()
      if (loop) loop.pardons++
      stopped = false
    },
    allow(tool, times = 'always') {
      if (typeof tool !== 'string') throw bad('allow', 'takes the name of a tool', tool)
      if (times !== 'always' && !(times >= 1)) {
        throw bad('allow', "takes a number of at least 1 or 'always'", times)
      }
      allowed.set(shortName(tool), toCount(times))
      stopped = false
    },
    hint(text) {
      const { finding, loop } = pending()
      if (loop) loop.strikes = 0
      stopped = false
      return finding ? `${finding.advice}\n${text}` : text
    },
    goBack() {
      const { finding, loop } = pending()
      stopped = false
      if (!finding) return events
      const since = Math.min(finding.firstEvent, loop?.since ?? finding.firstEvent)
      for (const state of agents.all()) {
        forgetSince(state.log, since)
        state.loops = []
        for (const seat of state.seats) seat.state = seat.detector.start(seat.options)
      }
      return since
    },
    stop() {
      stopped = true
    },
    disable() {
      disabled = true
    },
  }
}

const isStackFull = (error: unknown) =>
  error instanceof RangeError && error.message.includes('call stack')

const CERTAINTIES = ['certain', 'likely'] as const

const AGAIN = ', and it goes on'

// no infinity: JSON has none
const toCount = (times: number | 'always') =>
  times === 'always' ? Number.MAX_SAFE_INTEGER : Math.min(times, Number.MAX_SAFE_INTEGER)

const isFinal = ({ action }: Finding) => action === 'ask' || action === 'stop'

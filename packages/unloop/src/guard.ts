import { BUDGET, type Budget, overspent, spend, startSpent } from './budget.js'
import type { AgentEvent } from './event.js'
import { createFaults, type Fault } from './fault.js'
import { type Finding, isFinal } from './finding.js'
import { readEvent, shortName } from './intake/intake.js'
import { createFindings } from './ladder/findings.js'
import { addCost } from './ladder/report.js'
import { LoopError } from './loop-error.js'
import { bad } from './options.js'
import { createPanel, type Explanation, type Said } from './panel.js'
import { actionIn } from './reading/answer/observations.js'
import { randomSeed } from './reading/hash.js'
import { addErrand } from './rounds/errands.js'
import { fold, foldDelta, forgetSince } from './rounds/log.js'
import { isAchievement } from './rounds/rounds.js'
import { checkSettings, type GuardMode, type GuardOptions } from './settings.js'
import { type AgentState, createAgents } from './state/agents.js'
import { HOST, type HostState, type SavedHost, startHost } from './state/host.js'
import { loadSnapshot, type Snapshot, saveAgents, toSnapshot } from './state/snapshot.js'

type PromptEvent = Extract<AgentEvent, { type: 'prompt' }>
type TextEvent = Extract<AgentEvent, { type: 'text' | 'reasoning' }>

/** Watches one run of an agent. */
export interface Guard {
  /** Takes the next event and returns a finding as soon as there is a loop. Never throws. */
  observe(event: AgentEvent): Finding | undefined
  /** whether it acts on its findings or only reports them */
  readonly mode: GuardMode
  /** a loop has led to `ask` or `stop`, and the person has not decided otherwise */
  readonly stopped: boolean
  /** the person has turned detection off; no event can do that */
  readonly disabled: boolean
  /** how many events were observed, which is also the number of the next one */
  readonly events: number
  /** the most recent findings of this session, oldest first */
  readonly findings: readonly Finding[]
  /** the first internal errors: detectors that threw and were dropped, and failures of the guard itself */
  readonly faults: readonly Fault[]
  /** Records a failure in a part that works for the guard, such as an adapter. */
  addFault(part: string, error: unknown): void
  /** how many events could not be read and were skipped */
  readonly skipped: number
  /** Takes a finding from elsewhere, such as the judge; the ladder and the person's choices apply to it as well. */
  report(finding: Finding): Finding | undefined
  /** how close the closest detector is to a finding, from 0 to 1: an early sign */
  readonly pressure: number
  /** For each detector: how close it is, its count and limit, and why a repeat was not reported. */
  explain(agent?: string): Explanation[]
  /** Throws a `LoopError` with the finding if the run was stopped. */
  assert(): void
  /** The whole state as plain JSON, including its run; `createGuard(options, snapshot)` continues from it. */
  snapshot(): Snapshot
  /** Forgets everything except a `disable()`. */
  reset(): void

  /** The person's choice: continue, and ignore the next report of the loop that stopped the run. */
  continueOnce(): void
  /** The person's choice: continue, and allow this tool to repeat that many times, or always. */
  allow(tool: string, times?: number | 'always'): void
  /** The person's choice: continue with a hint for the model; returns the text to send. */
  hint(text: string): string
  /** The person's choice: undo the loop; returns the number of its first event, where the history is to be cut. */
  goBack(): number
  /** The person's choice: the run stays stopped. */
  stop(): void
  /** The person's choice: nothing is detected from now on. */
  disable(): void

  /** what `runOf(guard)` keeps between events */
  readonly [HOST]: HostState
}

/**
 * A guard for one run of an agent.
 *
 * @example
 * const guard = createGuard()
 * const finding = guard.observe({ type: 'tool-call', name: 'read_file', args: { path: 'a.ts' } })
 */
export function createGuard(options?: GuardOptions, snapshot?: Snapshot): Guard {
  const settings = checkSettings(options)
  const { detectors, tools, answers, budget } = settings
  const saved = snapshot === undefined ? undefined : loadSnapshot(snapshot, detectors)
  const known = { seed: saved?.seed ?? randomSeed(), tools, answers }
  const agents = createAgents(detectors, saved?.agents)
  const allowed = new Map<string, number>(saved?.allowed)
  const faults = createFaults(settings.onFault)
  const panel = createPanel(faults)
  const isEnforced = settings.mode === 'enforce'
  const findings = createFindings(saved?.findings ?? [], {
    ladder: settings.ladder,
    isEnforced,
    isAllowed,
    tell,
  })
  const host = saved?.host ?? startHost()
  let spent = saved?.spent ?? startSpent()
  let events = saved?.events ?? 0
  let stopped = saved?.stopped ?? false
  let disabled = saved?.disabled ?? false
  let skipped = saved?.skipped ?? 0
  let isBusy = false
  /** the round that was refused for the budget */
  let overdrawn: { state: AgentState; firstCall: number; finding: Finding } | undefined

  function observe(event: AgentEvent): Finding | undefined {
    const number = events++
    if (disabled) return
    // a detector must not observe another event while it is being asked about this one
    const read = isBusy ? undefined : readEvent(event)
    if (!read) {
      skipped++
      return
    }
    isBusy = true
    try {
      const { type } = read
      // deltas come by the thousand, so they take the shortest path
      return type === 'text' || type === 'reasoning' ? hear(read, number) : take(read, number)
    } catch (error) {
      skipped++
      faults.add('guard', error)
    } finally {
      isBusy = false
    }
  }

  function hear(event: TextEvent, number: number): Finding | undefined {
    const state = agents.of(event)
    state.tally.characters += event.text.length
    foldDelta(state.log, event, number)
    const seats = state.others[event.type]
    return seats && decide(state, panel.ask(seats, event, number), event, number)
  }

  function take(event: AgentEvent, number: number): Finding | undefined {
    const words = event.type === 'prompt' ? agents.prompt(event, stopped) : 'nothing'
    if (words === 'request') {
      stopped = false
      spent = startSpent()
      overdrawn = undefined
    }
    if (words === 'request' || words === 'task') host.requests++
    const state = agents.of(event)
    const finding = see(state, withWords(event), number)
    if (event.type !== 'prompt' || words !== 'observation' || !answers) return finding
    return seeRound(state, event, number) ?? finding
  }

  /** What is handed over without a word is what was said last. */
  function withWords(event: AgentEvent): AgentEvent {
    if (event.type !== 'handoff' || event.text) return event
    const text = agents.named(event.agent)?.log.speech.text
    return text ? { ...event, text } : event
  }

  /** Sees a call that was made in words, and its answer, which came in the person's place. */
  function seeRound(state: AgentState, { agent, text = '' }: PromptEvent, number: number) {
    const { speech, spoke, isOpen } = state.log
    if (!spoke || isOpen) return
    const { name, args } = actionIn(speech.text)
    const whose = agent === undefined ? {} : { agent }
    // of a long message, only the beginning is known
    const whole = speech.length > speech.text.length ? { ...args, length: speech.length } : args
    const call = see(state, { ...whose, type: 'tool-call', name, args: whole }, number)
    return see(state, { ...whose, type: 'tool-result', output: text }, number) ?? call
  }

  function see(state: AgentState, event: AgentEvent, number: number): Finding | undefined {
    const { type } = event
    const { log } = state
    addCost(state, event, number)
    fold(log, event, number, known)
    if (log.completed) {
      addErrand(log.errands, state.agent, log.completed)
      if (state.agent !== '' && isAchievement(log.completed)) agents.delegated()
    }
    const seats = (log.completed ? state.completing : state.others)[type]
    const found = seats && decide(state, panel.ask(seats, event, number), event, number)
    const paid = budget && pay(budget, state, event, number)
    // the past cannot be refused any more
    const isRefusable = type === 'tool-call' && !host.isPast
    return found ?? (isRefusable ? findings.goOn(state, number) : undefined) ?? paid
  }

  /** Charges the event to the budget. A new step beyond it is reported, and all its calls are refused. */
  function pay(limits: Budget, state: AgentState, event: AgentEvent, number: number) {
    const { type } = event
    const { firstCall } = state.log
    const isNewRound = type === 'tool-call' && firstCall === number
    spend(spent, event, isNewRound, limits)
    if (type === 'tool-call' && !isNewRound) {
      const isSame = overdrawn?.state === state && overdrawn.firstCall === firstCall
      return isSame ? overdrawn?.finding : undefined
    }
    // a step is reported once: at its calls, which can be refused, or at its start if there are none
    if (!isNewRound && (type !== 'turn-start' || spent.rounds > 0)) return
    const report = overspent(spent, limits)
    if (!report) return
    // apart from the loops of the agents, which have steps of their own
    const main = { ...agents.main(), loops: spent.loops }
    const finding = findings.add(main, BUDGET, report, type, number)
    overdrawn = finding && finding.action !== 'warn' ? { state, firstCall, finding } : undefined
    return finding
  }

  /** Turns the detectors' reports into a finding; certain ones come first. */
  function decide(
    state: AgentState,
    said: readonly Said[] | undefined,
    { type }: AgentEvent,
    number: number,
  ): Finding | undefined {
    if (!said) return
    let found: Finding | undefined
    for (const certainty of CERTAINTIES) {
      for (const { detector, report } of said) {
        if ((report.certainty ?? 'certain') !== certainty) continue
        const teller = report.isEverybody ? agents.main() : state
        try {
          found = findings.add(teller, detector, report, type, number) ?? found
        } catch (error) {
          panel.drop(detector, error)
        }
      }
      if (found) return found
    }
  }

  function tell(finding: Finding): void {
    if (isEnforced && isFinal(finding) && !host.isPast) stopped = true
    try {
      if (!host.isReplaying) settings.onFinding?.({ ...finding })
    } catch (error) {
      faults.add('onFinding', error)
    }
  }

  /** Whether the person, or else the options, allow this tool to repeat this often. */
  function isAllowed(tool: string | undefined, count: number): boolean {
    if (tool === undefined) return false
    const option = Object.hasOwn(tools, tool) ? tools[tool]?.allow : undefined
    return (allowed.get(tool) ?? toCount(option ?? 0)) > count
  }

  function explain(agent?: string): Explanation[] {
    const state = agents.named(agent)
    return state && !disabled ? panel.explain(state) : []
  }

  /** The finding that the person decides about, and its loop. */
  function pending() {
    const finding = findings.list.findLast(isFinal) ?? findings.list.at(-1)
    const state = agents.named(finding?.agent)
    return {
      finding,
      state,
      loop: [...(state?.loops ?? []), ...spent.loops].find(
        ({ identity }) => identity === finding?.identity,
      ),
    }
  }

  return {
    [HOST]: host,
    mode: settings.mode,
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
        return findings.add(state, finder, report, 'turn-start', events)
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
      return findings.list
    },
    get pressure() {
      // a repeat with an excuse does not count, however often it came
      return Math.max(0, ...explain().map(({ pressure, excuse }) => (excuse ? 0 : pressure)))
    },
    assert() {
      const last = findings.list.findLast(isFinal)
      if (stopped && !disabled && last) throw new LoopError(last)
    },
    snapshot: () =>
      toSnapshot({
        unloop: 5,
        seed: known.seed,
        events,
        skipped,
        stopped,
        disabled,
        allowed: [...allowed],
        findings: findings.list,
        spent,
        host: host.save?.() ?? (host as unknown as SavedHost),
        agents: saveAgents(agents),
      }),
    reset() {
      agents.clear()
      allowed.clear()
      findings.list.length = 0
      spent = startSpent()
      Object.assign(host, startHost())
      events = 0
      skipped = 0
      stopped = false
    },
    continueOnce() {
      const { loop } = pending()
      if (loop) loop.pardons++
      overdrawn = undefined
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

const CERTAINTIES = ['certain', 'likely'] as const

// JSON has no infinity
const toCount = (times: number | 'always') =>
  times === 'always' ? Number.MAX_SAFE_INTEGER : Math.min(times, Number.MAX_SAFE_INTEGER)

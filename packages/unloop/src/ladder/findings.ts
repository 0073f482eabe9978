import type { DetectorReport, Finder } from '../detector.js'
import type { AgentEventType } from '../event.js'
import type { Finding } from '../finding.js'
import type { AgentLog } from '../rounds/log.js'
import type { AgentState } from '../state/agents.js'
import { actionFor, continuedLoop, type Ladder, type Loop, strike } from './ladder.js'
import { toFinding } from './report.js'
import { spentSince } from './tally.js'

/** The findings of a session. */
export interface Findings {
  /** oldest first; the last ones only */
  readonly list: Finding[]
  /** Turns a report into a finding, unless the loop was already struck at this place or is allowed. */
  add(
    state: AgentState,
    finder: Finder,
    report: DetectorReport,
    type: AgentEventType,
    number: number,
  ): Finding | undefined
  /** Finds a call that continues a reported loop: it can be refused before it is made, with the rest of its round. */
  goOn(state: AgentState, number: number): Finding | undefined
}

interface Rules {
  ladder: Ladder
  isEnforced: boolean
  /** Whether the person or the options allow this many calls to this tool. */
  isAllowed(tool: string | undefined, count: number): boolean
  /** Called with each finding. */
  tell(finding: Finding): void
}

// enough for a person to read; a snapshot carries them all
const MAX_FINDINGS = 16

/** Turns reports into findings, by the ladder. */
export function createFindings(
  list: Finding[],
  { ladder, isEnforced, isAllowed, tell }: Rules,
): Findings {
  /** Updates a finding that was reported at the call, now that the answer is known. */
  function renew(finding: Finding, identity: string): void {
    const told = list.findLast((known) => known.identity === identity)
    if (!told || finding.count <= told.count) return
    const { strike, action, certainty } = told
    Object.assign(told, finding, { identity, strike, action, certainty })
  }

  function conclude(loop: Loop, finding: Finding): Finding {
    finding.identity = loop.identity
    finding.strike = loop.strikes
    finding.action = actionFor(ladder[loop.plane], loop)
    // this copy may be updated; the one that was returned stays as it was
    list.push({ ...finding })
    if (list.length > MAX_FINDINGS) list.shift()
    tell(finding)
    return finding
  }

  return {
    list,
    add(state, finder, report, type, number) {
      const tools = report.tools ?? [report.tool]
      if (tools.every((tool) => isAllowed(tool, report.count))) return
      const plane = report.plane ?? finder.plane
      const named = { ...report, identity: `${finder.name}:${report.identity}` }
      // a round is one step; the presets count each call
      const stepwise = plane === 'calls' && finder.stage !== 'reference' && !report.isEverybody
      const inRound = type === 'tool-call' || type === 'tool-result' || state.log.isOpen
      const place = stepwise && inRound ? state.log.firstCall : number
      const finding = toFinding(state, finder, report, number)
      const loop = strike(state.loops, plane, named, number, place, inRound)
      if (loop) return conclude(loop, finding)
      renew(finding, named.identity)
    },
    goOn(state, number) {
      const loop = continuedLoop(state.loops, state.log)
      const last = loop && list.findLast(({ identity }) => identity === loop.identity)
      if (!loop || !last || isAllowed(state.log.calls.at(-1)?.name, last.count)) return
      if (loop.at >= state.log.firstCall) {
        const isRefused = isEnforced && last.action !== 'warn'
        return isRefused ? { ...last, lastEvent: number } : undefined
      }
      const report = { ...last, keys: loop.keys }
      const struck = strike(state.loops, loop.plane, report, number, state.log.firstCall, true)
      if (!struck) return
      const wasted = {
        ...last.wasted,
        events: number - last.firstEvent + 1,
        ...spentSince(state.tally, last.firstEvent),
      }
      const count = Math.max(last.count, lapsOf(state.log, struck, last))
      const detail = last.detail.replace(`${last.count} times`, `${count} times`)
      return conclude(struck, {
        ...last,
        count,
        lastEvent: number,
        detail: detail.endsWith(AGAIN) ? detail : detail + AGAIN,
        wasted,
      })
    },
  }
}

/** How many laps the answered calls since the beginning of a loop make. */
function lapsOf({ rounds }: AgentLog, { keys }: Loop, { firstEvent, period }: Finding): number {
  const calls = rounds.filter(({ number, key }) => number >= firstEvent && keys.includes(key))
  return Math.floor(calls.length / period)
}

const AGAIN = ', and it continues'

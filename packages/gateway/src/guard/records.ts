import type { Saved, SessionState, Update } from '../store/session.js'
import type { Store } from '../store/store.js'
import { isOwnId } from './call-ids.js'
import type { Decision } from './decide.js'
import type { Observer } from './guardian.js'
import { freezeLane, type Lane } from './lane.js'
import type { Lanes } from './lanes.js'
import { type Ask, type Located, pointerOf } from './locate.js'
import type { RequestFacts } from './read-request.js'
import type { Sender } from './session-key.js'
import type { Turn } from './turn.js'
import { toView } from './views.js'

/** What is known of a request when it was decided. */
export interface Report {
  /** where the lane stood before */
  places: (string | undefined)[]
  sender: Sender
  request: RequestFacts
  found: Located
  decision: Decision
  /** findings that nobody has heard of before */
  news: Decision['found']
  /** the person said something new */
  isPrompt: boolean
  /** words of somebody at the live page for the model */
  hints: string[]
  /** the session has used up its budget */
  isOver: boolean
  /** it is not of the agent itself, so that its lane is not kept */
  isAside: boolean
}

/** Keeps the books of sessions, and gives lanes back. */
export interface Records {
  ask: Ask
  /** We answer ourselves. Resolves when other instances know. */
  refused(report: Report): Promise<void>
  /** The answer is complete. Resolves when other instances know. */
  answered(report: Report, answer: Answered): Promise<void>
  /** The answer did not come. */
  lost(report: Report): void
  settle(): Promise<void>
}

/** An answer that is over. */
interface Answered {
  turn: Turn
  isCut: boolean
  /** the client waits until it is stored */
  isHeld: boolean
  redo: Redo | undefined
}

/** Makes the lane of a report of what another instance has stored meanwhile; false if that is not possible. */
export type Redo = () => Promise<boolean>

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

const NOTHING: Saved = { requests: 0, tokens: 0, dollars: 0 }

export function createRecords(store: Store, lanes: Lanes, observer: Observer): Records {
  const saving = new Set<Promise<unknown>>()

  const ask: Ask = async (operation, work) => {
    try {
      return await work()
    } catch (error) {
      observer.storeFailed(operation, error)
      return undefined
    }
  }

  /** Does something without anybody waiting for it. */
  function later(work: Promise<unknown>): void {
    saving.add(work)
    void work.finally(() => saving.delete(work))
  }

  /** Stores what a request changed. */
  async function save(report: Report, update: Update, redo?: Redo): Promise<void> {
    const { sender, found } = report
    const { id, lane } = found
    const whole = withLane(update, report)
    const isSaved = await ask('save', () => store.save(id, whole))
    if (isSaved && whole.lane) lane.version = whole.lane.version
    if (isSaved === false && (await redo?.())) return save(report, update)
    if (isSaved === false) await ask('save', () => store.save(id, update))
    if (sender.session !== undefined || report.isAside) return
    const point = (place: string) => pointerOf(sender.key, place)
    const [now, gone] = [standsAt(lane), report.places].map((places) =>
      places.filter((place) => place !== undefined),
    ) as [string[], string[]]
    const old = gone.filter((place) => !now.includes(place))
    await ask('point', () => store.point(id, now.map(point), old.map(point)))
  }

  /** The update with the state of the lane, unless another request has it already: then that one stores it. */
  function withLane(update: Update, { sender, found: { lane }, isAside, places }: Report): Update {
    const { place, alias, persona, hasCalls } = lane
    if (isAside || lane.isBusy || place === undefined) return update
    const version = lane.version + 1
    const [from] = places
    const freeze = () => freezeLane(lane, sender.key)
    return {
      ...update,
      lane: { place, alias, persona, hasCalls, at: update.at, version, from, freeze },
    }
  }

  /** What a request changes, whatever became of it. */
  function toUpdate(report: Report, at: number): Update {
    const { sender, request, found, decision, news, isPrompt, isOver } = report
    const { lane } = found
    return {
      about: {
        name: (sender.session ?? '').slice(0, 80),
        agent: sender.agent,
        protocol: request.protocol,
        model: request.model,
      },
      at,
      requests: 0,
      tokens: 0,
      dollars: 0,
      saved: NOTHING,
      over: isOver ? 1 : 0,
      state: stateOf(lane, decision),
      pressure: lane.guard.pressure,
      findings: news.map(({ finding, outcome }) => toView(finding, outcome, at)),
      isPrompt,
      hasTools: request.hasTools,
    }
  }

  return {
    ask,
    refused(report) {
      const { lane } = report.found
      const saved = { requests: 1, tokens: lane.lastTokens, dollars: lane.lastDollars }
      lanes.release(report.sender.key, lane)
      observer.saved(saved)
      const stored = save(report, { ...toUpdate(report, Date.now()), saved })
      later(stored)
      return stored
    },
    async answered(report, { turn, isCut, isHeld, redo }) {
      const { lane } = report.found
      const spent = turn.spent()
      lane.lastTokens = spent.tokens
      lane.lastDollars = spent.dollars
      const saved = isCut ? { requests: 0, ...turn.saved() } : NOTHING
      if (isCut) observer.saved(saved)
      if (!report.isAside) lanes.release(report.sender.key, lane)
      const at = Date.now()
      const heard = turn.found.map((finding) => toView(finding, isCut ? 'cut' : 'observe', at))
      const before = toUpdate(report, at)
      const update: Update = {
        ...before,
        requests: 1,
        ...spent,
        saved,
        findings: [...before.findings, ...heard],
        state: heard.length > 0 && before.state === 'working' ? 'stuck' : before.state,
      }
      // the client comes first
      const stored = (isHeld ? Promise.resolve() : nextTurn()).then(() =>
        save(report, update, redo),
      )
      later(stored)
      await stored
    },
    lost(report) {
      const { lane } = report.found
      lane.asked = report.request.whole
      if (!report.isAside) lanes.release(report.sender.key, lane)
    },
    async settle() {
      while (saving.size > 0) await Promise.all(saving)
    },
  }
}

/** Where a lane can be found: by its place, and by the last of its calls, which are answered next. */
export const standsAt = ({ place, alias, callIds }: Lane): (string | undefined)[] => [
  place,
  alias,
  ...callIds
    .filter(isOwnId)
    .slice(-MAX_POINTERS)
    .map((id) => `call ${id}`),
]

// the last answer of a round is asked for
const MAX_POINTERS = 8

function stateOf({ guard }: Lane, { outcome, finding, found }: Decision): SessionState {
  if (guard.disabled) return 'unguarded'
  if (guard.stopped || outcome === 'respond' || outcome === 'error')
    return finding?.detector === 'person' ? 'stopped' : 'stuck'
  const certain = found.some((one) => one.finding.certainty === 'certain')
  return certain ? 'stuck' : found.length > 0 ? 'struggling' : 'working'
}

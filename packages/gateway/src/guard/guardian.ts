import type { IncomingHttpHeaders } from 'node:http'
import type { AgentEvent, Finding } from 'unloop'
import { writeJson } from '../body/json.js'
import type { ReadBody, Unread } from '../body/read.js'
import type { Actions } from '../config/actions.js'
import type { Config, SessionBudget } from '../config/config.js'
import { policyOf } from '../config/rules.js'
import type { Saved } from '../store/session.js'
import type { Store } from '../store/store.js'
import type { Listener } from './answer-tap.js'
import { checkBudget } from './budget.js'
import { applyChoices } from './choices.js'
import { type Decision, decide } from './decide.js'
import { type Lane, moveLane } from './lane.js'
import { createLanes } from './lanes.js'
import { type Located, locate } from './locate.js'
import { factsOf, type ModelRequest, readRequest, toPlace, withVoice } from './read-request.js'
import { createRecords, type Report, standsAt } from './records.js'
import { readSender, type Sender } from './session-key.js'
import { showRequest } from './show-request.js'
import { keepUnsent, mend, newAnswerId } from './threads.js'
import { startTurn, type Turn } from './turn.js'
import { errorBody, stopWords } from './words.js'

/** A request as the proxy has it. */
export interface Asked {
  upstream: string
  path: string
  /** with the query */
  address: string
  headers: IncomingHttpHeaders
  read: ReadBody
}

/** What becomes of a request. */
export interface Begun {
  id: string
  verdict: Decision['outcome']
  protocol: ModelRequest['protocol']
  /** what the client gets at once, without the provider */
  answer?: OwnAnswer
  /** resolves when it may be sent, if it has to wait */
  ready?: Promise<void> | undefined
  /** what the provider gets in the place of the request */
  bytes?: Buffer | undefined
  reader: ReturnType<ModelRequest['dialect']['stream']>
  listener: Listener
  /** the client gets the end of the answer when it was taken note of */
  isHeld: boolean
  /** Drops the request itself; undefined if it is not kept until its answer is over. */
  forget?: (() => void) | undefined
}

/** A request that may be needed once more. */
interface Kept {
  request?: ModelRequest
}

/** An answer that is not the provider's. */
export interface OwnAnswer {
  status: number
  type: 'application/json' | 'text/event-stream'
  body: string
}

/** Hears what a guardian does, for operators. */
export interface Observer {
  found(finding: Finding, outcome: string, id: string): void
  saved(what: Saved): void
  storeFailed(operation: string, error: unknown): void
  failed(error: unknown): void
}

/** Guards every conversation that passes. */
export interface Guardian {
  /** A request that cannot be guarded passes as it is; undefined if it shall not be, or something failed. Never fails. */
  begin(asked: Asked): Promise<Begun | Unread | undefined>
  /** how many guards are in memory */
  readonly size: number
  /** Waits until everything is stored. */
  settle(): Promise<void>
}

export function createGuardian(config: Config, store: Store, observer: Observer): Guardian {
  const lanes = createLanes(store, {
    ...config.guard,
    onFault: ({ error }) => observer.failed(error),
  })
  const records = createRecords(store, lanes, observer)

  async function begin(asked: Asked): Promise<Begun | Unread | undefined> {
    const read = await readRequest(asked.path, asked.read, config.limits)
    if ('reason' in read) return read
    const sender = readSender(asked.headers, asked.address, read.body)
    const request = sender.session === undefined ? await withVoice(read) : read
    const matched = { ...asked, model: request.model, keys: sender.keys }
    const { actions, budget } = policyOf(config, matched)
    if (!actions) return
    const located = await locate(lanes, store, records.ask, sender, request)
    const isAside = isBeside(request, located)
    const found = isAside ? await lanes.leave(located, request) : located
    try {
      const report = decideOn(request, sender, found, isAside, actions, budget)
      const { outcome } = report.decision
      if (outcome === 'respond' || outcome === 'error') return refuse(report, request)
      return await pass(report, request, actions)
    } catch (error) {
      found.lane.isBusy = false
      throw error
    }
  }

  /** Shows the request to its lane, and decides about it. */
  function decideOn(
    request: ModelRequest,
    sender: Sender,
    found: Located,
    isAside: boolean,
    actions: Actions,
    budget: SessionBudget,
  ): Report {
    const { session } = found.opened
    const { lane, way } = found
    const { hints, isStopped } = applyChoices(lane, session, way === 'new')
    const isPrompt = showRequest(lane, request, way)
    if (isStopped) {
      lane.why = undefined
      lane.guard.stop()
    }
    const overspent = checkBudget(session, budget, config.guard.ladder)
    const decision = decide(lane, actions, overspent)
    // asked once more, it was reported before, and a chant was when it was heard
    const news =
      way === 'again'
        ? []
        : decision.found.filter(({ finding }) => !lane.told.includes(finding.lastEvent))
    for (const { finding, outcome } of news) observer.found(finding, outcome, found.id)
    return {
      places: standsAt(lane),
      sender,
      request: factsOf(request),
      found,
      isPrompt,
      decision,
      news,
      hints,
      isOver: overspent?.certainty === 'certain',
      isAside,
    }
  }

  /** Answers in the provider's place. */
  function refuse(report: Report, request: ModelRequest): Begun {
    const { found, decision, sender } = report
    const answer = answerOf(found.lane, request, decision, sender.agent)
    const stored = records.refused(report)
    return {
      id: found.id,
      verdict: decision.outcome,
      protocol: request.protocol,
      answer,
      // a client that asks again at once, elsewhere, is refused there as well
      ready: store.kind === 'redis' ? stored : undefined,
      reader: request.dialect.stream(),
      listener: SILENT,
      isHeld: false,
    }
  }

  /** Sends the request to the provider, with what the model should know, and listens to the answer. */
  async function pass(report: Report, request: ModelRequest, actions: Actions): Promise<Begun> {
    const { found, decision, hints } = report
    const { lane, id } = found
    const isMended = mend(lane, request)
    const advice = [...decision.advice, ...hints].join('\n')
    if (advice) request.dialect.advise(request.body, advice)
    const isChanged = advice !== '' || isMended || request.isHealed
    const bytes = isChanged ? await writeJson(request.body, request.breath) : undefined
    lane.isRefused = false
    lane.why = undefined
    const reader = request.dialect.stream()
    const isHeld = store.kind === 'redis' && request.mayGoOnById
    // where a conversation always has the same name, another instance may go on with it at the same time
    const kept = request.thread?.after === undefined ? undefined : { request }
    const again = kept && (() => showAgain(report, kept, actions))
    return {
      id,
      verdict: advice ? 'nudge' : decision.outcome,
      protocol: request.protocol,
      bytes,
      reader,
      listener: listenTo(report, reader, actions, isHeld, again),
      isHeld,
      forget: kept && (() => delete (kept as Kept).request),
    }
  }

  /** Shows a request once more, to its lane as it is now, if it was kept; gives the turn of its answer. */
  async function showAgain(
    report: Report,
    { request }: Kept,
    actions: Actions,
  ): Promise<Turn | undefined> {
    if (!request) return
    report.found = await locate(lanes, store, records.ask, report.sender, request)
    const { lane, way } = report.found
    showRequest(lane, request, way)
    return startTurn(lane, report.request, actions)
  }

  function listenTo(
    report: Report,
    reader: Begun['reader'],
    actions: Actions,
    isHeld: boolean,
    again: (() => Promise<Turn | undefined>) | undefined,
  ): Listener {
    const { request, sender, isAside } = report
    const turn = startTurn(report.found.lane, request, actions)
    const heard: AgentEvent[] | undefined = again && []
    let isOver = false

    /** Ends the turn, and notes where its lane stands now. */
    function move({ lane }: Located, turn: Turn): void {
      turn.end()
      if (isAside) return
      const answerId = request.thread?.after ?? reader.id?.()
      const named = answerId === undefined ? undefined : toPlace(answerId)
      lane.asked = request.whole
      lane.alias = request.mayGoOnById ? named : undefined
      moveLane(lane, (request.thread ? named : undefined) ?? turn.standing)
    }

    /** Shows the request and its answer once more; false if it is gone. */
    async function redo(show: () => Promise<Turn | undefined>): Promise<boolean> {
      const second = await show()
      if (!second) return false
      for (const event of heard ?? []) second.see(event)
      move(report.found, second)
      lanes.release(sender.key, report.found.lane)
      return true
    }

    const listener: Listener = {
      see(event) {
        if (isOver) return false
        heard?.push(event)
        return turn.see(event)
      },
      finish(isCut) {
        if (isOver) return
        isOver = true
        move(report.found, turn)
        for (const finding of turn.found)
          observer.found(finding, isCut ? 'cut' : 'observe', report.found.id)
        const answered = { turn, isCut, isHeld, redo: again && (() => redo(again)) }
        const stored = records.answered(report, answered)
        return isHeld ? stored : undefined
      },
      lose() {
        if (isOver) return
        isOver = true
        turn.lose()
        records.lost(report)
      },
    }
    return listener
  }

  return {
    async begin(asked) {
      try {
        return await begin(asked)
      } catch (error) {
        observer.failed(error)
        return undefined
      }
    },
    get size() {
      return lanes.size
    },
    settle: records.settle,
  }
}

/** Whether a request is not of the agent itself: titles, summaries and classifiers have no tools. */
const isBeside = ({ hasTools, results }: ModelRequest, { opened: { session } }: Located): boolean =>
  !hasTools && results.length === 0 && session?.hasTools === true

const SILENT: Listener = { see: () => false, finish: () => undefined, lose() {} }

/** The answer in the provider's place; the lane stays stopped until the person says something. */
function answerOf(
  lane: Lane,
  request: ModelRequest,
  { outcome, finding }: Decision,
  agent: string,
): OwnAnswer {
  const { body, protocol, dialect, thread, whole, said } = request
  lane.guard.stop()
  lane.isRefused = true
  lane.why = finding
  lane.since = lane.guard.events
  lane.said = said
  lane.asked = whole
  const why = finding as Finding
  const type = 'application/json'
  // not every client keeps our words in its history
  lane.alias = request.last
  if (outcome === 'error')
    return { status: 400, type, body: JSON.stringify(errorBody(protocol, why, agent)) }
  if (request.mayGoOnById) {
    keepUnsent(lane, request)
    // the client goes on from what the provider has, or from an answer that it has not
    if (!thread) body.previous_response_id = newAnswerId(whole)
    lane.alias = toPlace(thread?.before ?? body.previous_response_id)
  }
  const text = stopWords(why)
  request.voice?.hear({ type: 'text', text })
  if (!thread) moveLane(lane, request.voice ? `${request.place} ${request.voice.name}` : whole)
  const answer = dialect.last(body, text)
  if (typeof answer === 'string') return { status: 200, type: 'text/event-stream', body: answer }
  return { status: 200, type, body: JSON.stringify(answer) }
}

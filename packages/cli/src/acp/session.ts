import type { AgentEvent, Finding, Guard } from 'unloop'
import { type Run, runOf, type Verdict } from 'unloop/host'
import { type Json, objectOf, textOf } from './json.js'
import {
  answeredLine,
  canceledLine,
  cancelLine,
  noticeLine,
  questionLine,
  refusalLine,
  withdrawLine,
} from './messages.js'
import { createUpdateReader, type UpdateReader } from './read-updates.js'
import {
  answeredTitle,
  automaticNotice,
  type Choice,
  type Notice,
  notRefusedNotice,
  OFFERED,
  refusedNotice,
  stoppedNotice,
} from './words.js'

/** What a session uses of the proxy. */
export interface SessionPort {
  toClient(line: string | Buffer): void
  toAgent(line: string): void
  /** whether the editor shows notices */
  hasNotices(): boolean
  /** An id for a request of ours, whose answer comes to `answer`. */
  newRequest(): string
}

/** One session of an agent, and its guard. */
export interface Session {
  /** where the agent works */
  folder: string
  /** Gives it the guard; what came before is shown to it now. Without one, nothing is watched. */
  guardWith(guard: Guard | undefined): void
  readonly guard: Guard | undefined
  update(update: Json, agent?: string): void
  /** The person's prompt, by the id of the request. */
  prompt(id: string, text: string): void
  /** The agent has answered the prompt. */
  end(id: string): void
  /** The editor cancels the turn. */
  cancel(): void
  /** What is to go to the editor in place of the agent's request. */
  permission(request: Json, line: Buffer): Buffer | undefined
  /** The person's answer to a question of ours. */
  answer(id: string, response: Json): void
  /** Words for the model, once. */
  takeWords(): string[]
  /** Gives them back. */
  remember(words: string): void
}

interface Question {
  id: string
  finding: Finding
  askedAt: number
  /** requests of the agent that wait for the answer */
  held: { id: unknown; line: Buffer }[]
}

// nobody reads a question and answers it in this time
const AUTOMATIC_MS = 250
// more than come before a configuration is read
const MAX_WAITING = 10_000
const METHOD_NOT_FOUND = -32601

/** A session whose guard comes later. */
export function createSession(id: string, folder: string, port: SessionPort): Session {
  let run: Run | undefined
  let isOff = false
  const waiting: (() => void)[] = []
  const readers = new Map<string, UpdateReader>()
  /** the prompts that are being answered */
  const prompts = new Set<string>()
  let canceledBy: 'editor' | 'guard' | undefined
  let question: Question | undefined
  let canAsk = true
  let automatic = 0
  let words: string[] = []

  function whenGuarded(work: () => void): void {
    if (run) work()
    else if (!isOff && waiting.length < MAX_WAITING) waiting.push(work)
  }

  function readerOf(agent: string): UpdateReader {
    const known = readers.get(agent)
    if (known) return known
    const view = agent === '' ? run : run?.within(agent)
    const reader = createUpdateReader(
      (event) => view && show(view, event),
      () => session.folder,
    )
    readers.set(agent, reader)
    return reader
  }

  /** What happens outside of a turn is history, about which nothing is decided; a canceled turn has none. */
  function show(view: Run, event: AgentEvent): void {
    if (canceledBy) return
    if (prompts.size === 0) return view.replay([event])
    const verdict = view.decide(event)
    const advice = view.takeAdvice()
    if (advice) remember(advice)
    act(verdict, event)
  }

  function act(verdict: Verdict, { type }: AgentEvent): void {
    if (verdict.type === 'deny') remember(verdict.reason)
    // a message cannot end without its turn
    if (verdict.type === 'cut') endTurn(verdict.finding)
    if (verdict.type !== 'stop') return
    const { finding } = verdict
    remember(finding.advice)
    const isAsked = question === undefined && finding.action === 'ask' && canAsk
    // the person has until the next call; what is not a call has none
    if (!isAsked || !type.startsWith('tool-')) endTurn(finding)
    if (isAsked) ask(finding)
  }

  function ask(finding: Finding): void {
    question = { id: port.newRequest(), finding, askedAt: Date.now(), held: [] }
    port.toClient(questionLine(id, question.id, finding))
  }

  function endTurn(finding: Finding, notice = stoppedNotice(finding, question !== undefined)) {
    if (canceledBy || prompts.size === 0) return
    canceledBy = 'guard'
    port.toAgent(cancelLine(id))
    dropHeld()
    tell(notice)
  }

  /** Answers the requests that wait as an editor does that cancels. */
  function dropHeld(): void {
    for (const request of question?.held.splice(0) ?? []) port.toAgent(canceledLine(request.id))
  }

  const tell = (notice: Notice) => port.toClient(noticeLine(id, notice, port.hasNotices()))

  function remember(text: string): void {
    if (!words.includes(text)) words.push(text)
  }

  function choose(choice: Choice, { finding, held }: Question): void {
    if (choice === 'stop') return endTurn(finding)
    if (choice === 'allow' && finding.tool !== undefined) run?.guard.allow(finding.tool)
    else run?.guard.continueOnce()
    for (const { line } of held.splice(0)) port.toClient(line)
  }

  const session: Session = {
    folder,
    guardWith(guard) {
      isOff = guard === undefined
      run = guard && runOf(guard, 'acp')
      readers.clear()
      for (const work of waiting.splice(0)) if (run) work()
    },
    get guard() {
      return run?.guard
    },
    update(update, agent = '') {
      whenGuarded(() => {
        // during a turn it is the prompt that was already seen
        if (update.sessionUpdate === 'user_message_chunk' && prompts.size > 0) return
        readerOf(agent).read(update)
      })
    },
    prompt(request, text) {
      whenGuarded(() => {
        if (question) port.toClient(withdrawLine(question.id))
        dropHeld()
        question = undefined
        canceledBy = undefined
        for (const reader of readers.values()) reader.restart()
        prompts.add(request)
        run?.decide({ type: 'prompt', text })
      })
    },
    end(request) {
      whenGuarded(() => {
        if (!prompts.delete(request) || prompts.size > 0) return
        run?.decide({ type: 'turn-end' })
        if (question && !canceledBy) port.toClient(withdrawLine(question.id))
      })
    },
    cancel() {
      whenGuarded(() => {
        canceledBy ??= 'editor'
        dropHeld()
      })
    },
    permission(request, line) {
      const params = objectOf(request.params)
      const toolCall = objectOf(params.toolCall)
      if (!run) {
        whenGuarded(() => void readerOf('').readPermission(toolCall))
        return line
      }
      const call = readerOf('').readPermission(toolCall)
      if (prompts.size === 0 || canceledBy === 'editor') return line
      if (canceledBy) {
        port.toAgent(canceledLine(request.id))
        return
      }
      if (question) {
        question.held.push({ id: request.id, line })
        return
      }
      const verdict = run.calls.findLast((seen) => seen.id === call)?.verdict
      if (verdict?.type !== 'deny') return line
      const refusal = refusalLine(request, params, verdict.reason)
      tell(refusal ? refusedNotice(verdict.finding) : notRefusedNotice(verdict.finding))
      if (!refusal) return line
      port.toAgent(refusal)
    },
    answer(request, response) {
      if (question?.id !== request) return
      const asked = question
      const { finding, askedAt } = asked
      let choice = choiceOf(response)
      if (objectOf(response.error).code === METHOD_NOT_FOUND) canAsk = false
      automatic = Date.now() - askedAt < AUTOMATIC_MS && choice !== 'stop' ? automatic + 1 : 0
      if (automatic > 1) {
        choice = 'stop'
        endTurn(finding, automaticNotice(finding))
      }
      choose(choice, asked)
      dropHeld()
      question = undefined
      if (response.error === undefined) {
        port.toClient(answeredLine(id, request, answeredTitle(choice, finding.tool)))
      }
    },
    takeWords() {
      const taken = words
      words = []
      return taken
    },
    remember,
  }
  return session
}

/** What the person chose; whoever does not choose stops. */
function choiceOf(response: Json): Choice {
  const { outcome, optionId } = objectOf(objectOf(response.result).outcome)
  const chosen = outcome === 'selected' ? textOf(optionId) : undefined
  return OFFERED.find((name) => name === chosen) ?? 'stop'
}

import type { Agent, Approve, Choice, ClientEvent, SavedSession } from '@unloop/agent'
import { never } from '../never.js'
import { createApprovals } from './approvals.js'
import { createBreath } from './breath.js'
import { describeChoice } from './describe-choice.js'
import { loopDialog, TRUST_DIALOG } from './dialog.js'
import { EMPTY, remember } from './editor.js'
import { listFindings } from './evidence.js'
import { reduce } from './reduce.js'
import type { SessionSummary } from './sessions.js'
import { HELP, readSlash, type SlashCommand } from './slash.js'
import { type Action, type ChatState, type Item, startState } from './state.js'
import { statusOf } from './status.js'
import { createStore, type Store } from './store.js'
import { problemWithStuck } from './stuck.js'
import { promptsOf, toItems } from './transcript.js'

/** A conversation on a screen: what keys do, and what is shown. */
export interface Chat {
  readonly store: Store<ChatState, Action>
  /** settles when the person leaves */
  readonly done: Promise<void>
  /** Sends a line, or does what its slash command says. */
  submit(line: string): void
  /** Submits lines one after the other, each when what the one before it led to is over. */
  submitAll(lines: readonly string[]): void
  /** Stops the answer that is being given; lines that wait for its end are dropped. */
  stop(): void
  /** Applies a decision about a loop, and continues the run if it says so. */
  decide(choice: Choice): void
  approve(answer: 'yes' | 'no' | 'always'): void
  /** Says whether the configuration of this folder is trusted. */
  trust(isTrusted: boolean): void
  resumeSession(index: number): void
  leave(): void
}

export interface ChatParts {
  /** Creates the agent, new or from a saved conversation; it asks through `approve` and speaks through `tell`. */
  open(approve: Approve, tell: (text: string) => void, saved?: SavedSession): Promise<Agent>
  listSessions(): SessionSummary[]
  saved?: SavedSession | undefined
  isEmbedded(model: string): boolean
  hasJudge(): boolean
  /** a configuration that needs trust: the question, and what an answer does before the agent is created again */
  held?: { question: string; settle(isTrusted: boolean): Promise<string> } | undefined
  /** lines shown first */
  banner: readonly string[]
}

/** Opens a chat. Throws a `ModelError` if there is no model. */
export async function createChat(parts: ChatParts): Promise<Chat> {
  let running: AbortController | undefined
  let speaker: string | undefined
  let waiting: readonly string[] = []
  let end = () => {}
  const done = new Promise<void>((resolve) => {
    end = resolve
  })
  const store = createStore(reduce, startState())
  const { dispatch } = store
  const approvals = createApprovals(store)
  let agent = await parts.open(approvals.ask, notice, parts.saved)
  let seen = agent.guard.findings.at(-1)

  say(...parts.banner.map((text): Item => ({ type: 'notice', text })))
  showStatus()
  if (parts.held) {
    notice(parts.held.question)
    dispatch({ type: 'dialog', dialog: TRUST_DIALOG })
  } else if (parts.saved) show(parts.saved)

  function say(...items: Item[]) {
    dispatch({ type: 'said', items })
  }

  function showStatus() {
    dispatch({ type: 'status', status: statusOf(agent, speaker) })
  }

  function notice(text: string) {
    say({ type: 'notice', text })
  }

  /** Shows a saved conversation, and asks again what was not decided. */
  function show({ header, entries }: SavedSession) {
    say(...toItems(entries), {
      type: 'notice',
      text: `resumed ${header.id} of ${header.createdAt}`,
    })
    const { past } = store.get()
    const all = promptsOf(entries).reduce(remember, past)
    dispatch({ type: 'edit', editor: EMPTY, past: all })
    showStatus()
    const finding = agent.stopped
    if (finding) dispatch({ type: 'dialog', dialog: loopDialog(store.get().items, finding) })
  }

  /** Follows what the agent does until it is done. */
  async function follow(start: (signal: AbortSignal) => AsyncIterable<ClientEvent>) {
    running = new AbortController()
    dispatch({ type: 'run', isRunning: true })
    const breathe = createBreath()
    try {
      for await (const event of start(running.signal)) {
        if (event.type === 'turn-start') speaker = event.agent
        dispatch({ type: 'client', event, number: agent.guard.events - 1, at: Date.now() })
        tellObserved()
        if ((await breathe()) || !isDelta(event)) showStatus()
      }
    } catch (error) {
      say({ type: 'error', message: `internal error: ${(error as Error).message}`, advice: '' })
    } finally {
      running = undefined
      dispatch({ type: 'run', isRunning: false })
      showStatus()
    }
  }

  /** In observe mode nothing but the guard's own list tells of a loop. */
  function tellObserved() {
    const last = agent.guard.findings.at(-1)
    if (last && last !== seen && agent.guardMode === 'observe') {
      say({ type: 'observed', finding: last })
    }
    seen = last
  }

  function obey(command: Exclude<SlashCommand, { type: 'stuck' }>) {
    switch (command.type) {
      case 'help':
        return notice(HELP)
      case 'loops':
        return notice(listFindings(agent.guard.findings))
      case 'guard':
        if (command.mode) agent.guardMode = command.mode
        showStatus()
        return notice(`guard mode: ${agent.guardMode}`)
      case 'resume': {
        const sessions = parts.listSessions()
        if (sessions.length === 0) return notice('no conversation was saved in this folder')
        return dispatch({ type: 'dialog', dialog: { type: 'sessions', sessions, selected: 0 } })
      }
      case 'exit':
        return leave()
      case 'unknown':
        return notice(command.message)
      default:
        return never(command)
    }
  }

  let isTrustSettled = false

  /** Creates the agent again if more of its configuration applies now; lines that were typed ahead wait for it. */
  async function trust(isTrusted: boolean) {
    const { held, saved } = parts
    if (!held || isTrustSettled) return
    isTrustSettled = true
    say({ type: 'choice', text: `trust this configuration: ${isTrusted ? 'yes' : 'no'}` })
    try {
      notice(await held.settle(isTrusted))
      if (isTrusted) agent = await parts.open(approvals.ask, notice, saved)
    } catch (error) {
      sayError(error as Error)
      notice(`this chat continues with ${agent.model.name}`)
    }
    dispatch({ type: 'dialog', dialog: undefined })
    if (saved) show(saved)
    showStatus()
  }

  function sayError(error: Error & { advice?: string }) {
    say({ type: 'error', message: error.message, advice: error.advice ?? '' })
  }

  function submit(line: string) {
    const text = line.trim()
    if (text === '' || running) return
    const { editor, past } = store.get()
    // what is being written meanwhile is another line
    const next = editor.text === line ? EMPTY : editor
    dispatch({ type: 'edit', editor: next, past: remember(past, text) })
    say({ type: 'person', text })
    const command = readSlash(text)
    if (command && command.type !== 'stuck') return obey(command)
    const isEmbedded = parts.isEmbedded(agent.model.name)
    const problem = problemWithStuck(text, { isEmbedded, hasJudge: parts.hasJudge() })
    if (problem !== undefined) return notice(problem)
    follow((signal) => agent.sendMessageStream(text, signal))
  }

  function submitNext() {
    const { isRunning, dialog } = store.get()
    const [line, ...rest] = waiting
    if (line === undefined || isRunning || dialog) return
    waiting = rest
    submit(line)
    submitNext()
  }
  store.subscribe(submitNext)

  function stop() {
    waiting = []
    running?.abort()
  }

  function leave() {
    stop()
    end()
  }

  return {
    store,
    done,
    submit,
    submitAll(lines) {
      waiting = [...waiting, ...lines]
      submitNext()
    },
    stop,
    decide(choice) {
      const before = agent.history
      const finding = agent.stopped
      dispatch({ type: 'dialog', dialog: undefined })
      agent.choose(choice)
      say({ type: 'choice', text: describeChoice(choice, finding, before, agent.history) })
      if (choice.type !== 'stop') follow((signal) => agent.resume(signal))
      else showStatus()
    },
    approve: approvals.answer,
    trust,
    resumeSession(index) {
      const { dialog } = store.get()
      const chosen = dialog?.type === 'sessions' ? dialog.sessions[index] : undefined
      dispatch({ type: 'dialog', dialog: undefined })
      if (!chosen) return
      parts.open(approvals.ask, notice, chosen.saved).then((opened) => {
        agent = opened
        seen = agent.guard.findings.at(-1)
        show(chosen.saved)
      }, sayError)
    },
    leave,
  }
}

/** There are many of them, and one alone changes little. */
const isDelta = ({ type }: ClientEvent) => type === 'text' || type === 'reasoning'

import type { Agent, Approve, Choice, ClientEvent, Model, SavedSession } from '@unloop/agent'
import { createApprovals } from './approvals.js'
import { withFiles } from './attach/with-files.js'
import { createBreath } from './breath.js'
import { createCommands } from './commands.js'
import type { Completer } from './complete/complete.js'
import { describeDecision } from './describe-decision.js'
import { describeResumed } from './describe-resumed.js'
import { loopDialog, TRUST_DIALOG } from './dialog.js'
import { EMPTY, remember } from './editor.js'
import { createLists } from './lists.js'
import { reduce } from './reduce.js'
import type { SessionSummary } from './sessions.js'
import { readSlash } from './slash.js'
import { type Action, type ChatState, type Item, startState } from './state.js'
import { statusOf } from './status.js'
import { createStore, type Store } from './store.js'
import { problemWithStuck } from './stuck.js'
import { isUnanswered, promptsOf, toItems } from './transcript.js'
import { withStoppedCall } from './with-stopped-call.js'

/** A conversation on a screen: what keys do, and what is shown. */
export interface Chat {
  readonly store: Store<ChatState, Action>
  /** settles when the person leaves */
  readonly done: Promise<void>
  /** what the word at the cursor may become */
  readonly completer: Completer
  /** Sends a line, or does what its slash command says; during an answer the line waits for its end. */
  submit(line: string): void
  /** Submits lines one after the other, each when what the one before it led to is over. */
  submitAll(lines: readonly string[]): void
  /** Stops the answer that is being given; lines that wait for its end are put back into the prompt. */
  stop(): void
  /** Applies a decision about a loop, and continues the run if it says so. */
  decide(choice: Choice): void
  approve(answer: 'yes' | 'no' | 'always'): void
  /** Says whether the configuration of this folder is trusted. */
  trust(isTrusted: boolean): void
  resumeSession(id: string): void
  chooseModel(name: string): void
  /** Shows what matches the query in the list that is on the screen. */
  filter(query: string): void
  /** What was sent in this folder before, the latest last. */
  pastPrompts(): readonly string[]
  leave(): void
}

/** What an agent is made from. */
export interface OpenRequest {
  approve: Approve
  /** Says something in the transcript. */
  tell(text: string): void
  /** the conversation to continue; otherwise a new one begins */
  saved?: SavedSession | undefined
}

export interface ChatParts {
  /** where `@path` looks for files */
  folder: string
  open(request: OpenRequest): Promise<Agent>
  /** Throws a `ModelError` if there is no such model. */
  openModel(name: string): Promise<Model>
  /** Names of models that can be chosen, the current one first. */
  listModels(current: string, signal: AbortSignal): Promise<string[]>
  listSessions(): SessionSummary[]
  readSession(id: string): SavedSession
  /** Names the current conversation. Throws if it is not saved. */
  rename(name: string): void
  /** the name of the current conversation */
  name(): string | undefined
  /** What was sent in earlier conversations of this folder, the latest last. */
  pastPrompts(): string[]
  completer: Completer
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
  let end = () => {}
  const done = new Promise<void>((resolve) => {
    end = resolve
  })
  const store = createStore(reduce, startState())
  const { dispatch } = store
  const approvals = createApprovals(store)
  let agent = await parts.open({ approve: approvals.ask, tell: notice, saved: parts.saved })
  let seen = agent.guard.findings.at(-1)
  const lists = createLists(store, parts)
  const obey = createCommands({
    parts,
    lists,
    agent: () => agent,
    say,
    notice,
    sayError,
    showStatus,
    follow,
    run,
    open: reopen,
    leave,
  })

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
    dispatch({ type: 'status', status: statusOf(agent, { speaker, name: parts.name() }) })
  }

  function notice(text: string) {
    say({ type: 'notice', text })
  }

  function sayError(error: Error & { advice?: string }) {
    say({ type: 'error', message: error.message, advice: error.advice ?? '' })
  }

  /** Shows a saved conversation, and asks again what was not decided. */
  function show({ header, entries }: SavedSession) {
    say(...toItems(entries), { type: 'notice', text: describeResumed(header, Date.now()) })
    if (isUnanswered(entries)) notice('the last request was not answered; /retry asks again')
    const { past } = store.get()
    const all = promptsOf(entries).reduce(remember, past)
    dispatch({ type: 'edit', editor: EMPTY, past: all })
    showStatus()
    const finding = agent.stopped
    if (finding) dispatch({ type: 'dialog', dialog: loopDialog(store.get().items, finding) })
  }

  /** Goes on with another conversation; the transcript starts over with it. */
  async function reopen(saved?: SavedSession) {
    agent = await parts.open({ approve: approvals.ask, tell: notice, saved })
    approvals.forget()
    seen = agent.guard.findings.at(-1)
    dispatch({ type: 'clear', items: [] })
    if (saved) show(saved)
    showStatus()
  }

  /** Does something that takes a while and can be stopped. */
  async function run(work: (signal: AbortSignal) => Promise<void>) {
    running = new AbortController()
    const { signal } = running
    dispatch({ type: 'run', isRunning: true, at: Date.now() })
    try {
      await work(signal)
    } catch (error) {
      if (!signal.aborted) sayError(error as Error)
    } finally {
      running = undefined
      dispatch({ type: 'run', isRunning: false })
      showStatus()
    }
  }

  /** Follows what the agent does until it is done. */
  function follow(start: (signal: AbortSignal) => AsyncIterable<ClientEvent>) {
    return run(async (signal) => {
      const breathe = createBreath()
      for await (const event of withStoppedCall(start(signal), agent)) {
        if (event.type === 'turn-start') speaker = event.agent
        dispatch({ type: 'client', event, number: agent.guard.events - 1, at: Date.now() })
        tellObserved()
        // a model that fails would fail for what waits, too
        if (event.type === 'error') unqueue()
        if ((await breathe()) || !isDelta(event)) showStatus()
      }
    })
  }

  /** In observe mode nothing but the guard's own list tells of a loop. */
  function tellObserved() {
    const last = agent.guard.findings.at(-1)
    if (last && last !== seen && agent.guardMode === 'observe') {
      say({ type: 'observed', finding: last })
    }
    seen = last
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
      if (isTrusted) agent = await parts.open({ approve: approvals.ask, tell: notice, saved })
    } catch (error) {
      sayError(error as Error)
      notice(`this chat continues with ${agent.model.name}`)
    }
    dispatch({ type: 'dialog', dialog: undefined })
    if (saved) show(saved)
    showStatus()
  }

  function submit(line: string) {
    const text = line.trim()
    if (text === '') return
    const command = readSlash(text)
    const { editor, past, queued, isRunning } = store.get()
    // what is being written meanwhile is another line
    const next = editor.text === line ? EMPTY : editor
    dispatch({ type: 'edit', editor: next, past: remember(past, text) })
    if (isRunning && !(command && obey.isForNow(command))) {
      return dispatch({ type: 'queue', queued: [...queued, text] })
    }
    say({ type: 'person', text })
    if (command && command.type !== 'stuck') return obey.obey(command)
    const isEmbedded = parts.isEmbedded(agent.model.name)
    const problem = problemWithStuck(text, {
      isEmbedded,
      hasJudge: parts.hasJudge(),
      advice: '/model embedded uses it',
    })
    if (problem !== undefined) return notice(problem)
    follow((signal) => send(text, signal))
  }

  /** Sends a request with the files that it names. */
  async function* send(text: string, signal: AbortSignal) {
    const { request, notes } = await withFiles(text, parts.folder)
    for (const note of notes) notice(note)
    yield* agent.sendMessageStream(request, signal)
  }

  function submitNext() {
    const { isRunning, dialog, queued } = store.get()
    const [line, ...rest] = queued
    if (line === undefined || isRunning || dialog) return
    dispatch({ type: 'queue', queued: rest })
    submit(line)
    submitNext()
  }
  store.subscribe(submitNext)

  /** Puts the lines that wait back into the prompt, before what is being written there. */
  function unqueue() {
    const { queued, editor } = store.get()
    if (queued.length === 0) return
    const text = [...queued, ...(editor.text === '' ? [] : [editor.text])].join('\n')
    dispatch({ type: 'queue', queued: [] })
    dispatch({ type: 'edit', editor: { text, cursor: text.length } })
  }

  function stop() {
    unqueue()
    running?.abort()
  }

  function leave() {
    stop()
    end()
  }

  return {
    store,
    done,
    completer: parts.completer,
    submit,
    submitAll(lines) {
      dispatch({ type: 'queue', queued: [...store.get().queued, ...lines] })
      submitNext()
    },
    stop,
    decide(choice) {
      const before = agent.history
      const finding = agent.stopped
      dispatch({ type: 'dialog', dialog: undefined })
      agent.choose(choice)
      say({ type: 'choice', text: describeDecision(choice, finding, before, agent.history) })
      if (choice.type !== 'stop') follow((signal) => agent.resume(signal))
      else showStatus()
    },
    approve: approvals.answer,
    trust,
    resumeSession(id) {
      dispatch({ type: 'dialog', dialog: undefined })
      run(() => reopen(parts.readSession(id)))
    },
    chooseModel(name) {
      dispatch({ type: 'dialog', dialog: undefined })
      obey.obey({ type: 'model', name })
    },
    filter: lists.filter,
    pastPrompts: () => [...parts.pastPrompts(), ...store.get().past.sent],
    leave,
  }
}

/** There are many of them, and one alone changes little. */
const isDelta = ({ type }: ClientEvent) => type === 'text' || type === 'reasoning'

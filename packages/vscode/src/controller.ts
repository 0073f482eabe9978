import { randomUUID } from 'node:crypto'
import type { Agent, Approve, Choice, ClientEvent, GuardMode } from '@unloop/agent'
import type { Finding } from 'unloop'
import { createChat, openLoop } from './chat/chat.js'
import { toRequest } from './chat/context.js'
import type { ContextPart, ItemAction } from './chat/item.js'
import {
  describeAction,
  describeChoice,
  describeCost,
  type LoopButton,
  type LoopChoice,
  loopButtons,
  toLogLine,
} from './chat/loop-words.js'
import { onEvent } from './chat/on-event.js'
import { never } from './never.js'
import type { FromView, LoopWords, Status, ToView } from './protocol.js'
import { type Problem, readSettings, type SettingName, type Settings } from './settings.js'
import { statusOf } from './status.js'
import type { ChatStore, SavedChat } from './store.js'
import type { Translate } from './translate.js'
import { viewWords } from './view-words.js'

/** What the controller needs of the editor, and nothing else of it. */
export interface Ports {
  t: Translate
  /** Tells the view, if there is one. */
  post(message: ToView): void
  /** Shows an error message; gives the button that was pressed. */
  showLoop(text: string, buttons: LoopChoice[]): Promise<LoopButton | undefined>
  askHint(): Promise<string | undefined>
  showProblem(text: string): void
  act(action: Exclude<ItemAction, 'resume'>): void
  log: { info(text: string): void; warn(text: string): void; error(text: string): void }
  setting(name: SettingName): unknown
  context(): ContextPart[]
  /** Everything that is too big to be loaded before it is used. */
  engine(): Promise<Engine>
  openOptions(): Pick<Parameters<Engine['openAgent']>[0], 'folder' | 'env' | 'keyOf'>
  store: ChatStore
  onStatus(status: Status): void
  /** The findings of the chat have changed. */
  onFindings(): void
  now(): number
}

type Engine = Pick<typeof import('./engine.js'), 'openAgent' | 'checkGuard'>

type Start = (agent: Agent, signal: AbortSignal) => AsyncIterable<ClientEvent>

/** A chat with a guarded agent, whatever shows it. */
export type Controller = ReturnType<typeof createController>

export function createController(ports: Ports) {
  const { t, log, store } = ports
  let saved: SavedChat = store.list()[0] ?? emptyChat()
  let agent: Agent | undefined
  let running: AbortController | undefined
  let finished: Promise<void> = Promise.resolve()
  let told = ''
  let seen: Finding | undefined
  const speakers = new Set<string | undefined>()
  let speaker: string | undefined
  let wantsFocus = false
  const removed = new Set<string>()
  const questions = new Map<string, (isAgreed: boolean) => void>()

  const chat = createChat((change) => {
    if (change.type === 'delta') return ports.post(change)
    if (change.type === 'all') return postAll()
    ports.post({ ...change, ...loopWords(change.index) })
  }, saved.items)

  function emptyChat(): SavedChat {
    return { id: randomUUID(), changedAt: ports.now(), items: [] }
  }

  function save() {
    const guardMode = agent?.guardMode ?? saved.guardMode
    saved = { ...saved, changedAt: ports.now(), items: [...chat.items] }
    if (guardMode) saved.guardMode = guardMode
    store.save(saved)
  }

  function postAll() {
    const items = chat.items.map((item, index) => ({ item, ...loopWords(index) }))
    ports.post({ type: 'chat', items })
  }

  function loopWords(index: number): { loop?: LoopWords } {
    const item = chat.items[index]
    if (item?.type !== 'loop' && item?.type !== 'warning') return {}
    const { finding } = item
    const action = describeAction(finding.action, t)
    const buttons = item.type === 'loop' ? loopButtons(finding, t) : []
    return { loop: { buttons, cost: describeCost(finding, t), action } }
  }

  function tellStatus() {
    const status = statusOf(chat.items, running !== undefined, agent, speaker, {
      model: String(ports.setting('model')),
      guardMode: saved.guardMode ?? (ports.setting('guardMode') as GuardMode),
    })
    ports.post({ type: 'status', status })
    ports.onStatus(status)
  }

  function tellContext() {
    ports.post({ type: 'context', parts: context() })
  }

  /** What the editor shows, without what the person took out; that may come again once it was away. */
  function context(): ContextPart[] {
    const shown = ports.context()
    for (const id of removed) if (!shown.some((part) => part.id === id)) removed.delete(id)
    return shown.filter(({ id }) => !removed.has(id))
  }

  /** The settings as they are now; what is wrong with them is said once. */
  async function checkSettings(): Promise<Settings> {
    const { checkGuard } = await ports.engine()
    const { settings, problems } = readSettings(ports.setting, checkGuard)
    const text = problems.map((problem) => describeProblem(problem)).join('\n')
    if (text !== '' && text !== told) {
      log.warn(text)
      for (const problem of problems) ports.showProblem(describeProblem(problem))
    }
    told = text
    return settings
  }

  const describeProblem = ({ setting, message }: Problem) =>
    t('The setting {0} is not used: {1}', setting, message)

  /** The agent of this chat; for a new prompt made anew if the settings have changed. */
  async function openAgent({ isPrompt = false } = {}): Promise<Agent> {
    if (agent && !isPrompt) return agent
    const settings = await checkSettings()
    const before = saved.settings
    if (agent && JSON.stringify(before) === JSON.stringify(settings)) return agent
    const engine = await ports.engine()
    const path = store.sessionPath(saved.id)
    const open = () =>
      engine.openAgent({ ...ports.openOptions(), settings, before, path, approve: approveCall })
    try {
      agent = await open()
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      log.warn(`the conversation cannot be read, a new one begins: ${error.message}`)
      store.setAside(saved.id)
      agent = await open()
    }
    seen = agent.guard.findings.at(-1)
    saved = { ...saved, settings }
    log.info(`agent: ${settings.model}, guard ${agent.guardMode}`)
    return agent
  }

  /** Follows what the agent does until it is done. */
  function follow(start: Start, options?: { isPrompt: boolean }): Promise<void> {
    finished = run(start, options)
    return finished
  }

  async function run(start: Start, options?: { isPrompt: boolean }): Promise<void> {
    const own = new AbortController()
    running = own
    tellStatus()
    try {
      const opened = await openAgent(options)
      for await (const event of start(opened, own.signal)) {
        // another chat was opened meanwhile
        if (running !== own) return
        speaker = event.agent
        speakers.add(speaker)
        handle(event, opened)
        tellObserved(opened)
        if (!isDelta(event)) tellStatus()
      }
    } catch (error) {
      if (running === own) showError(error)
    } finally {
      if (running === own) {
        running = undefined
        save()
        tellStatus()
      }
    }
  }

  function handle(event: ClientEvent, { guard }: Agent) {
    onEvent(event, {
      ...{ chat, t, number: guard.events - 1, now: ports.now() },
      // the name of the only one tells nothing; the request itself is nobody's
      agent: speakers.size > 2 ? event.agent : undefined,
      onWarning(finding) {
        log.warn(toLogLine(finding))
        ports.onFindings()
      },
      onLoop(finding) {
        running?.abort()
        onLoop(finding)
      },
      onError: log.error,
    })
  }

  function showError(error: unknown) {
    const { message, advice = '', kind } = error as Error & { advice?: string; kind?: string }
    const actions: ItemAction[] = kind === 'configuration' ? ['set-key', 'open-settings'] : []
    chat.add({ type: 'error', message, advice, actions })
    log.error(message)
  }

  function onLoop(finding: Finding) {
    const id = randomUUID()
    chat.markLoop(finding)
    chat.add({ type: 'loop', id, finding, at: ports.now() })
    log.warn(toLogLine(finding))
    save()
    ports.onFindings()
    const text = t('The agent is stuck and was stopped: {0}.', finding.detail)
    ports.showLoop(text, loopButtons(finding, t)).then(
      (button) => button && press(id, button),
      (error) => log.error(String(error)),
    )
  }

  /** In observe mode nothing but the guard's own list tells of a loop. */
  function tellObserved({ guard, guardMode }: Agent) {
    const last = guard.findings.at(-1)
    if (last && last !== seen && guardMode === 'observe') {
      chat.add({ type: 'warning', finding: last, at: ports.now(), isObserved: true })
      log.warn(`observed, nothing was done: ${toLogLine(last)}`)
      ports.onFindings()
    }
    seen = last
  }

  /** A button of the message: a hint has to be asked for first. */
  async function press(id: string, button: LoopButton) {
    if (button !== 'hint') return decide(id, { type: button })
    const text = await ports.askHint()
    if (text) await decide(id, { type: 'hint', text })
  }

  /** Puts a decision into effect, once. */
  async function decide(id: string, choice: Choice): Promise<void> {
    // the run that was stopped may have a last word to say
    await finished
    const loop = openLoop(chat.items)
    if (loop?.id !== id || running) return
    chat.decide(id, describeChoice(choice, loop.finding, t))
    log.info(`decision: ${choice.type}`)
    if (choice.type === 'go-back') chat.undoFrom(loop.finding.since)
    save()
    if (choice.type === 'stop') {
      const opened = await openAgent().catch(showError)
      opened?.choose(choice)
      return tellStatus()
    }
    await follow((opened, signal) => {
      opened.choose(choice)
      return opened.resume(signal)
    })
  }

  const approveCall: Approve = ({ call, question }, signal) => {
    const id = randomUUID()
    chat.add({ type: 'question', id, tool: call.name, question })
    return new Promise((resolve) => {
      questions.set(id, resolve)
      signal.addEventListener('abort', () => answer(id, false), { once: true })
    })
  }

  function answer(id: string, isAgreed: boolean) {
    questions.get(id)?.(isAgreed)
    questions.delete(id)
    chat.answer(id, isAgreed)
  }

  async function send(text: string): Promise<void> {
    const trimmed = text.trim()
    if (trimmed === '' || running) return
    const id = randomUUID()
    const parts = trimmed.startsWith('/') ? [] : context()
    chat.add({ type: 'person', id, text: trimmed, context: parts })
    save()
    await follow(
      (opened, signal) => opened.sendMessageStream(toRequest(trimmed, parts), signal, id),
      { isPrompt: true },
    )
  }

  const resume = async (): Promise<void> => {
    if (!running) await follow((opened, signal) => opened.resume(signal))
  }

  function stop() {
    running?.abort()
  }

  function show(next: SavedChat) {
    stop()
    running = undefined
    agent = undefined
    saved = next
    chat.replace(next.items)
    save()
    ports.onFindings()
    tellStatus()
  }

  /** Does what the view asks for. */
  async function receive(message: FromView): Promise<void> {
    switch (message.type) {
      case 'ready':
        ports.post({ type: 'start', words: viewWords(t) })
        postAll()
        tellContext()
        tellStatus()
        if (wantsFocus) ports.post({ type: 'focus' })
        wantsFocus = false
        return
      case 'send':
        return send(message.text)
      case 'stop':
        return stop()
      case 'choose':
        return decide(message.id, message.choice)
      case 'answer':
        return answer(message.id, message.isAgreed)
      case 'remove-context':
        removed.add(message.id)
        return tellContext()
      case 'act':
        return message.action === 'resume' ? resume() : ports.act(message.action)
      default:
        return never(message)
    }
  }

  return {
    receive,
    send,
    stop,
    decide,
    press,
    /** Says how things stand, for the first time. */
    start: tellStatus,
    /** The editor shows something else. */
    contextChanged: tellContext,
    /** They take effect with the next prompt; what is wrong with them is said now. */
    async settingsChanged() {
      await checkSettings()
      tellContext()
      tellStatus()
    },
    newChat: () => show(emptyChat()),
    openChat: show,
    earlierChats: () => store.list().filter(({ id, items }) => id !== saved.id && items.length > 0),
    async setGuardMode(mode: GuardMode) {
      const opened = await openAgent().catch(showError)
      if (opened) opened.guardMode = mode
      log.info(`guard ${mode} in this chat`)
      tellStatus()
    },
    /** Puts the keyboard into the message, as soon as there is a view. */
    focus() {
      wantsFocus = true
      ports.post({ type: 'focus' })
    },
    reveal: (index: number) => ports.post({ type: 'reveal', index }),
    get items() {
      return chat.items
    },
    get openLoop() {
      return openLoop(chat.items)
    },
    /** Ends what runs, and saves. */
    dispose() {
      stop()
      save()
    },
  }
}

/** Pieces of text come by the hundred and change nothing but the text. */
const isDelta = ({ type }: ClientEvent) => type === 'text' || type === 'reasoning'

import { randomUUID } from 'node:crypto'
import type { Agent, Choice, ClientEvent, GuardMode } from '@unloop/agent'
import type { Finding } from 'unloop'
import { createChat, openLoop } from './chat/chat.js'
import { toRequest } from './chat/context.js'
import type { ItemAction } from './chat/item.js'
import {
  describeChoice,
  isLikely,
  type LoopButton,
  loopButtons,
  loopWordsOf,
  toLogLine,
} from './chat/loop-words.js'
import { createOffer } from './chat/offer.js'
import { onEvent } from './chat/on-event.js'
import { never } from './never.js'
import type { Ports } from './ports.js'
import type { FromView } from './protocol.js'
import { createQuestions } from './questions.js'
import { createSession, type Session } from './session.js'
import { createSettingsCheck } from './settings-check.js'
import { explain, statusOf } from './status.js'
import type { SavedChat } from './store.js'
import { viewWords } from './view-words.js'

type Start = (agent: Agent, signal: AbortSignal) => AsyncIterable<ClientEvent>

/** A chat with a guarded agent, whatever shows it. */
export type Controller = ReturnType<typeof createController>

export function createController(ports: Ports) {
  const { t, log, store } = ports
  const checkSettings = createSettingsCheck(ports)
  const first = store.latest() ?? emptyChat()
  const chat = createChat((change) => {
    if (change.type === 'delta') return ports.post(change)
    if (change.type === 'all') return postAll()
    ports.post({ ...change, ...loopWordsOf(change.item, t) })
  }, first.items)
  const questions = createQuestions(chat)
  const offer = createOffer(ports.context)
  const speakers = new Set<string>()
  let session: Session = open(first)
  let running: AbortController | undefined
  let finished: Promise<void> = Promise.resolve()
  let seen: Finding | undefined
  let speaker: string | undefined
  let fault: string | undefined
  let wantsFocus = false
  let isSaveBroken = false

  function emptyChat(): SavedChat {
    return { id: randomUUID(), changedAt: ports.now(), items: [] }
  }

  function open(saved: SavedChat): Session {
    return createSession(saved, { ports, checkSettings, approve: questions.approve })
  }

  /** Saves the chat; that it cannot must not hide what happens in it. */
  function save() {
    try {
      session.save(chat.items)
    } catch (error) {
      const text = t('Cannot save the chat: {0}', (error as Error).message)
      log.error(text)
      if (!isSaveBroken) ports.showProblem(text)
      isSaveBroken = true
    }
  }

  function postAll() {
    const items = chat.items.map((item) => ({ item, ...loopWordsOf(item, t) }))
    ports.post({ type: 'chat', items })
  }

  function tellStatus() {
    const { agent, saved } = session
    const known = statusOf(chat.items, running !== undefined, agent, speaker, {
      model: String(ports.setting('model')),
      guardMode: saved.guardMode ?? (ports.setting('guardMode') as GuardMode),
    })
    const status = fault === undefined ? known : { ...known, fault }
    ports.post({ type: 'status', status })
    ports.onStatus(status)
  }

  function tellContext() {
    ports.post({ type: 'context', parts: offer.parts() })
  }

  /** Follows what the agent does until it is done. */
  function follow(start: Start, options?: { renews: boolean }): Promise<void> {
    finished = run(start, options)
    return finished
  }

  async function run(start: Start, options?: { renews: boolean }): Promise<void> {
    const own = new AbortController()
    running = own
    tellStatus()
    try {
      const before = session.agent
      const agent = await session.open(options)
      if (agent !== before) fault = undefined
      seen = agent.guard.findings.at(-1)
      for await (const event of start(agent, own.signal)) {
        // another chat was opened meanwhile
        if (running !== own) return
        handle(event, agent)
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

  function handle(event: ClientEvent, agent: Agent) {
    speaker = event.agent
    if (event.type === 'turn-start') speakers.add(speaker ?? '')
    onEvent(event, {
      ...{ chat, t, number: agent.guard.events - 1, now: ports.now() },
      // the name of the only one tells nothing
      agent: speakers.size > 1 ? speaker : undefined,
      onWarning(finding) {
        log[isLikely(finding) ? 'info' : 'warn'](toLogLine(finding))
        ports.onFindings()
      },
      onLoop(finding) {
        running?.abort()
        onLoop(finding)
      },
      onFault(text) {
        fault = text
        log.error(`part of the guard failed: ${text}`)
      },
      onError: log.error,
    })
    tellObserved(agent)
    if (event.type === 'tool-call') log.debug(explain(agent, speaker))
    if (event.type === 'turn-end') save()
    if (!isDelta(event)) tellStatus()
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
    save()
    if (choice.type === 'stop') {
      const agent = await session.open().catch(showError)
      agent?.choose(choice)
      return tellStatus()
    }
    await follow((agent, signal) => {
      const undone = agent.choose(choice)
      if (undone !== undefined) chat.undoFrom(undone)
      return agent.resume(signal)
    })
  }

  async function send(text: string): Promise<void> {
    const trimmed = text.trim()
    if (trimmed === '' || running) return
    const id = randomUUID()
    const parts = trimmed.startsWith('/') ? [] : offer.parts()
    const loop = openLoop(chat.items)
    if (loop) chat.decide(loop.id, t('You sent another message instead.'))
    chat.add({ type: 'person', id, text: trimmed, context: parts })
    save()
    await follow(
      (agent, signal) => agent.sendMessageStream(toRequest(trimmed, parts), signal, id),
      { renews: true },
    )
  }

  /** Goes on after a limit or an error, if nothing has come since. */
  async function resume(): Promise<void> {
    const last = chat.items.at(-1)
    if (running || !last || !('actions' in last && last.actions?.includes('resume'))) return
    await follow((agent, signal) => agent.resume(signal), { renews: true })
  }

  function stop() {
    running?.abort()
  }

  function show(next: SavedChat) {
    stop()
    running = undefined
    speakers.clear()
    fault = undefined
    session = open(next)
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
        return questions.answer(message.id, message.isAgreed)
      case 'remove-context':
        offer.remove(message.id)
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
    tellStatus,
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
    earlierChats: () =>
      store.list().filter(({ id, items }) => id !== session.saved.id && items.length > 0),
    async setGuardMode(mode: GuardMode) {
      const agent = await session.open().catch(showError)
      if (agent) agent.guardMode = mode
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
      if (chat.items.length > 0) save()
    },
  }
}

/** Pieces of text come by the hundred and change nothing but the text. */
const isDelta = ({ type }: ClientEvent) => type === 'text' || type === 'reasoning'

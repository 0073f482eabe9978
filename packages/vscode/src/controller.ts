import { randomUUID } from 'node:crypto'
import type { Agent, Choice, ClientEvent, GuardMode } from '@unloop/agent'
import type { Finding } from 'unloop'
import type { ChoiceName } from 'unloop/words'
import { createChat, openLoop } from './chat/chat.js'
import { toRequest } from './chat/context.js'
import type { ItemAction, ItemOf } from './chat/item.js'
import {
  describeDecision,
  isLikely,
  loopChoices,
  loopWordsOf,
  toLogLine,
} from './chat/loop-words.js'
import { createOffer } from './chat/offer.js'
import { onEvent } from './chat/on-event.js'
import { createChatAccess } from './chat-access.js'
import type { Ports } from './ports.js'
import { createQuestions } from './questions.js'
import { createReceiver } from './receive.js'
import { toSentence } from './sentences.js'
import { createSession, type Session } from './session.js'
import { createSettingsCheck } from './settings-check.js'
import { explain, statusOf } from './status.js'
import type { SavedChat } from './store.js'
import { viewWords } from './view-words.js'
import { createWaiting } from './waiting.js'
import { wastedDollars } from './wasted-dollars.js'

type Start = (agent: Agent, signal: AbortSignal) => AsyncIterable<ClientEvent>

/** A chat with a guarded agent, whatever shows it. */
export type Controller = ReturnType<typeof createController>

export function createController(ports: Ports) {
  const { t, log, store } = ports
  const checkSettings = createSettingsCheck(ports)
  const access = createChatAccess(store, log)
  const first = access.latest() ?? emptyChat()
  const chat = createChat((change) => {
    if (change.type === 'delta') return ports.post(change)
    if (change.type === 'all') return postAll()
    ports.post({ ...change, ...loopWordsOf(change.item, chat.items, t) })
  }, first.items)
  const questions = createQuestions(chat, (asked) => {
    tellStatus()
    if (asked) ports.showQuestion(t('{0} needs your permission', asked.tool), asked.index)
  })
  const waiting = createWaiting((messages) => ports.post({ type: 'waiting', messages }))
  const offer = createOffer(ports.context)
  const speakers = new Set<string>()
  let session: Session = open(first)
  let running: AbortController | undefined
  let finished: Promise<void> = Promise.resolve()
  let seen: Finding | undefined
  let speaker: string | undefined
  /** the model of the last answer, as the settings name it */
  let answering = first.settings?.model
  let fault: string | undefined
  /** the message that no agent has read, since none could be made */
  let unheard: ItemOf<'person'> | undefined
  let problem: string | undefined
  let isStale = false
  let unsent = ''
  let wantsFocus = false
  let isSaveBroken = false

  function emptyChat(): SavedChat {
    return { id: randomUUID(), changedAt: ports.now(), items: [] }
  }

  function open(saved: SavedChat): Session {
    return createSession(saved, {
      ...{ ports, checkSettings, approve: questions.approve },
      onProblem(text) {
        log.warn(text)
        chat.add({
          type: 'notice',
          text: t('There is no judge: {0}', text),
          actions: ['open-settings'],
        })
      },
    })
  }

  /** Saves the chat; that it cannot must not hide what happens in it. */
  function save() {
    try {
      // one that is new is claimed now
      access.claim(session.saved.id)
      session.save(chat.items)
    } catch (error) {
      const text = t('Cannot save the chat: {0}', (error as Error).message)
      log.error(text)
      if (!isSaveBroken) ports.showProblem(text)
      isSaveBroken = true
    }
  }

  function postAll() {
    const items = chat.items.map((item) => ({ item, ...loopWordsOf(item, chat.items, t) }))
    ports.post({ type: 'chat', items })
  }

  /** Says how things stand; resolves when the person can see it. */
  function tellStatus(): Promise<void> {
    const { agent, saved } = session
    const known = statusOf(chat.items, running !== undefined, agent, speaker, {
      model: String(ports.setting('model')),
      guardMode: saved.guardMode ?? (ports.setting('guardMode') as GuardMode),
      questions: questions.count,
    })
    const status = {
      ...known,
      ...(fault !== undefined && { fault }),
      ...(problem !== undefined && { problem }),
      ...(access.reading && { reading: access.reading }),
    }
    ports.post({ type: 'status', status })
    return ports.onStatus(status)
  }

  function tellContext() {
    ports.post({ type: 'context', parts: offer.parts() })
  }

  /** Follows what the agent does until it is done; then come new settings, and the messages that wait. */
  async function follow(start: Start, options?: { renews: boolean }): Promise<void> {
    const ended = run(start, options)
    finished = ended.then(() => {})
    const isDone = await ended
    if (running) return
    if (isStale) await renew()
    if (!isDone) return giveBack()
    const next = waiting.next()
    if (next !== undefined) await send(next)
  }

  /** Makes the agent again if what it is made of has changed. */
  async function renew(): Promise<void> {
    isStale = running !== undefined
    if (isStale) return
    problem = undefined
    const { agent, saved } = session
    // an agent writes to its conversation, which another window may have
    if (!access.reading && (agent || saved.settings)) {
      await session.open({ renews: true }).catch(({ message }: Error) => {
        problem = message
        log.warn(message)
      })
    }
    tellStatus()
  }

  /** Puts the messages that wait back to where they were written. */
  function giveBack() {
    unsent = [unsent, waiting.takeAll()].filter(Boolean).join('\n\n')
    if (unsent === '' || !ports.isChatVisible()) return
    ports.post({ type: 'give-back', text: unsent })
    unsent = ''
  }

  /** Runs to the end; whether the agent came to an end of its own. */
  async function run(start: Start, options?: { renews: boolean }): Promise<boolean> {
    let isDone = false
    const own = new AbortController()
    running = own
    tellStatus()
    try {
      const before = session.agent
      const agent = await session.open(options)
      if (agent !== before) fault = undefined
      tellModel()
      problem = undefined
      seen = agent.guard.findings.at(-1)
      for await (const event of start(agent, own.signal)) {
        // another chat was opened meanwhile
        if (running !== own) return false
        handle(event, agent)
        isDone = event.type === 'finished' && event.reason !== 'aborted'
      }
    } catch (error) {
      if (running === own) showError(error)
    } finally {
      if (running === own) {
        running = undefined
        endItems()
        save()
        tellStatus()
      }
    }
    return isDone
  }

  /** The footer names the model of the next answer; the chat says where another one has begun to answer. */
  function tellModel() {
    const { model = '' } = session.saved.settings ?? {}
    if (answering !== undefined && answering !== model) {
      chat.add({ type: 'notice', text: t('{0} answers from here on.', model) })
    }
    answering = model
  }

  /** Nothing runs any more, and the cards of loops have all of their calls. */
  function endItems() {
    chat.endCalls()
    const request = chat.items.findLastIndex(({ type }) => type === 'person')
    for (const [index, item] of chat.items.entries()) {
      const words = index > request ? loopWordsOf(item, chat.items, t) : {}
      if (words.loop) ports.post({ type: 'item', index, item, ...words })
    }
  }

  function handle(event: ClientEvent, agent: Agent) {
    if (event.type === 'prompt') unheard = undefined
    speaker = event.agent
    if (event.type === 'turn-start') speakers.add(speaker ?? '')
    onEvent(event, {
      ...{ chat, t, number: agent.guard.events - 1, now: ports.now() },
      dollars: (finding) => wastedDollars(finding, agent),
      // the name of the only one tells nothing
      agent: speakers.size > 1 ? speaker : undefined,
      onWarning(finding) {
        log[isLikely(finding) ? 'info' : 'warn'](toLogLine(finding))
        ports.onFindings()
      },
      onLoop(finding) {
        running?.abort()
        onLoop(finding, agent)
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
    const settings: ItemAction[] = kind === 'configuration' ? ['set-key', 'open-settings'] : []
    const actions: ItemAction[] = unheard ? [...settings, 'retry'] : settings
    chat.add({ type: 'error', message, advice, actions })
    log.error(message)
  }

  function onLoop(finding: Finding, agent: Agent) {
    const id = randomUUID()
    chat.markLoop(finding)
    chat.add({ type: 'loop', id, finding, at: ports.now(), ...wastedDollars(finding, agent) })
    log.warn(toLogLine(finding))
    save()
    ports.onFindings()
    const text = t('The agent is stuck and was stopped: {0}', toSentence(finding.detail))
    // the message comes last: whoever reads it finds the rest of the editor in agreement
    tellStatus()
      .then(() => {
        // decided in the chat meanwhile
        if (openLoop(chat.items)?.id !== id) return
        return ports.showLoop(text, loopChoices(finding, t))
      })
      .then(
        (picked) => picked && press(id, picked),
        (error) => log.error(String(error)),
      )
  }

  /** In observe mode nothing but the guard's own list tells of a loop. */
  function tellObserved(agent: Agent) {
    const { guard, guardMode } = agent
    const last = guard.findings.at(-1)
    if (last && last !== seen && guardMode === 'observe') {
      chat.add({
        ...{ type: 'warning', finding: last, at: ports.now(), isObserved: true },
        ...wastedDollars(last, agent),
      })
      log.warn(`observed, nothing was done: ${toLogLine(last)}`)
      ports.onFindings()
    }
    seen = last
  }

  /** A choice without its words: a hint has to be asked for first. */
  async function press(id: string, picked: ChoiceName) {
    if (picked !== 'hint') return decide(id, { type: picked })
    const text = await ports.askHint()
    if (text) await decide(id, { type: 'hint', text })
  }

  /** A message cannot be withdrawn; its buttons lead to what was decided meanwhile. */
  function revealLoop(id: string) {
    const index = chat.items.findIndex((item) => item.type === 'loop' && item.id === id)
    if (index >= 0) ports.post({ type: 'reveal', index })
  }

  /** Puts a decision into effect, once. */
  async function decide(id: string, choice: Choice): Promise<void> {
    // the run that was stopped may have a last word to say
    await finished
    const loop = openLoop(chat.items)
    if (loop?.id !== id || running || access.reading) return revealLoop(id)
    chat.decide(id, describeDecision(choice, loop.finding, t))
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
    if (trimmed === '') return
    if (access.reading) {
      unsent = [unsent, trimmed].filter(Boolean).join('\n\n')
      return giveBack()
    }
    if (running) return waiting.add(trimmed)
    const id = randomUUID()
    const parts = trimmed.startsWith('/') ? [] : offer.parts()
    const loop = openLoop(chat.items)
    if (loop) chat.decide(loop.id, t('You sent another message instead.'))
    unheard = { type: 'person', id, text: trimmed, context: parts }
    chat.add(unheard)
    save()
    await ask(unheard)
  }

  const ask = ({ id, text, context }: ItemOf<'person'>) =>
    follow((agent, signal) => agent.sendMessageStream(toRequest(text, context), signal, id), {
      renews: true,
    })

  /** Does what a button of the last item says; what has come since makes it worthless. */
  async function act(action: ItemAction): Promise<void> {
    if (action !== 'resume' && action !== 'retry') return ports.act(action)
    const last = chat.items.at(-1)
    if (
      running ||
      access.reading ||
      !last ||
      !('actions' in last && last.actions?.includes(action))
    )
      return
    if (action === 'resume') {
      return follow((agent, signal) => agent.resume(signal), { renews: true })
    }
    if (unheard) return ask(unheard)
    chat.undoAnswer()
    await follow((agent, signal) => agent.retry(signal), { renews: true })
  }

  function stop() {
    running?.abort()
  }

  /** Ends what goes on in the chat; resolves when its last word is written. */
  function endRun(): Promise<void> | undefined {
    if (!running) return
    stop()
    // what was written so far is kept; the run itself has nothing more to say
    chat.endCalls()
    save()
    running = undefined
    return finished
  }

  /** One in which nothing was said is not kept, so that it takes the place of none. */
  function leave(after: Promise<void> | undefined) {
    if (!access.reading && chat.items.length === 0) store.forget(session.saved.id)
    access.leave({ after })
  }

  function newChat() {
    if (chat.items.length === 0 && !access.reading) return show(session.saved)
    leave(endRun())
    show(emptyChat())
    save()
  }

  function openChat({ id }: SavedChat) {
    const after = endRun()
    if (!store.read(id)) return ports.showProblem(t('This chat is no longer there.'))
    leave(after)
    const next = access.open(id)
    if (!next) return
    show(next)
    // it is the last one now
    if (!access.reading) save()
  }

  function show(next: SavedChat) {
    speakers.clear()
    questions.forget()
    fault = undefined
    unheard = undefined
    problem = undefined
    giveBack()
    session = open(next)
    answering = next.settings?.model
    chat.replace(next.items)
    ports.onFindings()
    tellStatus()
  }

  /** Looks what other windows have done with the chat; called again and again. */
  async function check(): Promise<void> {
    const before = access.reading
    const incident = access.check()
    const isGiven = incident === 'requested' && (await access.handOver(endForOther))
    if (isGiven) log.info('another window asked for this chat, and has it now')
    const saved =
      isGiven || incident === 'free' || incident === 'changed' ? access.read() : undefined
    if (saved) show(saved)
    else if (access.reading !== before) tellStatus()
  }

  /** The last word of this window. */
  async function endForOther(): Promise<void> {
    const ended = endRun()
    giveBack()
    tellStatus()
    await ended
  }

  /** Shows everything in a view that was just opened. */
  function showAll() {
    ports.post({ type: 'start', words: viewWords(t) })
    postAll()
    ports.post({ type: 'waiting', messages: waiting.messages })
    tellContext()
    tellStatus()
    giveBack()
    if (wantsFocus) ports.post({ type: 'focus' })
  }

  const receive = createReceiver(ports, {
    ...{ showAll, send, stop, decide, act, answer: questions.answer },
    focused() {
      wantsFocus = false
    },
    removeWaiting: waiting.remove,
    newChat,
    continueHere() {
      access.request()
      tellStatus()
    },
    removeContext(id) {
      offer.remove(id)
      tellContext()
    },
  })

  return {
    receive,
    send,
    stop,
    decide,
    press,
    tellStatus,
    /** The editor shows something else. */
    contextChanged: tellContext,
    /** Settings, keys, trust or folders are others: they count at once, or as soon as the agent is free. */
    async settingsChanged() {
      await checkSettings()
      tellContext()
      await renew()
    },
    newChat,
    openChat,
    check,
    /** The other chats of the workspace, the last one first; whether another window has them open. */
    earlierChats: () =>
      store
        .ids()
        .filter((id) => id !== session.saved.id)
        .flatMap((id) => store.read(id) ?? [])
        .filter(({ items }) => items.length > 0)
        .map((saved) => ({ ...saved, isOpenElsewhere: store.isClaimed(saved.id) })),
    async setGuardMode(mode: GuardMode) {
      if (access.reading) return
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
    /** Ends what runs, and saves; resolves when the last word is written, and others may have the chat. */
    async dispose() {
      stop()
      const ended = running ? finished : undefined
      // what the run still says must not change the chat any more
      running = undefined
      if (chat.items.length > 0 && !access.reading) save()
      await ended
      access.leave()
    },
  }
}

/** Pieces of text come by the hundred and change nothing but the text. */
const isDelta = ({ type }: ClientEvent) => type === 'text' || type === 'reasoning'

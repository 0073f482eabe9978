import type { Agent, Approve } from '@unloop/agent'
import type { ChatItem } from './chat/item.js'
import type { Ports } from './ports.js'
import { providerOf, type Settings } from './settings.js'
import type { SavedChat } from './store.js'

/** One chat on disk, and the agent that goes with it. */
export interface Session {
  readonly saved: SavedChat
  /** there from the first prompt on */
  readonly agent: Agent | undefined
  /** The agent; renewed if wanted, should settings, keys, trust or folders have changed since it was made. Throws a `ModelError`. */
  open(options?: { renews: boolean }): Promise<Agent>
  save(items: readonly ChatItem[]): void
}

export interface SessionParts {
  ports: Ports
  checkSettings(): Promise<Settings>
  approve: Approve
  /** A part of the settings cannot be used, and the agent does without it. */
  onProblem(text: string): void
}

/** A session that continues this chat. */
export function createSession(
  chat: SavedChat,
  { ports, checkSettings, approve, onProblem }: SessionParts,
): Session {
  const { log, store } = ports
  let saved = chat
  let agent: Agent | undefined
  // what the agent was made with; never written down, since the keys are in it
  let made: string | undefined
  let opening: Promise<unknown> = Promise.resolve()

  async function keysFor({ model, judgeModel }: Settings): Promise<Record<string, string>> {
    const keys: Record<string, string> = {}
    for (const provider of [model, judgeModel].map(providerOf)) {
      const key = await ports.keyOf(provider)
      if (key !== undefined) keys[provider] = key
    }
    return keys
  }

  /** One after another: two agents must not write one conversation. */
  function open(options?: { renews: boolean }): Promise<Agent> {
    const opened = opening.then(() => openNow(options))
    opening = opened.catch(() => {})
    return opened
  }

  async function openNow({ renews } = { renews: false }): Promise<Agent> {
    if (agent && !renews) return agent
    let parts = await partsNow()
    while (!agent || made !== parts.key) {
      const problem = await make(parts).catch((error: unknown) => ({ error }))
      const after = await partsNow()
      // what went wrong with settings that nobody has any more is not the person's problem
      if (problem && after.key === parts.key) throw problem.error
      parts = after
    }
    return agent
  }

  /** What the agent is made of, as of the moment this resolves: keys take time, and settings may change meanwhile. */
  async function partsNow() {
    await ports.settingsWritten()
    for (let settings = await checkSettings(); ; ) {
      const keys = await keysFor(settings)
      const latest = await checkSettings()
      const access = ports.openOptions()
      if (JSON.stringify(latest) === JSON.stringify(settings)) {
        return { settings, access, keys, key: JSON.stringify([settings, access.folders, keys]) }
      }
      settings = latest
    }
  }

  async function make({ settings, access, keys, key }: Awaited<ReturnType<typeof partsNow>>) {
    const before = saved.settings
    // the old one is of no use any more, even if there will be no new one
    agent = undefined
    const { openAgent } = await ports.engine()
    const path = store.sessionPath(saved.id)
    const options = { ...access, keys, settings, before, path, approve, onProblem }
    agent = await openAgent(options).catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error
      log.warn(`the conversation cannot be read, a new one begins: ${error.message}`)
      store.setAside(saved.id)
      return openAgent(options)
    })
    made = key
    saved = { ...saved, settings }
    log.info(`agent: ${settings.model}, guard ${agent.guardMode}`)
  }

  return {
    get saved() {
      return saved
    },
    get agent() {
      return agent
    },
    open,
    save(items) {
      const guardMode = agent?.guardMode ?? saved.guardMode
      saved = { ...saved, changedAt: ports.now(), items: [...items] }
      if (guardMode) saved.guardMode = guardMode
      store.save(saved)
    },
  }
}

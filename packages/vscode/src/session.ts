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
    const settings = await checkSettings()
    const access = ports.openOptions()
    const keys = await keysFor(settings)
    const wanted = JSON.stringify([settings, access.folders, keys])
    if (agent && made === wanted) return agent
    const before = saved.settings
    const { openAgent } = await ports.engine()
    const path = store.sessionPath(saved.id)
    const options = { ...access, keys, settings, before, path, approve, onProblem }
    // the old one is of no use any more, even if there will be no new one
    agent = undefined
    agent = await openAgent(options).catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error
      log.warn(`the conversation cannot be read, a new one begins: ${error.message}`)
      store.setAside(saved.id)
      return openAgent(options)
    })
    made = wanted
    saved = { ...saved, settings }
    log.info(`agent: ${settings.model}, guard ${agent.guardMode}`)
    return agent
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

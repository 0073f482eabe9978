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
  /** The agent; renewed if wanted, should settings, keys or trust have changed since it was made. Throws a `ModelError`. */
  open(options?: { renews: boolean }): Promise<Agent>
  save(items: readonly ChatItem[]): void
}

export interface SessionParts {
  ports: Ports
  checkSettings(): Promise<Settings>
  approve: Approve
}

/** A session that continues this chat. */
export function createSession(
  chat: SavedChat,
  { ports, checkSettings, approve }: SessionParts,
): Session {
  const { log, store } = ports
  let saved = chat
  let agent: Agent | undefined
  // what the agent was made with; never written down, since the keys are in it
  let made: string | undefined

  async function keysFor({ model, judgeModel }: Settings): Promise<Record<string, string>> {
    const keys: Record<string, string> = {}
    for (const provider of [model, judgeModel].map(providerOf)) {
      const key = await ports.keyOf(provider)
      if (key !== undefined) keys[provider] = key
    }
    return keys
  }

  async function open({ renews } = { renews: false }): Promise<Agent> {
    if (agent && !renews) return agent
    const settings = await checkSettings()
    const access = ports.openOptions()
    const keys = await keysFor(settings)
    const wanted = JSON.stringify([settings, access.folder, keys])
    if (agent && made === wanted) return agent
    const before = saved.settings
    const { openAgent } = await ports.engine()
    const path = store.sessionPath(saved.id)
    const options = { ...access, keys, settings, before, path, approve }
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

import type { Agent, Approve } from '@unloop/agent'
import type { ChatItem } from './chat/item.js'
import type { Ports } from './ports.js'
import type { Settings } from './settings.js'
import type { SavedChat } from './store.js'

/** One chat on disk, and the agent that goes with it. */
export interface Session {
  readonly saved: SavedChat
  /** there from the first prompt on */
  readonly agent: Agent | undefined
  /** The agent; for a new prompt made anew if the settings have changed since the last. Throws a `ModelError`. */
  open(options?: { isPrompt: boolean }): Promise<Agent>
  save(items: readonly ChatItem[]): void
}

export interface SessionParts {
  ports: Ports
  checkSettings(): Promise<Settings>
  approve: Approve
}

/** A session that goes on with this chat. */
export function createSession(
  chat: SavedChat,
  { ports, checkSettings, approve }: SessionParts,
): Session {
  const { log, store } = ports
  let saved = chat
  let agent: Agent | undefined

  async function open({ isPrompt } = { isPrompt: false }): Promise<Agent> {
    if (agent && !isPrompt) return agent
    const settings = await checkSettings()
    const before = saved.settings
    if (agent && JSON.stringify(before) === JSON.stringify(settings)) return agent
    const { openAgent } = await ports.engine()
    const path = store.sessionPath(saved.id)
    const options = { ...ports.openOptions(), settings, before, path, approve }
    agent = await openAgent(options).catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error
      log.warn(`the conversation cannot be read, a new one begins: ${error.message}`)
      store.setAside(saved.id)
      return openAgent(options)
    })
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

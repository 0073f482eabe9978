import type { Agent, AgentOptions } from '@unloop/agent'
import { createAgent, createEmbeddedModel, createGuideTools, demoPersonas } from '@unloop/agent'
import { type Chat, type ChatParts, createChat } from '../src/chat/chat.js'
import { createCompleter } from '../src/chat/complete/complete.js'
import { openDialog } from '../src/chat/dialog.js'
import { createDecoder } from '../src/chat/input/decode.js'
import { createKeys, type KeysOptions } from '../src/chat/keys.js'
import type { ChatState, Item } from '../src/chat/state.js'
import { createClock } from './clock.js'
import { emptyFolder } from './host.js'

/** A chat with the embedded model, and the keys of somebody who sits before it. */
export async function openChat(
  options: Partial<AgentOptions> = {},
  parts: Partial<ChatParts> = {},
  keys: KeysOptions = {},
) {
  let agent: Agent | undefined
  const chat = await createChat({
    folder: emptyFolder(),
    open: async ({ approve, saved }) => {
      agent = createAgent({
        model: createEmbeddedModel({ paceMs: 0 }),
        tools: createGuideTools(),
        guard: { attended: true },
        personas: demoPersonas,
        approve,
        ...(saved && { saved }),
        ...options,
      })
      return agent
    },
    openModel: async (name) => createEmbeddedModel({ name }),
    listModels: async () => ['embedded', 'embedded/other'],
    listSessions: () => [],
    readSession: () => {
      throw new Error('there is none')
    },
    rename() {},
    name: () => undefined,
    pastPrompts: () => [],
    completer: createCompleter(emptyFolder(), {
      models: () => ['embedded', 'openai/gpt-5'],
      sessions: () => [],
    }),
    isEmbedded: (model) => model.startsWith('embedded/'),
    hasJudge: () => options.judge !== undefined,
    banner: ['hello'],
    ...parts,
  })
  const clock = createClock()
  const decoder = createDecoder()
  const handle = createKeys(chat, { later: clock.later, ...keys })
  /** Presses what a terminal sends for it, in one read. */
  const press = (bytes: string) =>
    handle([...decoder.push(new TextEncoder().encode(bytes)), ...decoder.flush()])
  return {
    chat,
    clock,
    agent: agent as Agent,
    press,
    /** Types a line and sends it. */
    send(line: string) {
      press(line)
      press('\r')
    },
    /** Waits for a question that is as wanted, and until it takes answers. */
    question: (wanted: (state: ChatState) => unknown = openDialog) =>
      until(chat, (state) => {
        if (!wanted(state)) return false
        if (!state.asked.isListening) clock.pass(GRACE_MS)
        return state.asked.isListening
      }),
    /** Presses a key, and nothing else for a while. */
    answer(key: string) {
      press(key)
      clock.pass(TYPING_MS)
    },
    /** Waits until the chat is as wanted. */
    until: (wanted: (state: ChatState) => unknown) => until(chat, wanted),
    items: (type: Item['type']) => chat.store.get().items.filter((item) => item.type === type),
  }
}

function until({ store }: Chat, wanted: (state: ChatState) => unknown): Promise<ChatState> {
  return new Promise((resolve) => {
    const check = () => {
      if (!wanted(store.get())) return
      unsubscribe()
      resolve(store.get())
    }
    const unsubscribe = store.subscribe(check)
    check()
  })
}

export const GRACE_MS = 450
export const TYPING_MS = 600

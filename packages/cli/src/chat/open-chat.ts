import { openConfig } from '../config/load.js'
import { UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import { settle } from '../trust/settle.js'
import { whyHeld } from '../trust/words.js'
import { type Chat, createChat, type OpenRequest } from './chat.js'
import { createCompleter } from './complete/complete.js'
import { createModelNames } from './model-names.js'
import { baseUrlOf, isEmbedded, modelOf, openAgent, openModel } from './open-agent.js'
import { type ChatOptions, partsUsed } from './options.js'
import {
  createLazyLog,
  findSession,
  listSessions,
  newSession,
  pastPrompts,
  readById,
  sessionFolder,
  sessionPath,
} from './sessions.js'
import { openWatchers, together } from './watch/watcher.js'

/** A chat with what it is made from on this machine. */
export interface OpenedChat {
  chat: Chat
  /** Lets others write to the conversation. */
  close(): void
}

/** Opens a chat as the options and the configuration want it. Throws a `ModelError` if there is no model. */
export async function openChat(host: Host, options: ChatOptions): Promise<OpenedChat> {
  const { held, ...loaded } = await openConfig(host, options, partsUsed(options))
  let { config } = loaded
  const watcher = together(await openWatchers(host, options))
  const isSaving = options.save !== false
  const resumed = options.resume === undefined ? undefined : findSession(host, options.resume)
  let current: Current = { id: '', release() {} }
  let chosen: string | undefined
  const addressOf = (name: string) =>
    baseUrlOf(name, modelOf(options, config, resumed), options, config)

  async function open({ approve, tell, saved }: OpenRequest) {
    const model = saved ? undefined : chosen
    const session = saved ?? newSession(host, model ?? modelOf(options, config))
    const { id, name } = session.header
    const unsaved = (message: string) =>
      tell(`${message}; the chat continues, and saving is tried again`)
    // the same conversation, opened again: what is claimed for it next must not be released with the old one
    if (id === current.id) current.release()
    const log = isSaving ? createLazyLog(sessionPath(host, id), session, unsaved) : undefined
    try {
      if (saved) log?.open()
      const agent = await openAgent({
        ...{ host, options, config, attended: true, model, approve, saved, log, watcher },
      })
      if (id !== current.id) current.release()
      current = { id, name, log, release: () => log?.release() }
      return agent
    } catch (error) {
      log?.release()
      throw error
    }
  }

  function rename(name: string) {
    if (!current.log) throw new UsageError('this conversation is not saved, so it has no name')
    current.log.rename(name)
    current.name = name
  }

  const models = createModelNames(host.env, addressOf)
  const chat = await createChat({
    folder: host.cwd(),
    open,
    async openModel(name) {
      const model = await openModel(name, host.env, addressOf(name))
      chosen = name
      return watcher.model(model)
    },
    listModels: models.list,
    listSessions: () => listSessions(host, current.id),
    readSession: (id) => readById(host, id),
    rename,
    name: () => current.name,
    pastPrompts: () => (current.past ??= pastPrompts(host, current.id)),
    completer: createCompleter(host.cwd(), {
      models: models.known,
      sessions: () =>
        listSessions(host, current.id).map(({ id, name, title }) => ({
          text: name ?? id,
          note: title,
        })),
    }),
    saved: resumed,
    isEmbedded,
    hasJudge: () => config.judge !== undefined,
    held: held && {
      question: whyHeld(held, held.trust),
      async settle(isTrusted) {
        const settled = await settle(host, held, isTrusted)
        config = settled.config
        return settled.tell
      },
    },
    banner: [
      isEmbedded(modelOf(options, config, resumed))
        ? 'unloop chat: ask something, or /stuck failing to see a loop stopped; /help lists the rest'
        : 'unloop chat: ask something; /help lists the commands',
      ...(loaded.path === undefined || held ? [] : [`configured by ${loaded.path}`]),
      isSaving ? `conversations are saved in ${sessionFolder(host)}` : 'nothing is saved',
    ],
  })
  if (options.request !== undefined) chat.submitAll([options.request])
  return { chat, close: () => current.release() }
}

/** The conversation that is open. */
interface Current {
  id: string
  name?: string | undefined
  log?: ReturnType<typeof createLazyLog> | undefined
  /** what was sent in earlier conversations, once it was read */
  past?: string[]
  release(): void
}

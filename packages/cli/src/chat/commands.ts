import type { Agent, ClientEvent, SavedSession } from '@unloop/agent'
import { never } from '../never.js'
import type { ChatParts } from './chat.js'
import { describeSpending } from './describe-spending.js'
import { listFindings } from './evidence.js'
import type { Lists } from './lists.js'
import { HELP, type SlashCommand } from './slash.js'
import type { Item } from './state.js'

type Command = Exclude<SlashCommand, { type: 'stuck' }>

/** Does what slash commands say. */
export interface Commands {
  obey(command: Command): void
  /** Whether it is done at once, also during an answer. */
  isForNow(command: SlashCommand): boolean
}

/** What commands use of the chat. */
export interface CommandContext {
  parts: ChatParts
  lists: Lists
  agent(): Agent
  say(...items: Item[]): void
  notice(text: string): void
  sayError(error: Error): void
  showStatus(): void
  follow(start: (signal: AbortSignal) => AsyncIterable<ClientEvent>): Promise<void>
  run(work: (signal: AbortSignal) => Promise<void>): Promise<void>
  /** Goes on with a saved conversation, or a new one. */
  open(saved?: SavedSession): Promise<void>
  leave(): void
}

export function createCommands(context: CommandContext): Commands {
  const { parts, lists, agent, notice, showStatus, follow, run } = context

  function obey(command: Command): void {
    switch (command.type) {
      case 'help':
        return notice(HELP)
      case 'loops':
        return notice(listFindings(agent().guard.findings))
      case 'cost':
        return notice(describeSpending(agent()))
      case 'guard':
        if (command.mode) agent().guardMode = command.mode
        showStatus()
        return notice(`guard mode: ${agent().guardMode}`)
      case 'retry':
        follow((signal) => agent().retry(signal))
        return
      case 'compact':
        follow((signal) => agent().compact(signal))
        return
      case 'clear':
        run(clear)
        return
      case 'model':
        run((signal) => (command.name === undefined ? chooseModel(signal) : useModel(command.name)))
        return
      case 'rename':
        return rename(command.name)
      case 'resume':
        return resume(command.text)
      case 'exit':
        return context.leave()
      case 'unknown':
        return notice(command.message)
      default:
        return never(command)
    }
  }

  async function clear() {
    const isSaid = agent().history.length > 0
    await context.open()
    notice(isSaid ? 'a new conversation; /resume brings the last one back' : 'a new conversation')
  }

  async function chooseModel(signal: AbortSignal) {
    const names = await parts.listModels(agent().model.name, signal)
    if (!signal.aborted) lists.openModels(names)
  }

  /** Uses another model from now on; one that cannot be opened changes nothing. */
  async function useModel(name: string) {
    const before = agent().model.name
    try {
      agent().setModel(await parts.openModel(name))
      notice(`model: ${agent().model.name}`)
    } catch (error) {
      context.sayError(error as Error)
      notice(`this chat continues with ${before}`)
    }
  }

  function rename(name: string) {
    try {
      parts.rename(name)
      notice(`this conversation is called ${name}; continue it with unloop chat --resume "${name}"`)
      showStatus()
    } catch (error) {
      context.sayError(error as Error)
    }
  }

  function resume(text: string) {
    if (lists.openSessions(text)) return
    notice(
      text === ''
        ? 'no conversation was saved in this folder'
        : `no conversation in this folder matches ${text}`,
    )
  }

  return {
    obey,
    isForNow: ({ type }) => FOR_NOW.includes(type),
  }
}

const FOR_NOW: readonly SlashCommand['type'][] = ['help', 'loops', 'cost', 'guard', 'exit']

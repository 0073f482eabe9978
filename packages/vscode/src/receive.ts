import type { Choice } from '@unloop/agent'
import type { ItemAction } from './chat/item.js'
import { never } from './never.js'
import type { Ports } from './ports.js'
import type { FromView } from './protocol.js'

/** What a chat can do for the view. */
export interface ChatActions {
  /** Shows everything in a view that was just opened. */
  showAll(): void
  /** The view has put the keyboard into the message. */
  focused(): void
  send(text: string): Promise<void>
  stop(): void
  decide(id: string, choice: Choice): Promise<void>
  answer(id: string, isAgreed: boolean, isForGood?: boolean): void
  act(action: ItemAction): Promise<void>
  removeWaiting(id: string): void
  removeContext(id: string): void
  newChat(): void
  /** Asks the other window for the chat. */
  continueHere(): void
}

/** Does what the view asks for: the chat does what concerns it, and the editor the rest. */
export const createReceiver =
  (ports: Ports, chat: ChatActions) =>
  async (message: FromView): Promise<void> => {
    switch (message.type) {
      case 'ready':
        return chat.showAll()
      case 'focused':
        return chat.focused()
      case 'send':
        return chat.send(message.text)
      case 'stop':
        return chat.stop()
      case 'remove-waiting':
        return chat.removeWaiting(message.id)
      case 'choose':
        return chat.decide(message.id, message.choice)
      case 'answer':
        return chat.answer(message.id, message.isAgreed, message.isForGood)
      case 'remove-context':
        return chat.removeContext(message.id)
      case 'act':
        return chat.act(message.action)
      case 'check-paths': {
        const existing = await ports.existingFiles(message.paths)
        return ports.post({ type: 'paths', asked: message.paths, existing })
      }
      case 'open-path':
        return ports.openFile(message.path)
      case 'copy':
        return ports.copy(message.text)
      case 'insert':
        return ports.insert(message.text)
      case 'new-chat':
        return chat.newChat()
      case 'continue-here':
        return chat.continueHere()
      case 'pick-model':
        return ports.pickModel()
      default:
        return never(message)
    }
  }

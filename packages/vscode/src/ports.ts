import type { ContextPart, ItemAction } from './chat/item.js'
import type { LoopButton, LoopChoice } from './chat/loop-words.js'
import type { Status, ToView } from './protocol.js'
import type { SettingName } from './settings.js'
import type { ChatStore } from './store.js'
import type { Translate } from './translate.js'

/** What the controller needs of the editor, and nothing else of it. */
export interface Ports {
  t: Translate
  /** Tells the view, if there is one. */
  post(message: ToView): void
  /** Shows an error message; gives the button that was pressed. */
  showLoop(text: string, buttons: LoopChoice[]): Promise<LoopButton | undefined>
  askHint(): Promise<string | undefined>
  showProblem(text: string): void
  act(action: Exclude<ItemAction, 'resume'>): void
  log: Record<'debug' | 'info' | 'warn' | 'error', (text: string) => void>
  setting(name: SettingName): unknown
  /** What the editor shows. */
  context(): ContextPart[]
  /** Everything that is too big to be loaded before it is used. */
  engine(): Promise<Engine>
  /** What the agent may use: the folder, if it is trusted, and the environment. */
  openOptions(): Pick<Parameters<Engine['openAgent']>[0], 'folder' | 'env'>
  /** The key of a provider, if the person has stored one. */
  keyOf(provider: string): Promise<string | undefined>
  store: ChatStore
  onStatus(status: Status): void
  /** The findings of the chat have changed. */
  onFindings(): void
  now(): number
}

type Engine = Pick<typeof import('./engine.js'), 'openAgent' | 'checkGuard'>

import type { ChoiceName, ChoiceWords, Translate } from 'unloop/words'
import type { ContextPart, ItemAction } from './chat/item.js'
import type { Status, ToView } from './protocol.js'
import type { SettingName } from './settings.js'
import type { ChatStore } from './store.js'

/** What the controller needs of the editor, and nothing else of it. */
export interface Ports {
  t: Translate
  /** Tells the view, if there is one. */
  post(message: ToView): void
  /** Shows an error message; gives the button that was pressed. */
  showLoop(text: string, choices: ChoiceWords[]): Promise<ChoiceName | undefined>
  askHint(): Promise<string | undefined>
  /** Tells the person that a tool waits for an answer, where the chat cannot be seen. */
  showQuestion(text: string, index: number): void
  /** Whether the person sees the chat. */
  isChatVisible(): boolean
  showProblem(text: string): void
  act(action: Exclude<ItemAction, 'resume' | 'retry'>): void
  /** Which of these are files of the workspace. */
  existingFiles(paths: readonly string[]): Promise<string[]>
  openFile(path: string): Promise<void>
  copy(text: string): Promise<void>
  /** Puts a text to the cursor of the editor. */
  insert(text: string): Promise<void>
  pickModel(): Promise<void>
  log: Record<'debug' | 'info' | 'warn' | 'error', (text: string) => void>
  setting(name: SettingName): unknown
  /** Resolves when the settings that were chosen in the editor are written. */
  settingsWritten(): Promise<void>
  /** What the editor shows. */
  context(): ContextPart[]
  /** Everything that is too big to be loaded before it is used. */
  engine(): Promise<Engine>
  /** What the agent may use: the folders, if they are trusted, and the environment. */
  openOptions(): Pick<Parameters<Engine['openAgent']>[0], 'folders' | 'env' | 'lm'>
  /** The key of a provider, if the person has stored one. */
  keyOf(provider: string): Promise<string | undefined>
  store: ChatStore
  /** Shows the status outside the chat; resolves when it is shown. */
  onStatus(status: Status): Promise<void>
  /** The findings of the chat have changed. */
  onFindings(): void
  now(): number
}

type Engine = Pick<typeof import('./engine.js'), 'openAgent' | 'checkGuard'>

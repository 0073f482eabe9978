import type { FromView } from '../src/protocol.js'
import type { ViewWords } from '../src/view-words.js'

/** What every part of the view is given. */
export interface Frame {
  words: ViewWords
  /** Tells the host. */
  tell(message: FromView): void
  focusInput(): void
}

import type { FromView } from '../src/protocol.js'
import type { ViewWords } from '../src/view-words.js'
import type { Paths } from './paths.js'

/** What every part of the view is given. */
export interface Frame {
  words: ViewWords
  /** Tells the host. */
  tell(message: FromView): void
  focusInput(): void
  /** Says something to a screen reader. */
  announce(text: string): void
  /** Draws in the frames to come, until `work` says that nothing is left. */
  paint(work: () => boolean): void
  paths: Paths
}

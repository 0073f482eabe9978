import type { Choice, Opened, Session, Update } from './session.js'

/** Where sessions are kept. Any method may fail; whoever asks goes on without an answer. */
export interface Store {
  readonly kind: 'memory' | 'redis'
  readonly isUp: boolean
  /** The session of the conversation that stands at this place. */
  find(place: string): Promise<string | undefined>
  open(id: string): Promise<Opened>
  /** The lane that stands at this place, as text. */
  lane(id: string, place: string): Promise<string | undefined>
  /** Adds what a request changed. False, and nothing is changed, if the lane was saved by somebody else meanwhile. */
  save(id: string, update: Update): Promise<boolean>
  /** Notes where a conversation stands whose requests name no session, and where it does not any more. */
  point(id: string, now: readonly string[], gone: readonly string[]): Promise<void>
  /** False if there is no such session. */
  choose(id: string, choice: Choice): Promise<boolean>
  /** The sessions that were active last, newest first. */
  list(most: number): Promise<Session[]>
  /** Keeps a lane that leaves the memory of this process. */
  keep(id: string, place: string, freeze: () => string): void
  close(): Promise<void>
}

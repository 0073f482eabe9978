import type { Guard } from 'unloop'
import type { SessionLog } from './session.js'

/** The log; what cannot be written is a fault, which is told once, and the conversation continues. */
export function toSafeLog(log: SessionLog, guard: Guard): SessionLog {
  const attempt = (write: () => void) => {
    try {
      write()
    } catch (error) {
      guard.addFault(PART, error)
    }
  }
  return {
    append: (entry) => attempt(() => log.append(entry)),
    replace: (entries) => attempt(() => log.replace(entries)),
    state: (state) => attempt(() => log.state(state)),
    rename: (name) => attempt(() => log.rename(name)),
    changeModel: (model) => attempt(() => log.changeModel(model)),
  }
}

const PART = 'saving the conversation'

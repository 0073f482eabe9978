import type { ToView } from './protocol.js'

// two frames: nobody sees the difference, and a fast model sends hundreds of pieces a second
const WAIT_MS = 30

/** Posts messages in their order, pieces of text joined to fewer and longer ones. */
export function createDeltaBuffer(post: (message: ToView) => void) {
  let held: Extract<ToView, { type: 'delta' }> | undefined
  let timer: NodeJS.Timeout | undefined

  function flush() {
    clearTimeout(timer)
    timer = undefined
    if (held) post(held)
    held = undefined
  }

  return (message: ToView): void => {
    if (message.type !== 'delta' || (held && held.index !== message.index)) flush()
    if (message.type !== 'delta') return post(message)
    held = held ? { ...held, text: held.text + message.text } : message
    timer ??= setTimeout(flush, WAIT_MS)
  }
}

import { afterReading, type Later } from '../after-reading.js'
import { key, type Press } from './press.js'

// what somebody types in some seconds, while the line is slow or the chat is busy
const MAX_TYPED = 200
// parts of one paste come faster than keys
const PASTE_MS = 50

/**
 * Tells an Enter from a line end within a paste that the terminal did not mark. We ask terminals to mark pastes, and keys
 * that were typed ahead come in one read too, so an Enter is an Enter; unless more lines came at once than anybody types,
 * and the terminal has never marked a paste.
 */
export function createLineReader(
  later: Later = afterReading,
): (presses: readonly Press[]) => readonly Press[] {
  let isMarking = false
  let isWithinPaste = false
  let stopWaiting = () => {}

  return (presses) => {
    isMarking ||= presses.some(({ type }) => type === 'paste')
    if (isMarking || !(isWithinPaste || isPasted(presses))) return presses
    isWithinPaste = true
    stopWaiting()
    stopWaiting = later(PASTE_MS, () => {
      isWithinPaste = false
    })
    return presses.map((press) => (isEnter(press) ? key('newline') : press))
  }
}

/** Lines with an Enter between them, and more than somebody types. */
function isPasted(presses: readonly Press[]): boolean {
  const first = presses.findIndex(isEnter)
  if (first < 0 || !presses.slice(first).some(({ type }) => type === 'text')) return false
  const length = presses.reduce(
    (sum, press) => sum + (press.type === 'text' ? press.text.length : 0),
    0,
  )
  return length > MAX_TYPED
}

const isEnter = (press: Press) => press.type === 'key' && press.name === 'enter'

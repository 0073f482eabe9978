import type { Host } from '../host.js'

// on a line of its own, though the terminal may have shown there what was typed ahead; and pasted text is marked, so
// that its line ends do not send it
export const TAKE = '\r\x1b[K\x1b[?2004h'
// pasted text is not marked any more, and the cursor is shown
export const GIVE = '\x1b[?2004l\x1b[?25h'

/**
 * Puts the terminal into raw mode; returns a function that restores it, which also runs when the process
 * exits, or fails. `onGive` is called before that.
 */
export function holdTerminal(host: Host, onGive: () => void): () => void {
  let isHeld = true

  function giveBack() {
    if (!isHeld) return
    isHeld = false
    host.off('exit', giveBack)
    host.off('uncaughtException', giveBack)
    try {
      onGive()
    } catch {
      // what is drawn last matters less than a terminal that can be used
    }
    try {
      host.stdin.setRawMode(false)
      host.stdout.write(GIVE)
    } catch {
      // the terminal is gone
    }
  }

  host.on('exit', giveBack)
  // before the error is reported and the process exits
  host.prependListener('uncaughtException', giveBack)
  host.stdin.setRawMode(true)
  host.stdout.write(TAKE)
  return giveBack
}

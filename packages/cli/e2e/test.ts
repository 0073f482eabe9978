import { test as base } from 'vitest'
import { open, type Terminal, type TerminalOptions } from './terminal.js'

/** A test that opens terminals, which are closed after it. */
export const test = base.extend<{ start: (options?: TerminalOptions) => Promise<Terminal> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names from it
  start: async ({}, use) => {
    const opened: Terminal[] = []
    await use(async (options) => {
      const terminal = await open(options)
      opened.push(terminal)
      return terminal
    })
    await Promise.all(opened.map((terminal) => terminal.close()))
  },
})

/** The status line of a chat that waits for a prompt. */
export const READY = /guard (enforce|off|observe).* · \/help/

/** The dialog about a loop, when it takes answers. */
export const ASKED = '· 1 to 6'

/** The question before a tool runs, when it takes answers. */
export const MAY_RUN = '· y n a, or'

/** How often a text is in another. */
export const count = (text: string, part: string) => text.split(part).length - 1

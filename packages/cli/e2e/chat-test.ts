import { test as base } from 'vitest'
import { openPty, type Pty } from './pty.js'

/** A test that starts chats in terminals, and ends them. */
export const test = base.extend<{
  start: (options?: Parameters<typeof openPty>[0]) => Promise<Pty>
}>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names from it
  start: async ({}, use) => {
    const opened: Pty[] = []
    await use(async (options) => {
      const pty = openPty(options)
      opened.push(pty)
      await pty.until(/guard enforce.* · \/help/)
      return pty
    })
    await Promise.all(opened.map((pty) => pty.close()))
  },
})

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type FrameLocator, type Locator, type Page } from 'playwright-core'

const artefacts = fileURLToPath(new URL('artefacts', import.meta.url))

/** A window of the editor in a browser, and the chat in it. */
export interface Workbench {
  page: Page
  chat: FrameLocator
  /** Opens the folder, or opens it again. */
  load(): Promise<void>
  /** Runs a command by its title in the palette. */
  command(title: string): Promise<void>
  send(text: string): Promise<void>
  toast(text: string | RegExp): Locator
  /** Keeps a picture with this name. */
  picture(name: string): Promise<string>
  close(): Promise<void>
}

/** Opens a browser on the editor. */
export async function openWorkbench(url: string, folder: string): Promise<Workbench> {
  const browser: Browser = await chromium.launch({
    executablePath: process.env.UNLOOP_CHROMIUM || '/usr/bin/chromium',
    args: CHROMIUM_FLAGS,
  })
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
  page.setDefaultTimeout(20_000)
  // the inner of two frames: the editor wraps what an extension shows
  const chat = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame')
  const bench: Workbench = {
    page,
    chat,
    async load() {
      await page.goto(`${url}/?folder=${encodeURIComponent(folder)}`)
      await page.locator('.statusbar-item', { hasText: 'unloop' }).waitFor()
    },
    async command(title) {
      await page.keyboard.press('F1')
      const input = page.locator('.quick-input-widget input')
      await input.fill(`>${title}`)
      await page.locator('.quick-input-list .monaco-list-row').first().waitFor()
      await page.keyboard.press('Enter')
    },
    async send(text) {
      const input = chat.getByLabel('Message to the agent')
      await input.fill(text)
      await input.press('Enter')
    },
    toast: (text) => page.locator('.notification-toast', { hasText: text }),
    async picture(name) {
      mkdirSync(artefacts, { recursive: true })
      const path = join(artefacts, `${name}.png`)
      await page.screenshot({ path })
      return path
    },
    close: () => browser.close(),
  }
  return bench
}

const CHROMIUM_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type FrameLocator, type Locator, type Page } from 'playwright-core'
import { until } from './until.js'

const artefacts = fileURLToPath(new URL('artefacts', import.meta.url))
const images = fileURLToPath(new URL('../images', import.meta.url))

/** A window of the editor in a browser, and the chat in it. */
export interface Workbench {
  page: Page
  chat: FrameLocator
  /** Opens the folder, or opens it again. */
  load(): Promise<void>
  openChat(): Promise<void>
  openFile(name: string): Promise<void>
  /** Runs a command by its title in the palette; `choice` is what it then lets one pick. */
  command(title: string, choice?: string): Promise<void>
  send(text: string): Promise<void>
  /** Waits until the agent is done. */
  idle(): Promise<void>
  /** What the item in the status bar says to a screen reader. */
  statusBar(): Promise<string>
  toast(text: string): Locator
  toasts(): Promise<number>
  /** Makes the side bar so wide. */
  widen(width: number): Promise<void>
  /** Keeps a picture with this name; with UNLOOP_PICTURES=1 one for the README as well. */
  picture(name: string, options?: { clip?: Clip; forReadme?: boolean }): Promise<void>
  close(): Promise<void>
}

/** Opens a browser on the editor. */
export async function openWorkbench(
  url: string,
  folder: string,
  language?: string,
): Promise<Workbench> {
  const browser = await launchBrowser()
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
  page.setDefaultTimeout(20_000)
  // the inner of two frames: the editor wraps what an extension shows
  const chat = page
    .frameLocator('iframe.webview.ready[src*="extensionId=unloop"]')
    .frameLocator('iframe#active-frame')
  const bench: Workbench = {
    page,
    chat,
    async load() {
      if (language) {
        const cookie = { name: 'vscode.nls.locale', value: language, url }
        await page.context().addCookies([cookie])
      }
      await page.goto(`${url}/?folder=${encodeURIComponent(folder)}`)
      await page.locator('.statusbar-item', { hasText: 'unloop' }).waitFor()
    },
    async openChat() {
      await page.keyboard.press('Control+Alt+Shift+u')
      await chat.locator('textarea').waitFor()
    },
    async openFile(name) {
      const row = page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first()
      // a window that was just opened has not found its files yet
      await until('the file is in the list', async () => {
        await page.keyboard.press('Control+P')
        await page.locator('.quick-input-widget input').fill(name)
        const isThere = await row.click({ timeout: 3000 }).then(
          () => true,
          () => false,
        )
        if (!isThere) await page.keyboard.press('Escape')
        return isThere
      })
      await page.locator('.tab.active', { hasText: name }).waitFor()
    },
    async command(title, choice) {
      const input = page.locator('.quick-input-widget input')
      // by the whole name: others may begin like it
      const escaped = title.replace(/[.()]/g, '\\$&')
      const names = page.locator('.quick-input-list .label-name')
      const name = names.filter({ hasText: new RegExp(`^${escaped}$`) })
      // a page that is just being opened takes the key, or the focus, and the palette is closed again
      await until('the palette takes the command', async () => {
        await page.keyboard.press('F1')
        try {
          await input.fill(`>${title}`, { timeout: 2000 })
          await name.click({ timeout: 3000 })
          return true
        } catch {
          return false
        }
      })
      if (choice) await page.locator('.quick-input-list').getByText(choice).click()
      await input.waitFor({ state: 'hidden' })
    },
    async send(text) {
      const sent = chat.locator('li.item.person')
      const before = await sent.count()
      const input = chat.locator('textarea')
      await input.fill(text)
      await input.press('Enter')
      await until('the message is sent', async () => (await sent.count()) === before + 1)
    },
    // whatever the agent does leaves something below the message
    idle: () =>
      chat.locator('#items[aria-busy="false"] > ol > li:last-child:not(.person)').waitFor(),
    statusBar: async () =>
      (await page
        .locator('#unloop\\.unloop-vscode\\.unloop\\.status a')
        .getAttribute('aria-label')) ?? '',
    toasts: () => page.locator('.notification-toast').count(),
    toast: (text) => page.locator('.notification-toast', { hasText: text }),
    async widen(width) {
      const bar = page.locator('.part.sidebar')
      const { x = 0, width: before = 0 } = (await bar.boundingBox()) ?? {}
      await page.mouse.move(x + before, 300)
      await page.mouse.down()
      await page.mouse.move(x + width, 300, { steps: 5 })
      await page.mouse.up()
      await until('the side bar has another width', async () => {
        const box = await bar.boundingBox()
        return box && Math.abs(box.width - width) < 30
      })
    },
    async picture(name, { clip, forReadme = false } = {}) {
      mkdirSync(artefacts, { recursive: true })
      const path = join(artefacts, `${name}.png`)
      await page.waitForFunction(NOTHING_MOVES)
      await page.screenshot({ path, ...(clip && { clip }) })
      if (forReadme && process.env.UNLOOP_PICTURES) copyFileSync(path, join(images, `${name}.png`))
    },
    close: () => browser.close(),
  }
  return bench
}

/** A browser without a window. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.UNLOOP_CHROMIUM || findChromium(),
    args: CHROMIUM_FLAGS,
  })

const findChromium = () =>
  execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim()

/** The part of a picture to keep. */
type Clip = { x: number; y: number; width: number; height: number }

// messages slide in
const NOTHING_MOVES =
  "[...document.querySelectorAll('.notification-toast')].every((toast) => toast.getAnimations({ subtree: true }).length === 0)"

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

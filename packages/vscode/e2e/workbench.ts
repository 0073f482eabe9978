import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Browser,
  chromium,
  type Frame,
  type FrameLocator,
  type Locator,
  type Page,
} from 'playwright-core'
import { LIMIT_MS, until } from './until.js'

const artefacts = fileURLToPath(new URL('artefacts', import.meta.url))
const images = fileURLToPath(new URL('../images', import.meta.url))

/** A window of the editor in a browser, and the chat in it. */
export interface Workbench {
  page: Page
  chat: FrameLocator
  /** The frame that the page of the chat is in. */
  chatFrame(): Promise<Frame>
  /** Opens the folder, or opens it again. */
  load(): Promise<void>
  /** Shows the chat and gives it the keyboard. */
  openChat(): Promise<void>
  /** Shows something else in place of the chat; the extension knows then that nobody sees it. */
  hideChat(): Promise<void>
  /** Begins a new chat, whatever is open, and waits until it is shown. */
  newChat(): Promise<void>
  /** Closes what is open above the page: a list, a menu, a dialog. */
  dismiss(): Promise<void>
  /** Opens a view of the side bar, or folds it. */
  fold(view: string, isOpen: boolean): Promise<void>
  /** Presses keys until this is seen: a real editor on a busy machine loses a key now and then. */
  press(keys: string, effect: Locator): Promise<void>
  openFile(name: string): Promise<void>
  /** Runs a command by its title in the palette; `choice` is what it then lets one pick. */
  command(title: string, choice?: string): Promise<void>
  /** What a command lets one pick from a list with this title. */
  choicesOf(title: string, listTitle: string): Promise<string[]>
  /** Writes into the box with this title, and sends it. */
  answer(title: string, text: string): Promise<void>
  send(text: string): Promise<void>
  /** Waits until the agent is done. */
  idle(): Promise<void>
  /** Waits until the item in the status bar says this to a screen reader, or no longer says it. */
  statusSays(text: string, isSaid?: boolean): Promise<unknown>
  toast(text: string): Locator
  toasts(): Promise<number>
  /** Takes all messages away. */
  clearToasts(): Promise<void>
  /** Makes the side bar so wide. */
  widen(width: number): Promise<void>
  /** Keeps a picture with this name; with UNLOOP_PICTURES=1 one for the README as well. */
  picture(name: string, options?: { clip?: Clip; forReadme?: boolean }): Promise<void>
  close(): Promise<void>
  /** Ends the browser as a lost connection does: the editor hears nothing of it. */
  kill(): Promise<void>
}

/** Opens a browser on the editor. */
export async function openWorkbench(
  url: string,
  folder: string,
  language?: string,
): Promise<Workbench> {
  const browserServer = await chromium.launchServer(launchOptions())
  const browser = await chromium.connect(browserServer.wsEndpoint())
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
  page.setDefaultTimeout(LIMIT_MS)
  // the inner of two frames: the editor wraps what an extension shows
  const chat = page
    .frameLocator('iframe.webview.ready[src*="extensionId=unloop"]')
    .frameLocator('iframe#active-frame')
  const input = page.locator('.quick-input-widget input')

  async function runFromPalette(title: string) {
    // by the whole name: others may begin like it
    const escaped = title.replace(/[.()]/g, '\\$&')
    const names = page.locator('.quick-input-list .label-name')
    const name = names.filter({ hasText: new RegExp(`^${escaped}$`) })
    const written = async () =>
      (await input.isVisible()) ? input.inputValue(ONE_TRY).catch(ignore) : undefined
    const isTaken = async () => (await written()) !== `>${title}`
    let isKnownAt = Number.POSITIVE_INFINITY
    // a page that is just being opened takes the key, or the focus, and the palette is closed again
    await until(`the palette takes the command: ${title}`, async () => {
      if (!(await input.isVisible())) await page.keyboard.press('F1')
      else if (await isTaken()) {
        await input.fill(`>${title}`, ONE_TRY).catch(ignore)
        isKnownAt = Date.now() + PATIENCE_MS
      } else if (await name.isVisible()) {
        if (await name.click(ONE_TRY).then(() => true, isClicked)) {
          return until('the palette is gone', isTaken, PATIENCE_MS).catch(() => false)
        }
      } else if (Date.now() > isKnownAt) {
        // the list of something else, which knows no commands
        await input.press('Escape', ONE_TRY).catch(ignore)
      }
      return false
    })
  }

  /** Closes what is open above the page. */
  async function dismiss() {
    const above = page.locator('[role=menu]:visible, .monaco-dialog-box:visible')
    await until('nothing is open above the page', async () => {
      if (await input.isVisible()) await input.press('Escape', ONE_TRY).catch(ignore)
      else if ((await above.count()) > 0) await page.keyboard.press('Escape')
      else return true
      return false
    })
  }

  const bench: Workbench = {
    page,
    chat,
    dismiss,
    chatFrame: () =>
      until('the frame of the chat', async () => {
        for (const frame of page.frames()) {
          const isChat = await frame
            .locator('#items')
            .count()
            .catch(() => 0)
          if (isChat) return frame
        }
      }),
    async load() {
      if (language) {
        const cookie = { name: 'vscode.nls.locale', value: language, url }
        await page.context().addCookies([cookie])
      }
      await page.goto(`${url}/?folder=${encodeURIComponent(folder)}`)
      await page.locator('.statusbar-item', { hasText: 'unloop' }).waitFor()
    },
    async openChat() {
      // a chat that another window has open can be read only
      await bench.press(
        'Control+Alt+Shift+u',
        chat.locator('textarea:focus, .reading:visible').first(),
      )
    },
    async hideChat() {
      await bench.press('Control+Shift+E', page.locator('.explorer-folders-view'))
      await chat.locator('textarea').waitFor({ state: 'hidden' })
      // the extension answers what it is asked in turn
      await bench.choicesOf("unloop: Set the guard's mode in this chat…", 'Mode of the guard')
    },
    async newChat() {
      await dismiss()
      await until('the new chat is shown', async () => {
        await bench.command('unloop: New chat')
        return isSeen(chat.getByText('If it gets stuck, it is stopped'))
      })
    },
    async fold(view, isOpen) {
      const header = page.getByRole('button', { name: `${view} Section` })
      await until(`the view ${view} is ${isOpen ? 'open' : 'folded'}`, async () => {
        if ((await header.getAttribute('aria-expanded')) === String(isOpen)) return true
        await header.click(ONE_TRY).catch(ignore)
        return false
      })
    },
    async press(keys, effect) {
      await until(`${keys} has its effect`, async () => {
        await page.keyboard.press(keys)
        return isSeen(effect)
      })
    },
    async openFile(name) {
      const row = page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first()
      // a window that was just opened has not found its files yet, and may take the focus from the list
      await until('the file is open', async () => {
        if (await page.locator('.tab.active', { hasText: name }).isVisible()) return true
        if (!(await input.isVisible())) await page.keyboard.press('Control+P')
        else if ((await input.inputValue()) !== name) await input.fill(name, ONE_TRY).catch(ignore)
        else if (await row.isVisible()) await row.click(ONE_TRY).catch(ignore)
        // the list is not searched again by itself
        else await input.fill('', ONE_TRY).catch(ignore)
        return false
      })
      if (await input.isVisible()) await page.keyboard.press('Escape')
    },
    async command(title, choice) {
      await runFromPalette(title)
      if (choice) await page.locator('.quick-input-list').getByText(choice).click()
      await input.waitFor({ state: 'hidden' })
    },
    async choicesOf(title, listTitle) {
      await runFromPalette(title)
      await page.locator('.quick-input-title', { hasText: listTitle }).waitFor()
      const names = page.locator('.quick-input-list .label-name')
      await names.first().waitFor()
      const choices = await names.allTextContents()
      await page.keyboard.press('Escape')
      await input.waitFor({ state: 'hidden' })
      return choices
    },
    async answer(title, text) {
      // the box before it has the same elements
      await page.locator('.quick-input-title', { hasText: title }).waitFor()
      await until('it is written', async () => {
        await input.fill(text)
        return (await input.inputValue()) === text
      })
      await input.press('Enter')
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
    statusSays: (text, isSaid = true) =>
      until(`the status bar ${isSaid ? 'says' : 'does not say'}: ${text}`, async () => {
        const item = page.locator('#unloop\\.unloop-vscode\\.unloop\\.status a')
        return ((await item.getAttribute('aria-label')) ?? '').includes(text) === isSaid
      }),
    toasts: () => page.locator('.notification-toast').count(),
    clearToasts: () =>
      until('no message is left', async () => {
        await bench.command('Notifications: Clear All Notifications')
        const isGone = async () => (await bench.toasts()) === 0
        return until('no message is left', isGone, PATIENCE_MS).catch(() => false)
      }).then(ignore),
    toast: (text) => page.locator('.notification-toast', { hasText: text }),
    async widen(width) {
      const bar = page.locator('.part.sidebar')
      let isMoved = false
      await until('the side bar has another width', async () => {
        const { x = 0, width: before = 0 } = (await bar.boundingBox()) ?? {}
        if (isMoved && Math.abs(before - width) < 30) return true
        await page.mouse.move(x + before, 300)
        await page.mouse.down()
        await page.mouse.move(x + width, 300, { steps: 5 })
        await page.mouse.up()
        isMoved = true
        return false
      })
    },
    async picture(name, { clip, forReadme = false } = {}) {
      mkdirSync(artefacts, { recursive: true })
      const path = join(artefacts, `${name}.png`)
      await page.waitForFunction(NOTHING_MOVES)
      await page.screenshot({ path, ...(clip && { clip }) })
      if (forReadme && process.env.UNLOOP_PICTURES) copyFileSync(path, join(images, `${name}.png`))
    },
    async close() {
      await browser.close()
      await browserServer.close()
    },
    kill: () => browserServer.kill(),
  }
  return bench
}

/** A browser without a window. */
export const launchBrowser = (): Promise<Browser> => chromium.launch(launchOptions())

const launchOptions = () => ({
  executablePath: process.env.UNLOOP_CHROMIUM || findChromium(),
  args: CHROMIUM_FLAGS,
})

const findChromium = () =>
  execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim()

/** The part of a picture to keep. */
type Clip = { x: number; y: number; width: number; height: number }

// what is tried again needs no patience
const ONE_TRY = { timeout: 2000 }

const ignore = () => {}

// what usually comes at once is asked for again after this
const PATIENCE_MS = 15_000

const isSeen = (locator: Locator) =>
  locator.waitFor({ timeout: PATIENCE_MS }).then(
    () => true,
    () => false,
  )

/** Whether a click that was given up had been made: it must not be made twice. */
const isClicked = (error: Error) => error.message.includes('performing click action')

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

import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { inEnglish } from 'unloop/words'
import type { FromView, ToView } from '../src/protocol.js'
import { viewWords } from '../src/view-words.js'
import { LIMIT_MS } from './until.js'
import { launchBrowser } from './workbench.js'

/** The page of the chat in a browser, with the test in place of the host. */
export interface ViewPage {
  page: Page
  post(...messages: ToView[]): Promise<void>
  /** What the page has told the host so far. */
  told<Type extends FromView['type']>(type: Type): Promise<(FromView & { type: Type })[]>
  /** Forgets what was told. */
  forget(): Promise<void>
  close(): Promise<void>
}

/** Opens the page as it is in the sources. */
export async function openViewPage(): Promise<ViewPage> {
  const browser: Browser = await launchBrowser()
  const page = await browser.newPage({ viewport: { width: 400, height: 700 } })
  page.setDefaultTimeout(LIMIT_MS)
  await page.setContent('<!DOCTYPE html><html lang="en"><body></body></html>')
  await page.evaluate(
    'window.told = []; window.acquireVsCodeApi = () => ({ postMessage: (message) => told.push(message), getState() {}, setState() {} })',
  )
  await page.addStyleTag({ path: fileURLToPath(new URL('../view/view.css', import.meta.url)) })
  await page.addScriptTag({ content: await bundle() })
  const post = async (...messages: ToView[]) => {
    for (const data of messages) {
      await page.evaluate(
        `dispatchEvent(new MessageEvent('message', { data: ${JSON.stringify(data)} }))`,
      )
    }
  }
  await post({ type: 'start', words: viewWords(inEnglish) })
  return {
    page,
    post,
    told: async (type) =>
      (await page.evaluate<(FromView & { type: typeof type })[]>('told')).filter(
        (message) => message.type === type,
      ),
    forget: () => page.evaluate('told.length = 0'),
    close: () => browser.close(),
  }
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../view/main.ts', import.meta.url))],
    ...{ bundle: true, write: false, format: 'iife', target: 'es2022' },
  })
  return outputFiles[0]?.text ?? ''
}

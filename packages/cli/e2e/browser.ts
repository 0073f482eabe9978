import { type Browser, chromium } from 'playwright-core'

/** A browser without a window that does nothing on its own. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.UNLOOP_CHROMIUM || '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

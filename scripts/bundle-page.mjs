// Puts the script and the style of each page into one file: packages/cli/dist/report-page.js and report-page.css, which `unloop scan` writes
// into the report, and packages/gateway/dist/page, which `unloop gateway` serves.
import { copyFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const cli = fileURLToPath(new URL('../packages/cli/', import.meta.url))
const gateway = fileURLToPath(new URL('../packages/gateway/', import.meta.url))

const options = {
  bundle: true,
  minify: true,
  charset: 'utf8',
  platform: 'browser',
  format: 'iife',
  target: ['es2022', 'chrome109', 'firefox115', 'safari16'],
  legalComments: 'none',
}
await build({
  ...options,
  entryPoints: [
    { in: `${cli}dist/scan/formats/html/page/main.js`, out: 'report-page' },
    { in: `${cli}src/scan/formats/html/style.css`, out: 'report-page' },
  ],
  outdir: `${cli}dist`,
})
await build({
  ...options,
  entryPoints: [
    { in: `${gateway}page/main.ts`, out: 'page' },
    { in: `${gateway}page/style.css`, out: 'page' },
  ],
  outdir: `${gateway}dist/page`,
})
copyFileSync(`${gateway}page/index.html`, `${gateway}dist/page/index.html`)

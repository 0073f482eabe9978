// Puts the script and the style of the HTML report into one file each, packages/cli/dist/report-page.js and report-page.css, which `unloop scan` writes into the report.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const cli = fileURLToPath(new URL('../packages/cli/', import.meta.url))
await build({
  entryPoints: [
    { in: `${cli}dist/scan/formats/html/page/main.js`, out: 'report-page' },
    { in: `${cli}src/scan/formats/html/style.css`, out: 'report-page' },
  ],
  outdir: `${cli}dist`,
  bundle: true,
  minify: true,
  charset: 'utf8',
  platform: 'browser',
  format: 'iife',
  target: ['es2022', 'chrome109', 'firefox115', 'safari16'],
  legalComments: 'none',
})

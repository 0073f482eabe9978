// Puts `unloop hook` into one file, packages/cli/dist/hook.cjs: it runs for every call of an agent, and one file loads fastest.
import { renameSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const dist = fileURLToPath(new URL('../packages/cli/dist/', import.meta.url))
// a hook may start at any moment, and must not find half of the file
const draft = `${dist}hook.${process.pid}.cjs`
await build({
  entryPoints: [`${dist}hook/main.js`],
  outfile: draft,
  bundle: true,
  minify: true,
  platform: 'node',
  // CommonJS starts faster than modules
  format: 'cjs',
  target: 'node20.19',
})
renameSync(draft, `${dist}hook.cjs`)

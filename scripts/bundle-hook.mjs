// Puts `unloop hook` into one file, packages/cli/dist/hook.cjs: it runs for every call of an agent, and one file loads fastest.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const dist = fileURLToPath(new URL('../packages/cli/dist/', import.meta.url))
await build({
  entryPoints: [`${dist}hook/main.js`],
  outfile: `${dist}hook.cjs`,
  bundle: true,
  minify: true,
  platform: 'node',
  // CommonJS starts faster than modules
  format: 'cjs',
  target: 'node20.19',
})

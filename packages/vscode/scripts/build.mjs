// Bundles the extension into dist: extension.cjs is loaded at start; engine.mjs and what it imports, when a message is
// sent; view.js and view.css, by the chat. THIRD-PARTY.txt has the licenses of the packages in them.
//   --minify    smaller, without source maps, as it is published
import { rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { thirdPartyNotice } from './third-party.mjs'

const folder = fileURLToPath(new URL('..', import.meta.url))
const minify = process.argv.includes('--minify')
const common = {
  absWorkingDir: folder,
  bundle: true,
  minify,
  sourcemap: minify ? false : 'linked',
  logLevel: 'warning',
  metafile: true,
  target: 'es2022',
}
const node = { ...common, platform: 'node', target: 'node20' }

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
const results = await Promise.all([
  build({
    ...node,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.cjs',
    format: 'cjs',
    external: ['vscode'],
    plugins: [apart('engine'), apart('watcher')],
  }),
  build({
    ...node,
    entryPoints: { engine: 'src/engine.ts', watcher: 'src/watcher.ts' },
    outdir: 'dist',
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    outExtension: { '.js': '.mjs' },
    // some of what is bundled calls require, which a module has not
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  }),
  build({
    ...common,
    entryPoints: { view: 'view/main.ts' },
    outdir: 'dist',
    format: 'iife',
    platform: 'browser',
  }),
  build({ ...common, entryPoints: ['view/view.css'], outdir: 'dist' }),
])

const notice = thirdPartyNotice(
  results.map(({ metafile }) => metafile),
  folder,
)
writeFileSync(new URL('../dist/THIRD-PARTY.txt', import.meta.url), notice)

const missing = results
  .flatMap(({ metafile }) => Object.values(metafile.outputs))
  .flatMap(({ imports }) => imports)
  .filter(({ external, path }) => external && !isThere(path))
if (missing.length > 0) {
  console.error(`these are not bundled: ${missing.map(({ path }) => path).join(', ')}`)
  process.exit(1)
}

/** What a bundle may import: Node, the editor, and our own files. */
function isThere(path) {
  return isBuiltin(path) || path === 'vscode' || /^\.\/\w+\.mjs$/.test(path)
}

/** Leaves the import of a module to run time, where it is a file of its own. */
function apart(name) {
  return {
    name: `apart-${name}`,
    setup({ onResolve }) {
      onResolve({ filter: new RegExp(`/${name}\\.js$`) }, () => ({
        path: `./${name}.mjs`,
        external: true,
      }))
    },
  }
}

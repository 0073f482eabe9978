// What an import costs: each entry bundled and minified by esbuild, compressed by brotli.
// "On top" is what a subpath adds to `import 'unloop'`; size-limit cannot say that.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { build } from 'esbuild'

// docs/decisions/2026-11-15-import-size.md says why it is not the 20 KB of the plan
const budgets = { unloop: 40.5 * 1024, onTop: 4.5 * 1024 }

const ADAPTERS =
  `ai-sdk anthropic claude-agent google langchain mastra mcp openai openai-agents otel`.split(' ')
// a subpath that is made of others is measured on top of them
const BESIDE = {
  'unloop/service': ['unloop/judge', 'unloop/presets'],
  'unloop/wire': ['unloop/openai', 'unloop/anthropic', 'unloop/google'],
  ...Object.fromEntries(ADAPTERS.map((name) => [`unloop/${name}`, ['unloop/host']])),
}

const BEGINNINGS = 15
const compress = promisify(brotliCompress)

const core = await sizeOf(['unloop'])
const rows = [['unloop', core, budgets.unloop]]
for (const entry of subpaths()) {
  const below = ['unloop', ...(BESIDE[entry] ?? [])]
  const added = (await sizeOf([...below, entry])) - (await sizeOf(below))
  rows.push([`${entry}, on top`, added, budgets.onTop])
}
for (const [name, bytes, limit] of rows) {
  console.log(`${bytes <= limit ? 'ok    ' : 'FAILED'} ${name}: ${bytes} of ${limit} bytes brotli`)
}
process.exitCode = rows.some(([, bytes, limit]) => bytes > limit) ? 1 : 0

async function sizeOf(entries) {
  const { outputFiles } = await build({
    stdin: {
      contents: entries.map((entry, i) => `export * as e${i} from '${entry}'`).join('\n'),
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  })
  // where brotli cuts its blocks moves the size by dozens of bytes, and a byte in front of the code moves the cuts: the
  // median of several beginnings does not change with every word somewhere else
  const compressed = Array.from({ length: BEGINNINGS }, (_, count) =>
    compress(Buffer.concat([Buffer.from(';'.repeat(count)), outputFiles[0].contents])),
  )
  const sizes = (await Promise.all(compressed)).map(({ length }) => length)
  return sizes.sort((a, b) => a - b)[(BEGINNINGS - 1) / 2]
}

function subpaths() {
  const manifest = new URL('../packages/unloop/package.json', import.meta.url)
  return Object.keys(JSON.parse(readFileSync(manifest, 'utf8')).exports)
    .filter((path) => path !== '.' && !path.endsWith('.json'))
    .map((path) => path.replace('.', 'unloop'))
}

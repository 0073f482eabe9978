// What an import costs: each entry bundled and minified by esbuild, compressed by brotli.
// "On top" is what a subpath adds to `import 'unloop'`; size-limit cannot say that.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { build } from 'esbuild'

// docs/decisions/2026-11-15-import-size.md says what the core is made of
const budgets = { unloop: 50 * 1024, onTop: 6 * 1024, 'unloop/judge': 8 * 1024 }

const ADAPTERS =
  `ai-sdk anthropic claude-agent google langchain mastra mcp openai openai-agents otel`.split(' ')
// a subpath that is made of others is measured on top of them
const BESIDE = {
  'unloop/service': ['unloop/judge', 'unloop/presets'],
  'unloop/wire': ['unloop/openai', 'unloop/anthropic', 'unloop/google'],
  ...Object.fromEntries(ADAPTERS.map((name) => [`unloop/${name}`, ['unloop/host']])),
}

const BEGINNINGS = 8

const compress = promisify(brotliCompress)
const sizes = new Map()

const rows = await Promise.all([
  sizeOf(['unloop']).then((core) => ['unloop', core, budgets.unloop]),
  ...subpaths().map(async (entry) => {
    const below = ['unloop', ...(BESIDE[entry] ?? [])]
    const [whole, base] = await Promise.all([sizeOf([...below, entry]), sizeOf(below)])
    return [`${entry}, on top`, whole - base, budgets[entry] ?? budgets.onTop]
  }),
])
for (const [name, bytes, limit] of rows) {
  console.log(`${bytes <= limit ? 'ok    ' : 'FAILED'} ${name}: ${bytes} of ${limit} bytes brotli`)
}
process.exitCode = rows.some(([, bytes, limit]) => bytes > limit) ? 1 : 0

/** What is imported several times is compressed once: that takes a fifth of a second. */
function sizeOf(entries) {
  const key = `${entries}`
  if (!sizes.has(key)) sizes.set(key, measure(entries))
  return sizes.get(key)
}

async function measure(entries) {
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
  // mean of several beginnings does not change with every word somewhere else
  const compressed = Array.from({ length: BEGINNINGS }, (_, count) =>
    compress(Buffer.concat([Buffer.from(';'.repeat(count)), outputFiles[0].contents])),
  )
  const lengths = (await Promise.all(compressed)).map(({ length }) => length)
  return Math.round(lengths.reduce((sum, length) => sum + length) / BEGINNINGS)
}

function subpaths() {
  const manifest = new URL('../packages/unloop/package.json', import.meta.url)
  return Object.keys(JSON.parse(readFileSync(manifest, 'utf8')).exports)
    .filter((path) => path !== '.' && !path.endsWith('.json'))
    .map((path) => path.replace('.', 'unloop'))
}

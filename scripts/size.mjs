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

const compress = promisify(brotliCompress)
const sizes = new Map()

const rows = await Promise.all([
  sizeOf(['unloop'], 5).then((core) => ['unloop', core, budgets.unloop]),
  ...subpaths().map(async (entry) => {
    const below = ['unloop', ...(BESIDE[entry] ?? [])]
    // many are measured on top of the same few, whose size has to be the more certain
    const [whole, base] = await Promise.all([sizeOf([...below, entry], 3), sizeOf(below, 5)])
    return [`${entry}, on top`, whole - base, budgets[entry] ?? budgets.onTop]
  }),
])
for (const [name, bytes, limit] of rows) {
  console.log(`${bytes <= limit ? 'ok    ' : 'FAILED'} ${name}: ${bytes} of ${limit} bytes brotli`)
}
process.exitCode = rows.some(([, bytes, limit]) => bytes > limit) ? 1 : 0

/** What is imported several times is compressed once: that takes a fifth of a second. */
function sizeOf(entries, beginnings) {
  const key = `${entries} ${beginnings}`
  if (!sizes.has(key)) sizes.set(key, measure(entries, beginnings))
  return sizes.get(key)
}

async function measure(entries, beginnings) {
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
  const compressed = Array.from({ length: beginnings }, (_, count) =>
    compress(Buffer.concat([Buffer.from(';'.repeat(count)), outputFiles[0].contents])),
  )
  const lengths = (await Promise.all(compressed)).map(({ length }) => length)
  return lengths.sort((a, b) => a - b)[(beginnings - 1) / 2]
}

function subpaths() {
  const manifest = new URL('../packages/unloop/package.json', import.meta.url)
  return Object.keys(JSON.parse(readFileSync(manifest, 'utf8')).exports)
    .filter((path) => path !== '.' && !path.endsWith('.json'))
    .map((path) => path.replace('.', 'unloop'))
}

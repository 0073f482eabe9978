import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'

export interface ImportSize {
  /** what the user writes after `import` */
  path: string
  bytes: number
  /** minified and brotli */
  compressedBytes: number
  /** what it adds to a program that already imports `unloop`; the same as above for `unloop` itself */
  onTopBytes: number
}

/** The size of `unloop` and of each of its other entries, bundled alone. */
export async function measureImports(): Promise<ImportSize[]> {
  const main = await bundle(['unloop'])
  const sizes = [{ path: 'unloop', ...main, onTopBytes: main.compressedBytes }]
  for (const path of await otherEntries()) {
    const both = await bundle(['unloop', path])
    const alone = await bundle([path])
    sizes.push({ path, ...alone, onTopBytes: both.compressedBytes - main.compressedBytes })
  }
  return sizes
}

async function otherEntries(): Promise<string[]> {
  const manifest = createRequire(import.meta.url).resolve('unloop/package.json')
  const { exports } = JSON.parse(await readFile(manifest, 'utf8'))
  return Object.keys(exports)
    .filter((entry) => entry !== '.' && !entry.endsWith('.json') && !entry.includes('*'))
    .map((entry) => `unloop${entry.slice(1)}`)
}

async function bundle(
  paths: readonly string[],
): Promise<{ bytes: number; compressedBytes: number }> {
  // one name each, so that two entries with the same export do not clash
  const contents = paths
    .map((path, index) => `export * as entry${index} from ${JSON.stringify(path)}`)
    .join('\n')
  const result = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    mainFields: ['module', 'main'],
    conditions: ['import', 'default'],
    logLevel: 'silent',
  })
  const code = result.outputFiles[0]?.contents ?? new Uint8Array()
  return { bytes: code.length, compressedBytes: brotliCompressSync(code).length }
}

import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { UsageError } from '../exit-code.js'
import type { Config } from './config.js'
import type { ConfigFile } from './find.js'
import { parseJson } from './parse-json.js'

/** What a configuration says. One that is code runs here, so it has to be trusted before. */
export async function readConfig({ path, content, isCode }: ConfigFile): Promise<Config> {
  const value = isCode ? await importDefault(path, content) : parseJson(path, content)
  // the schema takes time to build, and most runs have no configuration
  const { checkConfig } = await import('./check.js')
  return checkConfig(value, path)
}

async function importDefault(path: string, content: Buffer): Promise<unknown> {
  if (!readFileSync(path).equals(content)) {
    throw new UsageError(`${path} has just changed; try again`)
  }
  try {
    if (/\.m?js$/.test(path)) return (await import(pathToFileURL(path).href)).default
    const { createJiti } = await import('jiti')
    // so that a file anywhere finds defineConfig and the detectors of this very installation
    const alias = {
      '@unloop/cli': fileURLToPath(new URL('../index.js', import.meta.url)),
      'unloop/presets': fileURLToPath(import.meta.resolve('unloop/presets')),
      unloop: fileURLToPath(import.meta.resolve('unloop')),
    }
    return await createJiti(import.meta.url, { alias, fsCache: false }).import(path, {
      default: true,
    })
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

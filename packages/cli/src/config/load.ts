import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, extname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import type { Config } from './config.js'

/** A configuration, and the file it was read from. */
export interface LoadedConfig {
  config: Config
  path?: string
}

const NAMES = ['json', 'ts', 'mts', 'js', 'mjs'].map((end) => `unloop.config.${end}`)

/**
 * The configuration that holds here: the file given, else the first one found from the working directory
 * upwards, not above the home directory.
 */
export async function loadConfig(host: Host, given?: string): Promise<LoadedConfig> {
  const path = given === undefined ? findConfig(host) : resolve(host.cwd(), given)
  if (path === undefined) return { config: {} }
  if (!existsSync(path)) throw new UsageError(`there is no configuration file ${path}`)
  const value = extname(path) === '.json' ? readJson(path) : await importDefault(path)
  // the schema takes time to build, and most runs have no configuration
  const { checkConfig } = await import('./check.js')
  return { config: checkConfig(value, path), path }
}

function findConfig(host: Host): string | undefined {
  const home = host.env.HOME ?? homedir()
  for (let folder = resolve(host.cwd()); ; folder = dirname(folder)) {
    const path = NAMES.map((name) => join(folder, name)).find(existsSync)
    if (path !== undefined) return path
    if (folder === home || folder === dirname(folder)) return
  }
}

/** What a file in JSON says; throws a `UsageError` if it is none. */
export function readJson(path: string): unknown {
  try {
    // some editors begin a file with a mark of its encoding
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''))
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

async function importDefault(path: string): Promise<unknown> {
  try {
    if (/\.m?js$/.test(path)) return (await import(pathToFileURL(path).href)).default
    const { createJiti } = await import('jiti')
    // so that a file anywhere finds defineConfig and the detectors of this very installation
    const alias = {
      '@unloop/cli': fileURLToPath(new URL('../index.js', import.meta.url)),
      unloop: fileURLToPath(import.meta.resolve('unloop')),
    }
    return await createJiti(import.meta.url, { alias, fsCache: false }).import(path, {
      default: true,
    })
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

import { readFile } from 'node:fs/promises'
import { LineCounter, parseDocument } from 'yaml'
import { type Config, ConfigError, toConfig } from './config.js'

/** Reads a configuration file, YAML or JSON, with what the command line adds to it; throws a `ConfigError`. */
export async function readConfig(
  path: string,
  added: Record<string, unknown> = {},
): Promise<Config> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new ConfigError(`${path} cannot be read: ${error.message}`)
  })
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [problem] = document.errors
  if (problem) {
    const { line, col } = lines.linePos(problem.pos[0])
    throw new ConfigError(`${path}:${line}:${col}: ${problem.message}`)
  }
  try {
    return toConfig(merge(document.toJS({ maxAliasCount: 100 }), added))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError(`${path} is not a valid configuration:\n${error.message}`)
  }
}

/** What the file says, with what the command line says in its place; a port there does not change the host here. */
function merge(file: unknown, added: Record<string, unknown>): unknown {
  if (!isRecord(file)) return file ?? added
  const merged: Record<string, unknown> = { ...file, ...added }
  for (const part of ['listen', 'admin'])
    if (isRecord(file[part]) && isRecord(added[part]))
      merged[part] = { ...file[part], ...added[part] }
  return merged
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

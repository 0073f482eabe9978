import {
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { extname } from 'node:path'
import { checkConfig } from '../config/check.js'
import { parseJson } from '../config/parse-json.js'
import { UsageError } from '../exit-code.js'

export interface Limit {
  detector: string
  option: string
  value: number
}

type Json = Record<string, unknown>

/** What is in the configuration that is to be written to; throws if it cannot be added to. */
export function readTarget(path: string): Json {
  if (extname(path) !== '.json') {
    throw new UsageError(`${path} is not JSON, so it was not changed; pass a JSON file to --write`)
  }
  if (!existsSync(path)) return {}
  const config = parseJson(path, readFileSync(path))
  checkConfig(config, path)
  return config as Json
}

/** Puts limits into a configuration in JSON; all else that is in it stays as and where it is. */
export function writeLimits(path: string, limits: readonly Limit[]): void {
  const before = readTarget(path)
  const after = { ...before, detectors: withLimits(before.detectors as Json | undefined, limits) }
  checkConfig(after, path)
  const target = existsSync(path) ? realpathSync(path) : path
  const draft = `${target}.${process.pid}.tmp`
  try {
    const mode = existsSync(target) ? statSync(target).mode : 0o666
    writeFileSync(draft, `${JSON.stringify(after, null, 2)}\n`, { mode })
    renameSync(draft, target)
  } catch (error) {
    throw new UsageError(`cannot write the configuration: ${(error as Error).message}`)
  }
}

/** Settings by name with these limits in them; all others stay. */
export function withLimits(before: Json | undefined, limits: readonly Limit[]): Json {
  const detectors = { ...before }
  for (const { detector, option, value } of limits) {
    const known = detectors[detector]
    detectors[detector] = { ...(typeof known === 'object' ? known : {}), [option]: value }
  }
  return detectors
}

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { checkConfig } from '../config/check.js'
import type { Config } from '../config/config.js'
import { UsageError } from '../exit-code.js'

export interface Limit {
  detector: string
  option: string
  value: number
}

/** Puts limits into a configuration in JSON; all else that is in it stays. */
export function writeLimits(path: string, limits: readonly Limit[]): void {
  if (extname(path) !== '.json') {
    throw new UsageError(
      `${path} is not JSON, so it is left alone; put this into it: ${JSON.stringify({ detectors: toDetectors({}, limits) })}`,
    )
  }
  const before = existsSync(path) ? checkConfig(JSON.parse(readFileSync(path, 'utf8')), path) : {}
  if (Array.isArray(before.detectors))
    throw new UsageError(`${path} has a list of detectors, so it is left alone`)
  const after = { ...before, detectors: toDetectors(before, limits) }
  checkConfig(after, path)
  const draft = `${path}.${process.pid}.tmp`
  writeFileSync(draft, `${JSON.stringify(after, null, 2)}\n`)
  renameSync(draft, path)
}

function toDetectors(before: Config, limits: readonly Limit[]): Record<string, unknown> {
  const detectors: Record<string, unknown> = { ...(before.detectors as Record<string, unknown>) }
  for (const { detector, option, value } of limits) {
    const known = detectors[detector]
    detectors[detector] = { ...(typeof known === 'object' ? known : {}), [option]: value }
  }
  return detectors
}

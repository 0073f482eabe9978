// The adapters' own suites, on the newest and the oldest versions that their pages name.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { findSdk } from './sdks.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
// the newest want it
const node24 = join(findSdk('mastra').folder, 'node_modules/node/bin/node')

/** Runs the tests of adapters in a process of its own, with the SDKs of a set of scripts/setup-sdks.mjs. */
async function runSuites(set: string, node: string, ...adapters: string[]) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const config = ['--config', 'vitest.sdks.config.ts', '--mode', set]
  const folders = adapters.map((adapter) => `packages/unloop/src/adapters/${adapter}/`)
  const args = [vitest, 'run', ...config, ...folders]
  const options = { cwd: root, maxBuffer: 64 << 20 }
  const { stdout } = await promisify(execFile)(node, args, options).catch(({ stdout, stderr }) => {
    throw new Error(`${stdout}${stderr}`)
  })
  expect(stdout).toMatch(/Tests .*passed/)
}

const MINUTES = 60_000

it.each(['ai-sdk', 'anthropic', 'google', 'mcp', 'openai', 'otel'])(
  '%s works with the newest version',
  (adapter) => runSuites('newest', node24, adapter),
  10 * MINUTES,
)

it(
  'google, mcp, openai and otel work with the oldest version',
  () => runSuites('oldest', process.execPath, 'google', 'mcp', 'openai', 'otel'),
  10 * MINUTES,
)

it(
  'anthropic works with the oldest version',
  () => runSuites('oldest-zod4', process.execPath, 'anthropic'),
  10 * MINUTES,
)

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { findSdk } from './sdks.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const sdk = findSdk('mastra')
const node = join(sdk.folder, 'node_modules/node/bin/node')

it('has the types of the SDK', () => sdk.checkTypes('mastra'))

it('does what the example says', async () => {
  expect(await sdk.runExample('mastra', node)).toContain('stop: read_file was called')
})

it('passes its suite on the Node that it wants', async () => {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--config', 'vitest.e2e.config.ts', '--mode', 'node24', 'mastra']
  const { stdout } = await promisify(execFile)(node, args, {
    cwd: root,
    maxBuffer: 64 << 20,
  }).catch(({ stdout, stderr }) => {
    throw new Error(`${stdout}${stderr}`)
  })
  expect(stdout).toMatch(/Tests .*passed/)
})

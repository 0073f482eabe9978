import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { makeFolder, type TemporaryFolder } from '@unloop/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Lab, openLab } from './lab.js'
import { fillProject, readRan } from './scenarios.js'

const script = fileURLToPath(new URL('../../../../scripts/build-plugins.mjs', import.meta.url))
let plugins: TemporaryFolder

beforeAll(async () => {
  plugins = await makeFolder()
  execFileSync(process.execPath, [script, plugins.path])
})
afterAll(() => plugins.remove())

// two calls in turn, which no agent notices by itself as early
const wishes = (turn: number) =>
  turn < 20 ? [turn % 2 ? './look missing.txt' : './look nothing.txt'] : 'Ok.'

describe('a loop is stopped', () => {
  test('by the Claude Code plugin', async () => {
    await using lab = await openLab('claude-code', wishes)
    await fillProject(lab)
    await lab.run('Find the file', ['--plugin-dir', join(plugins.path, 'claude-code')])
    await expectStopped(lab)
  })

  test('by the Gemini CLI extension', async () => {
    await using lab = await openLab('gemini-cli', wishes)
    await fillProject(lab)
    const from = join(plugins.path, 'gemini-cli')
    const install = lab.spawn(['extensions', 'install', from, '--consent', '--skip-settings'])
    // it asks whether to trust the folder
    install.stdin?.end('y\n')
    install.stdout?.resume()
    install.stderr?.resume()
    expect(await once(install, 'close')).toEqual([0, null])
    await lab.run('Find the file')
    await expectStopped(lab)
  })

  test('by the opencode plugin', async () => {
    await using lab = await openLab('opencode', wishes)
    await fillProject(lab)
    const file = join(lab.home, '.config/opencode/opencode.json')
    const plugin = [pathToFileURL(join(plugins.path, 'opencode')).href]
    const settings = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(file, JSON.stringify({ ...settings, plugin }))
    await lab.run('Find the file')
    await expectStopped(lab)
  })
})

async function expectStopped(lab: Lab): Promise<void> {
  const ran = await readRan(lab)
  expect(ran.length).toBeGreaterThan(1)
  expect(ran.length).toBeLessThanOrEqual(9)
  expect(lab.turns().length).toBeLessThan(20)
}

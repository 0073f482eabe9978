import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentNames } from './agents.js'
import { openLab } from './lab.js'

describe.concurrent.each(agentNames)('%s', (name) => {
  test('unloop init --remove restores every file byte for byte', async () => {
    await using lab = await openLab(name, () => 'Ok.')
    const before = await filesIn(lab.home)
    expect(await lab.unloop('init', name, '--yes')).toMatchObject({ code: 0 })
    expect(await filesIn(lab.home)).not.toEqual(before)
    expect(await lab.unloop('init', name, '--remove', '--yes')).toMatchObject({ code: 0 })
    expect(await filesIn(lab.home)).toEqual(before)
  })
})

/** All files, but for what an agent links from its cache and our own state. */
async function filesIn(home: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const path of await readdir(home, { recursive: true })) {
    if (/node_modules|^\.local\/state\/unloop/.test(path)) continue
    if ((await stat(join(home, path))).isFile())
      files[path] = await readFile(join(home, path), 'latin1')
  }
  return files
}

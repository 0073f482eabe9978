import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder } from '../../test/host.js'
import { findConfig } from './find.js'

const find = (cwd: string) => findConfig({ env: { HOME: emptyFolder() }, cwd: () => cwd })?.path

describe('the search for a configuration', () => {
  it('ends at the root of the repository', () => {
    const above = emptyFolder()
    const inside = join(above, 'repository', 'src')
    mkdirSync(inside, { recursive: true })
    const path = join(above, 'unloop.config.json')
    writeFileSync(path, '{}')
    expect(find(inside)).toBe(path)
    mkdirSync(join(above, 'repository', '.git'))
    expect(find(inside)).toBeUndefined()
  })

  it('skips a file of another user', () => {
    // only root can give a file away
    if (process.getuid?.() !== 0) return
    const folder = emptyFolder()
    const path = join(folder, 'unloop.config.json')
    writeFileSync(path, '{}')
    expect(find(folder)).toBe(path)
    chownSync(path, 12345, 12345)
    expect(find(folder)).toBeUndefined()
  })
})

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isOfWorkspace } from './of-workspace.js'

it.each([
  ['/srv/shop', true],
  ['/srv/shop/packages/api', true],
  ['/srv/shopping', false],
  ['/srv', false],
  ['/srv/shop/../other', false],
  ['shop', false],
  [createHash('sha256').update('/srv/shop').digest('hex'), true],
  [createHash('sha256').update('/srv/other').digest('hex'), false],
])('%s is of the workspace: %s', (project, expected) => {
  expect(isOfWorkspace(project, ['/elsewhere', '/srv/shop'])).toBe(expected)
})

it('follows links', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unloop-link-'))
  mkdirSync(join(folder, 'real/src'), { recursive: true })
  symlinkSync(join(folder, 'real'), join(folder, 'link'))
  expect(isOfWorkspace(join(folder, 'real/src'), [join(folder, 'link')])).toBe(true)
  expect(isOfWorkspace(join(folder, 'link/src'), [join(folder, 'real')])).toBe(true)
  rmSync(folder, { recursive: true })
})

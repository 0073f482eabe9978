import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findWorkspaceFile } from './workspace-file.js'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'unloop-files-'))
  mkdirSync(join(home, 'shop/src'), { recursive: true })
  writeFileSync(join(home, 'shop/src/a.ts'), '')
  writeFileSync(join(home, 'secret.txt'), '')
  symlinkSync(join(home, 'secret.txt'), join(home, 'shop/link.txt'))
})
afterEach(() => rmSync(home, { recursive: true }))

const find = (word: string) => findWorkspaceFile([{ name: 'shop', path: join(home, 'shop') }], word)

it('finds a file of the workspace and its line', async () => {
  expect(await find('src/a.ts')).toEqual({ path: join(home, 'shop/src/a.ts'), line: 1 })
  expect(await find('./src/a.ts:12')).toMatchObject({ line: 12 })
})

it.each([
  'src/b.ts',
  'src',
  '../secret.txt',
  'src/../../secret.txt',
  'link.txt',
  '/etc/hosts.x',
  'command:a.b',
])('finds nothing else: %s', async (word) => {
  expect(await find(word)).toBeUndefined()
})

import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeFolder, type TemporaryFolder } from '@unloop/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findWithin, openWithin, placeWithin, toShown } from './folder.js'

let temporary: TemporaryFolder
let folder: string
let other: string

beforeEach(async () => {
  temporary = await makeFolder({
    'project/a.txt': 'A',
    'project/sub/b.txt': 'B',
    'project/..c': 'C',
    'project-2/secret.txt': 'S',
    'PROJECT/secret.txt': 'S',
    'secret.txt': 'S',
  })
  folder = join(temporary.path, 'project')
  other = join(temporary.path, 'project-2')
})
afterEach(() => temporary.remove())

describe('paths below the folder', () => {
  test.each(['a.txt', './a.txt', 'sub/../a.txt', 'sub//b.txt', '.', '..c', '../project/a.txt'])(
    '%s is found',
    async (path) => {
      expect(await findWithin(folder, path)).toBe(join(folder, path))
      expect(await placeWithin(folder, path)).toBe(join(folder, path))
    },
  )

  test('an absolute path is as good as another', async () => {
    const path = join(folder, 'sub/b.txt')
    expect(await findWithin(folder, path)).toBe(path)
  })

  test('a folder that is a link itself is followed', async () => {
    const link = join(temporary.path, 'link')
    await symlink(folder, link)
    expect(await findWithin(link, 'a.txt')).toBe(join(folder, 'a.txt'))
    expect(await findWithin(link, join(link, 'a.txt'))).toBe(join(folder, 'a.txt'))
    expect(await findWithin(link, join(folder, 'a.txt'))).toBe(join(folder, 'a.txt'))
    await expect(findWithin(link, '../secret.txt')).rejects.toThrow('outside the folder')
  })

  test('a link that stays inside is followed', async () => {
    await symlink('sub', join(folder, 'inner'))
    expect(await findWithin(folder, 'inner/b.txt')).toBe(join(folder, 'sub/b.txt'))
    expect(await placeWithin(folder, 'inner/new.txt')).toBe(join(folder, 'sub/new.txt'))
    expect(await toShown(folder, join(folder, 'sub/b.txt'))).toBe('sub/b.txt')
  })

  test('a file to be created may need folders', async () => {
    expect(await placeWithin(folder, 'x/y/z.txt')).toBe(join(folder, 'x/y/z.txt'))
  })
})

describe('paths that lead away', () => {
  const refused = async (path: string, reason = 'outside the folder') => {
    await expect(findWithin(folder, path)).rejects.toThrow(`${reason}: ${path}`)
    await expect(openWithin(folder, path)).rejects.toThrow(`${reason}: ${path}`)
    await expect(placeWithin(folder, path)).rejects.toThrow(`${reason}: ${path}`)
  }

  test.each([
    '..',
    '../secret.txt',
    'sub/../../secret.txt',
    '../project-2/secret.txt',
    '../PROJECT/secret.txt',
    '/etc/passwd',
    '/',
  ])('%s', (path) => refused(path))

  test('absolute paths of neighbours whose names begin alike or differ in case', async () => {
    await refused(join(other, 'secret.txt'))
    await refused(join(dirname(folder), basename(folder).toUpperCase(), 'secret.txt'))
  })

  test('a link to a file', async () => {
    await symlink('../secret.txt', join(folder, 'link.txt'))
    await refused('link.txt')
  })

  test('a link to a folder, for what is there and for what is to be created', async () => {
    await symlink(other, join(folder, 'link'))
    await refused('link')
    await refused('link/secret.txt')
    await expect(placeWithin(folder, 'link/new.txt')).rejects.toThrow('outside the folder')
    await expect(placeWithin(folder, 'link/new/new.txt')).rejects.toThrow('outside the folder')
  })

  test('a link to a link', async () => {
    await symlink('../secret.txt', join(folder, 'one'))
    await symlink('one', join(folder, 'two'))
    await refused('two')
  })

  test('a link to nowhere, itself and as a folder', async () => {
    await symlink('../not-yet', join(folder, 'dangling'))
    await refused('dangling', 'a link to nowhere')
    await expect(placeWithin(folder, 'dangling/new.txt')).rejects.toThrow('a link to nowhere')
  })

  test('a link in a circle', async () => {
    await symlink('two', join(folder, 'one'))
    await symlink('one', join(folder, 'two'))
    await expect(placeWithin(folder, 'one')).rejects.toThrow('a link in a circle: one')
  })

  test('a zero byte', async () => {
    await expect(findWithin(folder, 'a.txt\0.png')).rejects.toThrow('zero byte')
  })

  test('a folder that became a link since the last use', async () => {
    expect(await findWithin(folder, 'sub/b.txt')).toContain('b.txt')
    await rename(join(folder, 'sub'), join(folder, 'moved'))
    await writeFile(join(other, 'b.txt'), 'S')
    await symlink(other, join(folder, 'sub'))
    await refused('sub/b.txt')
  })
})

test('what is not there is named as it was given', async () => {
  await expect(findWithin(folder, './no/such.ts')).rejects.toThrow('no such file: ./no/such.ts')
  await expect(findWithin(folder, 'a.txt/b')).rejects.toThrow('no such file: a.txt/b')
})

test('a folder is no file', async () => {
  await mkdir(join(folder, 'empty'))
  await expect(openWithin(folder, 'empty')).rejects.toThrow('a folder, not a file: empty')
})

import { chmod, link, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, type TemporaryFolder } from '@unloop/testing'
import { afterEach, expect, test } from 'vitest'
import { editFileTool } from './edit-file.js'

let temporary: TemporaryFolder | undefined
afterEach(() => temporary?.remove())

async function start(files: Record<string, string | Uint8Array>) {
  temporary = await makeFolder(files)
  const folder = temporary.path
  const tool = editFileTool(folder)
  const { signal } = new AbortController()
  return {
    folder,
    read: (path: string) => readFile(join(folder, path), 'utf8'),
    edit: async (args: { path: string; old?: string; new: string }) =>
      tool.execute(args, { signal, report: () => {} }),
  }
}

test('one text takes the place of another, whatever is in it', async () => {
  const { edit, read } = await start({ 'a.ts': 'one\ntwo\nthree\n' })
  expect(await edit({ path: 'a.ts', old: 'two', new: "$& $1 $' $$" })).toBe(
    'changed a.ts at line 2',
  )
  expect(await read('a.ts')).toBe("one\n$& $1 $' $$\nthree\n")
  await edit({ path: 'a.ts', old: 'one\n', new: '' })
  expect(await read('a.ts')).toBe("$& $1 $' $$\nthree\n")
})

test('a new file, with the folders it needs', async () => {
  const { edit, read } = await start({ 'empty.ts': '' })
  expect(await edit({ path: 'src/new/a.ts', new: 'a\nb' })).toBe('created src/new/a.ts, 2 lines')
  expect(await read('src/new/a.ts')).toBe('a\nb')
  await edit({ path: 'empty.ts', old: '', new: 'x' })
  expect(await read('empty.ts')).toBe('x')
})

test.each([
  [{ path: 'a.ts', new: 'x' }, 'a.ts already exists; pass the text to replace as old'],
  [{ path: 'a.ts', old: 'three', new: 'x' }, 'old is not in a.ts'],
  [{ path: 'a.ts', old: 'one', new: 'x' }, 'old occurs 2 times in a.ts'],
  [{ path: 'a.ts', old: 'two', new: 'two' }, 'nothing to change'],
  [{ path: 'b.ts', old: 'one', new: 'x' }, 'no such file: b.ts'],
  [{ path: 'a.ts/b', new: 'x' }, 'no such file: a.ts/b'],
  [{ path: 'sub', new: 'x' }, 'a folder, not a file: sub'],
  [{ path: 'a.png', old: 'x', new: 'y' }, 'a binary file: a.png'],
  [{ path: 'latin1.txt', old: 'x', new: 'y' }, 'a binary file: latin1.txt'],
  [{ path: '.git/hooks/pre-commit', new: 'x' }, 'not for editing'],
  [{ path: 'sub/.GIT/config', new: 'x' }, 'not for editing'],
])('%j is refused and nothing changes', async (args, message) => {
  const { folder, edit, read } = await start({
    'a.ts': 'one\none\ntwo',
    'sub/x': '',
    'a.png': Uint8Array.of(120, 0, 1),
    'latin1.txt': Uint8Array.of(120, 0xe4),
  })
  await expect(edit(args)).rejects.toThrow(message)
  expect(await read('a.ts')).toBe('one\none\ntwo')
  expect(await readdir(folder)).toEqual(['a.png', 'a.ts', 'latin1.txt', 'sub'])
})

test('line breaks, the mark at the beginning and the rights of a file stay', async () => {
  const { folder, edit, read } = await start({ 'a.sh': '\ufeffone\r\ntwo\r\nthree\r\n' })
  await chmod(join(folder, 'a.sh'), 0o750)
  await edit({ path: 'a.sh', old: 'one\ntwo', new: '1\n2\n2b' })
  expect(await read('a.sh')).toBe('\ufeff1\r\n2\r\n2b\r\nthree\r\n')
  expect((await stat(join(folder, 'a.sh'))).mode & 0o777).toBe(0o750)
})

test('nothing is written through links', async () => {
  const { folder, edit } = await start({ 'project/x': '', 'secret.txt': 'S' })
  const tool = editFileTool(join(folder, 'project'))
  const { signal } = new AbortController()
  const within = async (args: object) => tool.execute(args, { signal, report: () => {} })
  await symlink('../secret.txt', join(folder, 'project/link.txt'))
  await symlink('..', join(folder, 'project/up'))
  await symlink('../not-yet.txt', join(folder, 'project/dangling'))
  await expect(within({ path: 'link.txt', old: 'S', new: 'x' })).rejects.toThrow('outside')
  await expect(within({ path: 'up/new.txt', new: 'x' })).rejects.toThrow('outside')
  await expect(within({ path: 'up/new/new.txt', new: 'x' })).rejects.toThrow('outside')
  await expect(within({ path: 'dangling', new: 'x' })).rejects.toThrow('a link to nowhere')
  await edit({ path: 'project/own.txt', new: 'own' })
  expect(await readdir(folder)).toEqual(['project', 'secret.txt'])
  expect(await readFile(join(folder, 'secret.txt'), 'utf8')).toBe('S')
})

test('a file with a second name elsewhere is changed here only', async () => {
  const { folder, edit, read } = await start({ 'store.txt': 'one' })
  await link(join(folder, 'store.txt'), join(folder, 'a.txt'))
  await edit({ path: 'a.txt', old: 'one', new: 'two' })
  expect([await read('a.txt'), await read('store.txt')]).toEqual(['two', 'one'])
})

test('a link inside leads to the file it names, and stays a link', async () => {
  const { folder, edit, read } = await start({ 'sub/a.txt': 'one' })
  await symlink('sub/a.txt', join(folder, 'link'))
  await edit({ path: 'link', old: 'one', new: 'two' })
  expect(await read('sub/a.txt')).toBe('two')
  await writeFile(join(folder, 'sub/a.txt'), 'three')
  expect(await read('link')).toBe('three')
})

test('the question shows all of the change, and what would hide', async () => {
  const { confirm } = editFileTool('/')
  expect(confirm?.({ path: 'a.ts', old: 'one\ntwo', new: 'x\u001b[2Ky\u202e' })).toBe(
    'Change a.ts?\n- one\n- two\n+ x\\u{1b}[2Ky\\u{202e}',
  )
  expect(confirm?.({ path: 'a\nb', new: 'x' })).toBe('Create a\\u{a}b with this text?\n+ x')
})

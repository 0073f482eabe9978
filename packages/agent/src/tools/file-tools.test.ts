import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, type TemporaryFolder } from '@unloop/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { toDeclaration } from '../tool.js'
import { createFileTools } from './file-tools.js'

let temporary: TemporaryFolder | undefined
afterEach(() => temporary?.remove())

async function start(files: Record<string, string | Uint8Array>) {
  temporary = await makeFolder(files)
  const tools = createFileTools(temporary.path)
  const use = async (name: string, args: object) => {
    const tool = tools.find((one) => one.name === name)
    const { signal } = new AbortController()
    return tool?.execute(tool.parameters.parse(args), { signal, report: () => {} })
  }
  return { folder: temporary.path, tools, use }
}

test('the tools as models are told of them', async () => {
  const { tools } = await start({})
  expect(tools.map(({ name }) => name)).toEqual([
    'read_file',
    'list_files',
    'search_files',
    'edit_file',
    'run_command',
  ])
  expect(toDeclaration(tools[0] as (typeof tools)[0]).parameters).toMatchObject({
    type: 'object',
    required: ['path'],
  })
  expect(tools.map((tool) => tool.confirm !== undefined)).toEqual([false, false, false, true, true])
})

test.each(['read_file', 'list_files', 'search_files', 'edit_file'])(
  '%s stays inside',
  async (name) => {
    const { folder, use } = await start({ 'a.txt': 'A' })
    await symlink('/etc', join(folder, 'link'))
    for (const path of ['/etc/passwd', '../../etc/passwd', 'link/passwd']) {
      const args = { path, pattern: 'root', old: 'root', new: 'x' }
      await expect(use(name, args)).rejects.toThrow(`outside the folder: ${path}`)
    }
  },
)

describe('read_file', () => {
  test('a file, its line breaks as the model writes them', async () => {
    const { use } = await start({ 'a.txt': 'one\r\ntwo\n\nfour', empty: '', 'end.txt': 'x\n' })
    expect(await use('read_file', { path: 'a.txt' })).toBe('one\ntwo\n\nfour')
    expect(await use('read_file', { path: 'end.txt' })).toBe('x')
    expect(await use('read_file', { path: 'empty' })).toBe('(an empty file)')
  })

  test('a part, and how to go on', async () => {
    const { use } = await start({ 'a.txt': 'one\ntwo\nthree\nfour\n' })
    expect(await use('read_file', { path: 'a.txt', offset: 2, limit: 2 })).toBe(
      'two\nthree\n[lines 2 to 3; go on with offset 4]',
    )
    expect(await use('read_file', { path: 'a.txt', offset: 4, limit: 2 })).toBe('four')
    await expect(use('read_file', { path: 'a.txt', offset: 5 })).rejects.toThrow('only 4 lines')
  })

  test('a big file comes in parts that are the whole together', async () => {
    const lines = Array.from({ length: 30_000 }, (_, n) => `line ${n}, größer als ein Byte`)
    const { use } = await start({ 'big.txt': lines.join('\n') })
    const read: string[] = []
    for (let offset = 1; ; ) {
      const part = String(await use('read_file', { path: 'big.txt', offset })).split('\n')
      const next = /offset (\d+)\]$/.exec(part.at(-1) ?? '')?.[1]
      read.push(...(next ? part.slice(0, -1) : part))
      expect(part.join('\n').length).toBeLessThan(41_000)
      if (!next) break
      offset = Number(next)
    }
    expect(read).toEqual(lines)
  })

  test('a line without end is cut', async () => {
    const { use } = await start({ 'min.js': `${'x'.repeat(200_000)}\nend` })
    const text = String(await use('read_file', { path: 'min.js' }))
    expect(text).toMatch(/^x{2000} \[198000 more characters\]\nend$/)
  })

  test('binary files and folders are refused', async () => {
    const { use } = await start({ 'a.png': Uint8Array.of(137, 80, 0, 1), 'sub/b': '' })
    await expect(use('read_file', { path: 'a.png' })).rejects.toThrow('a binary file: a.png')
    await expect(use('read_file', { path: 'sub' })).rejects.toThrow('a folder, not a file: sub')
    await expect(use('read_file', { path: 'b.txt' })).rejects.toThrow('no such file: b.txt')
  })
})

describe('list_files', () => {
  const files = {
    'b.txt': '',
    'a/x.txt': '',
    'a/deep/y.txt': '',
    'B.txt': '',
    '.git/config': '',
    'node_modules/p/index.js': '',
  }

  test('a folder, in a stable order', async () => {
    const { folder, use } = await start(files)
    await symlink('/etc', join(folder, 'link'))
    expect(await use('list_files', {})).toBe('B.txt\na/\nb.txt\nlink (a link)')
    expect(await use('list_files', { path: 'a' })).toBe('a/deep/\na/x.txt')
  })

  test('with what is below', async () => {
    const { use } = await start(files)
    expect(await use('list_files', { recursive: true })).toBe(
      'B.txt\na/\na/deep/\na/deep/y.txt\na/x.txt\nb.txt',
    )
  })

  test('what is left out can be named', async () => {
    const { use } = await start(files)
    expect(await use('list_files', { path: 'node_modules/p' })).toBe('node_modules/p/index.js')
  })

  test('an empty one, a file and none at all', async () => {
    const { use } = await start({ '.git/config': '', 'a.txt': '' })
    expect(await use('list_files', { path: '' })).toBe('a.txt')
    await expect(use('list_files', { path: 'a.txt' })).rejects.toThrow(
      'a file, not a folder: a.txt',
    )
    await expect(use('list_files', { path: 'b' })).rejects.toThrow('no such file: b')
  })

  test('a big one is cut, and it is said how to go on', async () => {
    const many = Array.from({ length: 600 }, (_, n) => [`f${n}`, ''] as const)
    const { use } = await start(Object.fromEntries(many))
    const lines = String(await use('list_files', {})).split('\n')
    expect(lines).toHaveLength(501)
    expect(lines.at(-1)).toContain('more than 500')
  })
})

describe('search_files', () => {
  const files = {
    'src/b.ts': 'const one = 1\nconst two = 2\r\n',
    'src/a.ts': '// one\n',
    'node_modules/p/index.js': 'one',
    '.git/config': 'one',
    'image.png': Uint8Array.of(0, 111, 110, 101),
  }

  test('lines by a pattern, in a stable order', async () => {
    const { use } = await start(files)
    expect(await use('search_files', { pattern: 'o[nw]e?' })).toBe(
      'src/a.ts:1: // one\nsrc/b.ts:1: const one = 1\nsrc/b.ts:2: const two = 2',
    )
    expect(await use('search_files', { pattern: '2$', path: 'src' })).toBe(
      'src/b.ts:2: const two = 2',
    )
    expect(await use('search_files', { pattern: 'one', path: 'src/a.ts' })).toBe(
      'src/a.ts:1: // one',
    )
    expect(await use('search_files', { pattern: 'three' })).toBe('nothing matches three')
  })

  test('what is no regular expression is searched as it is', async () => {
    const { use } = await start({ 'a.ts': 'call(a[0])\ncall' })
    const found = String(await use('search_files', { pattern: 'call(a[' }))
    expect(found).toMatch(/^a\.ts:1: call\(a\[0\]\)\n\[no regular expression/)
  })

  test('a pattern that would take for ever is stopped', async () => {
    const { use } = await start({ 'a.ts': `${'a'.repeat(60)}!` })
    await expect(use('search_files', { pattern: '(a+)+$' })).rejects.toThrow('takes too long')
  })

  test('too many matches, long lines and big files', async () => {
    const { use } = await start({
      'a.ts': `${'x'.repeat(500)}\n`.repeat(300),
      'big.ts': 'x\n'.repeat(1_500_000),
    })
    const lines = String(await use('search_files', { pattern: 'x' })).split('\n')
    expect(lines).toHaveLength(101)
    expect(lines[0]).toHaveLength('a.ts:1: '.length + 201)
    expect(lines[100]).toContain('more than 100 matches')
    expect(await use('search_files', { pattern: 'x', path: 'big.ts' })).toContain('not searched')
  })

  test('links are not followed', async () => {
    const { folder, use } = await start({ 'a.ts': 'one' })
    await symlink('a.ts', join(folder, 'b.ts'))
    await symlink('.', join(folder, 'circle'))
    expect(await use('search_files', { pattern: 'one' })).toBe('a.ts:1: one')
  })

  test('an abort ends it', async () => {
    const { tools } = await start({ 'a.ts': 'one' })
    const tool = tools.find(({ name }) => name === 'search_files')
    const context = { signal: AbortSignal.abort(new Error('enough')), report: () => {} }
    await expect(tool?.execute({ pattern: 'one' }, context)).rejects.toThrow('enough')
  })
})

test('what changes between two calls is seen', async () => {
  const { folder, use } = await start({ 'a.txt': 'before' })
  expect(await use('read_file', { path: 'a.txt' })).toBe('before')
  await writeFile(join(folder, 'a.txt'), 'after')
  expect(await use('read_file', { path: 'a.txt' })).toBe('after')
})

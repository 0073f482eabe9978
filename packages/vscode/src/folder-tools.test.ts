import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFolderTools } from './folder-tools.js'
import { type Folder, fromShownPath, nameFolders, toShownPath } from './folders.js'

let home: string
let folders: Folder[]
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'unloop-folders-'))
  for (const name of ['shop', 'site']) {
    mkdirSync(join(home, name, 'src'), { recursive: true })
    writeFileSync(join(home, name, 'src/a.ts'), `export const ${name} = 1\n`)
  }
  folders = ['shop', 'site'].map((name) => ({ name, path: join(home, name) }))
})
afterEach(() => rmSync(home, { recursive: true }))

const run = async (name: string, args: Record<string, unknown>, of = folders) => {
  const tool = createFolderTools(of).find((one) => one.name === name)
  const { signal } = new AbortController()
  return tool?.execute(args, { signal, report: () => {} })
}

describe('several folders', () => {
  it('are listed and searched together, with paths that can be opened', async () => {
    const listed = await run('list_files', { recursive: true })
    const found = await run('search_files', { pattern: 'export const' })
    expect(listed?.split('\n').filter((line) => !line.endsWith('/'))).toEqual([
      ...['shop/src/a.ts', 'site/src/a.ts'],
    ])
    for (const line of found?.split('\n') ?? []) {
      const [path] = line.split(':')
      expect(await run('read_file', { path })).toContain('export const')
    }
  })

  it('are each found by name', async () => {
    expect(await run('read_file', { path: 'site/src/a.ts' })).toContain('site = 1')
    expect(await run('list_files', { path: './shop/src' })).toBe('shop/src/a.ts')
    expect(await run('search_files', { pattern: 'nowhere', path: 'shop' })).toBe(
      'shop: nothing matches nowhere',
    )
    const changed = await run('edit_file', { path: 'site/src/a.ts', old: '1', new: '2' })
    expect(changed).toBe('changed site/src/a.ts at line 1')
    expect(readFileSync(join(home, 'site/src/a.ts'), 'utf8')).toContain('site = 2')
  })

  it.each(['src/a.ts', '../shop/src/a.ts', 'shop/../../x', 'other/a.ts', '.'])(
    'are not left: %s',
    async (path) => {
      await expect(run('read_file', { path })).rejects.toThrow(path)
    },
  )

  it('have a command each, which names the folder', () => {
    const tools = createFolderTools(folders)
    const commands = tools.filter(({ name }) => name.startsWith('run_command'))
    expect(commands.map(({ name }) => name)).toEqual([
      ...['run_command_in_shop', 'run_command_in_site'],
    ])
    expect(commands[1]?.confirm?.({ command: 'npm test' })).toContain(join(home, 'site'))
  })

  it.each([
    [['前端', '后端', '文档']],
    [['web app', 'web_app', 'web_app_2']],
    [[`${'a'.repeat(60)}1`, `${'a'.repeat(60)}2`]],
  ])('have commands of different names that providers take: %s', (names) => {
    const tools = createFolderTools(names.map((name) => ({ name, path: join(home, 'shop') })))
    const all = tools.map(({ name }) => name)
    expect(new Set(all).size).toBe(all.length)
    for (const name of all) expect(name).toMatch(/^[\w-]{1,64}$/)
  })

  it('are each allowed to run a command for themselves', () => {
    const scopes = createFolderTools(folders)
      .filter(({ name }) => name.startsWith('run_command'))
      .map((tool) => tool.scopes?.({ command: 'npm test' }))
    expect(scopes).toEqual([['npm test (shop)'], ['npm test (site)']])
  })

  it('are named in answers where the path is, and nowhere else', async () => {
    await expect(run('read_file', { path: 'shop/e' })).rejects.toThrow('no such file: shop/e')
    writeFileSync(join(home, 'shop/a'), '1')
    expect(await run('edit_file', { path: 'shop/a', old: '1', new: '2' })).toBe(
      'changed shop/a at line 1',
    )
    mkdirSync(join(home, 'shop/[id]'))
    writeFileSync(join(home, 'shop/[id]/page.tsx'), 'list = [1]')
    expect(await run('list_files', { path: 'shop' })).toContain('shop/[id]/')
    expect(await run('search_files', { pattern: 'list', path: 'shop' })).toMatch(
      /^shop\/\[id\]\/page\.tsx:1/,
    )
  })
})

it('one folder has no name in its paths', async () => {
  expect(await run('list_files', { path: 'src' }, folders.slice(0, 1))).toBe('src/a.ts')
  expect(createFolderTools([])).toEqual([])
})

describe('a shown path', () => {
  it('leads back to its file, in one folder or several', () => {
    for (const all of [folders, folders.slice(0, 1)]) {
      const path = join(home, 'shop/src/a.ts')
      expect(fromShownPath(all, toShownPath(all, path) ?? '')).toBe(path)
    }
    expect(toShownPath(folders, join(home, 'else.ts'))).toBeUndefined()
    expect(toShownPath(folders, `${join(home, 'shop')}-2/a.ts`)).toBeUndefined()
  })

  it('tells folders of the same name apart', () => {
    const same = nameFolders([
      { name: 'app', path: '/a/app' },
      { name: 'app', path: '/b/app' },
    ])
    expect(same.map(({ name }) => name)).toEqual(['app', 'app-2'])
    expect(fromShownPath(same, 'app-2/x.ts')).toBe('/b/app/x.ts')
  })
})

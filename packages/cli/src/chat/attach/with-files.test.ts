import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder } from '../../../test/host.js'
import { withFiles, withoutFiles } from './with-files.js'

function folderWith(files: Record<string, string>): string {
  const folder = emptyFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

describe('a request with files', () => {
  it('has their content, and says so', async () => {
    const folder = folderWith({ 'src/a.ts': 'const a = 1\nconst b = 2\n', 'two words.md': 'hi' })
    const { request, notes } = await withFiles('see @src/a.ts, and @"two words.md"!', folder)
    expect(request).toBe(
      'see @src/a.ts, and @"two words.md"!\n\n[attached: src/a.ts]\nconst a = 1\nconst b = 2\n\n[attached: two words.md]\nhi',
    )
    expect(notes).toEqual([
      'attached src/a.ts (2 lines, 24 B)',
      'attached two words.md (1 line, 2 B)',
    ])
  })

  it('lists a folder', async () => {
    const folder = folderWith({ 'src/a.ts': '', 'src/b.ts': '' })
    const { request, notes } = await withFiles('@src/', folder)
    expect(request).toContain('src/a.ts\nsrc/b.ts')
    expect(notes).toEqual(['attached the list of files in src/'])
  })

  it('stays as it is where nothing of that name exists', async () => {
    const text = 'ask @bob about me@example.com and npm i @types/node @'
    expect(await withFiles(text, emptyFolder())).toEqual({ request: text, notes: [] })
  })

  it('has files that are named in brackets, backticks and quotes', async () => {
    const folder = folderWith({ 'a.txt': 'A', 'b.txt': 'B', 'my docs/c.txt': 'C' })
    const { notes } = await withFiles('(@a.txt) `@b.txt` @"my docs/', folder)
    expect(notes).toEqual([
      'attached a.txt (1 line, 1 B)',
      'attached b.txt (1 line, 1 B)',
      'attached the list of files in my docs/',
    ])
  })

  it('says that there is no such file if it looks like one', async () => {
    const { request, notes } = await withFiles('see @nofile.txt, @./x and @src/?', emptyFolder())
    expect(request).toBe('see @nofile.txt, @./x and @src/?')
    expect(notes).toEqual([
      'not attached: nofile.txt: no such file',
      'not attached: ./x: no such file',
      'not attached: src/: no such file',
    ])
  })

  it('says what is missing of a long file, and that one is empty', async () => {
    const folder = folderWith({ 'long.txt': 'abc\n'.repeat(100_000), 'empty.txt': '' })
    expect((await withFiles('@long.txt @empty.txt', folder)).notes).toEqual([
      'attached long.txt (only the first 1,000 lines: 4 KB of 400 KB)',
      'attached empty.txt (empty)',
    ])
  })

  it('refuses binary files, and what is outside the folder, with words', async () => {
    const folder = folderWith({ 'picture.png': 'a\0b' })
    symlinkSync('/etc/passwd', join(folder, 'link'))
    const { request, notes } = await withFiles('@picture.png @link @../x @/etc/passwd', folder)
    expect(request).not.toContain('[attached')
    expect(notes).toEqual([
      'not attached: picture.png is a binary file',
      'not attached: link is outside the folder',
      'not attached: ../x is outside the folder',
      'not attached: /etc/passwd is outside the folder',
    ])
  })

  it('is bounded, however large a file is', async () => {
    const folder = folderWith({ 'big.txt': 'line of text\n'.repeat(200_000) })
    const { request } = await withFiles('@big.txt', folder)
    expect(request.length).toBeLessThan(50_000)
    expect(request).toContain('go on with offset')
  })

  it('can be told apart from what was typed', async () => {
    const folder = folderWith({ 'a.txt': 'x\n\n[attached: y]\nz', 'b.txt': '' })
    const { request } = await withFiles('see @a.txt @b.txt', folder)
    expect(withoutFiles(request).text).toBe('see @a.txt @b.txt')
    expect(withoutFiles('plain')).toEqual({ text: 'plain', attached: [] })
  })
})

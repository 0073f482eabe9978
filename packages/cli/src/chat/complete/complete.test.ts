import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyFolder } from '../../../test/host.js'
import { accept, createCompleter } from './complete.js'
import { listPaths } from './list-paths.js'
import { rank, toIndexed } from './rank.js'

const choices = {
  models: () => ['embedded', 'openai/gpt-5', 'openai/gpt-4.1'],
  sessions: () => [{ text: 'login bug', note: 'why?' }],
}
const at = (text: string) => ({ text, cursor: text.length })

/** What a text may become, once all files are known. */
async function complete(text: string, folder = emptyFolder()) {
  const completer = createCompleter(folder, choices)
  await new Promise<void>((resolve) => {
    completer.complete(at('@'), resolve)
  })
  return completer.complete(at(text), () => {})
}

const textsOf = async (text: string, folder?: string) =>
  (await complete(text, folder))?.options.map((option) => option.text)

describe('the completion of commands', () => {
  it('has those that begin so, with what they do', async () => {
    expect(await textsOf('/re')).toEqual(['/retry', '/resume', '/rename'])
    expect(await complete('/cos')).toMatchObject({
      options: [{ text: '/cost', note: expect.stringContaining('dollars') }],
      selected: 0,
      from: 0,
    })
  })

  it.each([
    ['/guard ob', ['observe']],
    ['/model openai/', ['openai/gpt-5', 'openai/gpt-4.1']],
    ['/stuck repeated-c', ['repeated-call']],
    ['/resume lo', ['login bug']],
    ['/help x', undefined],
    ['/guard observe now', undefined],
    ['hello /he', undefined],
  ])('has what they take: %s', async (text, options) => {
    expect(await textsOf(text)).toEqual(options)
  })

  it('selects no argument by itself, so that Enter sends what was typed', async () => {
    expect(await complete('/guard ')).toMatchObject({ selected: -1, from: 7 })
  })

  it('puts the option in the place of the word', async () => {
    const completion = await complete('/he')
    expect(completion && accept(at('/he'), completion)).toEqual(at('/help '))
  })
})

describe('the completion of paths', () => {
  /** A folder with these files; a repository if `isGit`. */
  function folderWith(paths: readonly string[], isGit = false): string {
    const folder = emptyFolder()
    for (const path of paths) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), '')
    }
    if (isGit) execFileSync('git', ['init', '-q'], { cwd: folder })
    return folder
  }

  it('finds files and folders by parts of their paths', async () => {
    const folder = folderWith(['src/chat/keys.ts', 'src/keyboard.ts', 'README.md'])
    expect(await textsOf('see @key', folder)).toEqual(['@src/keyboard.ts', '@src/chat/keys.ts'])
    expect(await textsOf('@chat/k', folder)).toEqual(['@src/chat/keys.ts'])
    expect(await textsOf('@chky', folder)).toEqual(['@src/chat/keys.ts'])
    expect(await textsOf('@', folder)).toEqual(
      expect.arrayContaining(['@src/', '@README.md', '@src/chat/']),
    )
    expect(await textsOf('mail@key', folder)).toBeUndefined()
    const completion = await complete('see @READ', folder)
    expect(completion && accept(at('see @READ'), completion)).toEqual(at('see @README.md '))
  })

  it('quotes what has a space, also where the quote is written already', async () => {
    const folder = folderWith(['ends .', 'my docs/read me.md'])
    expect(await textsOf('@ends', folder)).toEqual(['@"ends ."'])
    expect(await textsOf('@"read m', folder)).toEqual(['@"my docs/read me.md"'])
    const completion = await complete('see @"my d', folder)
    // a folder stays open
    expect(completion && accept(at('see @"my d'), completion)).toEqual(at('see @"my docs/'))
    expect(await textsOf('see @"my docs/r', folder)).toEqual(['@"my docs/read me.md"'])
    expect(await textsOf('see (@ends', folder)).toEqual(['@"ends ."'])
  })

  it('does not offer names that cannot be written', async () => {
    const folder = folderWith(['quote"x.txt', 'new\nline.txt', 'turn\u202e.txt', 'bell\x07.txt'])
    expect(await textsOf('@', folder)).toBeUndefined()
  })

  it.each([true, false])('leaves out node_modules and .git, in a repository: %s', async (isGit) => {
    const folder = folderWith(['a.ts', 'node_modules/x/a.ts', 'sub/node_modules/a.ts'], isGit)
    expect(await listPaths(folder)).toEqual(['a.ts'])
  })

  it('leaves out what git ignores', async () => {
    const folder = folderWith(['a.ts', 'dist/a.ts', 'debug.log'], true)
    writeFileSync(join(folder, '.gitignore'), 'dist/\n*.log\n')
    expect((await listPaths(folder)).sort()).toEqual(['.gitignore', 'a.ts'])
  })

  it('does not run what a repository wants to have run', async () => {
    const folder = folderWith(['a.ts'], true)
    const program = join(folder, '.git', 'spy')
    writeFileSync(program, `#!/bin/sh\ntouch "${folder}/spied"\n`, { mode: 0o755 })
    execFileSync('git', ['config', 'core.fsmonitor', program], { cwd: folder })
    expect(await listPaths(folder)).toEqual(['a.ts'])
    expect(await listPaths(folder)).not.toContain('spied')
  })

  it('does not follow links out of the folder', async () => {
    const folder = folderWith(['a.ts'])
    symlinkSync('/etc', join(folder, 'etc'))
    expect((await listPaths(folder)).filter((path) => path.includes('etc/'))).toEqual([])
  })

  it('is found among 50,000 files', () => {
    const paths = Array.from({ length: 50_000 }, (_, index) =>
      toIndexed(`packages/p${index % 97}/src/part${index % 13}/module-${index}.ts`),
    )
    expect(rank(paths, 'p3module-49', 8)).toHaveLength(8)
    expect(rank(paths, '', 8)).toHaveLength(8)
  })

  it('finds every path by any of its letters in their order', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z/.]{1,20}$/), fc.array(fc.boolean()), (path, kept) => {
        const query = [...path].filter((_, index) => kept[index]).join('')
        expect(rank([toIndexed(path)], query, 1)).toEqual([path])
      }),
    )
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('..', import.meta.url))

/** The sources below a folder of the package, by path. */
const sourcesIn = (name: string) =>
  readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => join(name, path))

/** Every name in a source, and every text, which may be the name of a property too. */
function namesIn(path: string): Set<string> {
  const names = new Set<string>()
  const visit = (node: ts.Node) => {
    // a type shows nothing
    if (ts.isTypeNode(node)) return
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) names.add(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, readFileSync(join(folder, path), 'utf8'), ts.ScriptTarget.Latest))
  return names
}

/** Which of the sources use which of these names. */
const usesOf = (forbidden: RegExp, sources: string[]) =>
  sources.flatMap((path) =>
    [...namesIn(path)].filter((name) => forbidden.test(name)).map((name) => `${path}: ${name}`),
  )

/** What shows a text of ours in the editor. */
const SHOWS =
  /^(show(Information|Warning|Error)Message|show(Quick|WorkspaceFolder)Pick|showInputBox|create(QuickPick|InputBox|StatusBarItem|Terminal|CommentController)|setStatusBarMessage|withProgress|(Tree|StatusBar|QuickPick)Item)$/

describe('outside text', () => {
  it('reaches the editor through host/say.ts alone', () => {
    const sources = sourcesIn('src').filter((path) => path !== join('src', 'host', 'say.ts'))
    expect(usesOf(SHOWS, sources)).toEqual([])
  })

  it('is seen by this test where it is shown', () => {
    expect(usesOf(SHOWS, [join('src', 'host', 'say.ts')]).length).toBeGreaterThan(5)
  })

  it('is never Markdown of the editor', () => {
    expect(usesOf(/^(MarkdownString|appendMarkdown)$/, sourcesIn('src'))).toEqual([])
  })

  it('is never markup or a link of the chat', () => {
    const markup =
      /^((inner|outer)HTML|insertAdjacentHTML|setHTML\w*|createContextualFragment|DOMParser|href|src|srcdoc|a|iframe|eval|Function)$/
    const uses = usesOf(markup, sourcesIn('view'))
    // links to the web, and nowhere else, are made in one place
    const allowed = ['a', 'href'].map((name) => `${join('view', 'link.ts')}: ${name}`)
    expect(
      uses.filter((use) => !use.endsWith(': href') || !use.includes('markdown.ts')).sort(),
    ).toEqual(allowed)
  })
})

it('settings are read where trust is asked for', () => {
  const source = join('src', 'host', 'settings-source.ts')
  expect(usesOf(/^getConfiguration$/, sourcesIn('src'))).toEqual([`${source}: getConfiguration`])
})

it('only the host knows the editor', () => {
  const others = sourcesIn('src').filter(
    (path) => !path.startsWith(join('src', 'host')) && path !== join('src', 'extension.ts'),
  )
  expect(usesOf(/^vscode$/, others)).toEqual([])
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const vocabulary = join(root, 'packages/agent/src/client-event.ts')
const consumers = [
  'agent/src/sub-agent.ts',
  'cli/src/chat/exit-code-of.ts',
  'cli/src/chat/print-event.ts',
  'cli/src/chat/reduce-event.ts',
  'cli/src/check/read-event.ts',
].map((path) => join(root, 'packages', path))

describe('a new type of event', () => {
  it('does not compile until every consumer handles it', () => {
    expect(failing((source) => source)).toEqual([])
    const member = "| { type: 'brand-new' }\n  | { type: 'turn-end' }"
    const extended = (source: string) => source.replace("| { type: 'turn-end' }", member)
    expect(extended(readFileSync(vocabulary, 'utf8'))).toContain('brand-new')
    expect(failing(extended)).toEqual(consumers)
  })

  it('is looked for in every file that tells events apart', () => {
    const telling = ['packages/agent/src', 'packages/cli/src']
      .map((path) => join(root, path))
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) =>
          join(folder, path),
        ),
      )
      .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
      .filter((path) => /case 'loop_detected'|loop_detected: /.test(readFileSync(path, 'utf8')))
    expect(telling.sort()).toEqual(consumers)
  })
})

/** The consumers that do not compile when the vocabulary is changed like that. */
function failing(change: (source: string) => string): string[] {
  const config = ts.readConfigFile(join(root, 'tsconfig.test.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root)
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (path, ...rest) =>
    path === vocabulary
      ? ts.createSourceFile(path, change(readFileSync(path, 'utf8')), ts.ScriptTarget.ES2022)
      : getSourceFile(path, ...rest)
  const program = ts.createProgram(consumers, options, host)
  return consumers.filter(
    (path) => program.getSemanticDiagnostics(program.getSourceFile(path)).length > 0,
  )
}

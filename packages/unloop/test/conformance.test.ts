import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { detectors } from '../src/index.js'
import { presetDetectors } from '../src/presets/index.js'

const src = fileURLToPath(new URL('../src/', import.meta.url))
const docs = fileURLToPath(new URL('../../../docs/', import.meta.url))

describe('public names', () => {
  it('of unloop', () => {
    expect(exportedNames('index.ts')).toEqual([
      'DEFAULT_LADDER',
      'LoopError',
      'askedAgain',
      'callCycle',
      'callFlood',
      'callKey',
      'chanting',
      'createGuard',
      'defaultDetectors',
      'defineDetector',
      'detectors',
      'failing',
      'guardStream',
      'paging',
      'pingPong',
      'redact',
      'repeatedCall',
      'repeatedMessage',
      'repeatedThought',
      'sameAnswer',
      'scatteredCall',
      'type Action',
      'type AgentEvent',
      'type AgentEventType',
      'type Budget',
      'type Certainty',
      'type Detector',
      'type DetectorContext',
      'type DetectorDefinition',
      'type DetectorFactory',
      'type DetectorOptions',
      'type DetectorReport',
      'type Effect',
      'type Explanation',
      'type Fault',
      'type Finding',
      'type Guard',
      'type GuardMode',
      'type GuardOptions',
      'type Ladder',
      'type LoopDetected',
      'type LoopWarning',
      'type Pressure',
      'type Snapshot',
      'type ToolOptions',
    ])
  })

  it('of unloop/host', () => {
    expect(exportedNames('host/index.ts')).toEqual([
      'createGuards',
      'isFinal',
      'outcomeOf',
      'runOf',
      'type CallEvent',
      'type GuardStore',
      'type Guards',
      'type GuardsOptions',
      'type Outcome',
      'type ResultEvent',
      'type Run',
      'type SeenCall',
      'type Verdict',
    ])
  })

  it('of unloop/wire', () => {
    expect(exportedNames('wire/index.ts')).toEqual([
      'BUDGET',
      'DEFAULT_LADDER',
      'callsWith',
      'catchUp',
      'createEarlyCalls',
      'findProtocol',
      'hasFound',
      'isReport',
      'newWords',
      'nextName',
      'overspent',
      'placeOf',
      'requestAt',
      'requestsOf',
      'settleRound',
      'showCall',
      'showResult',
      'splitPast',
      'startHeard',
      'startSpent',
      'type Asked',
      'type Budget',
      'type Dialect',
      'type Heard',
      'type Ladder',
      'type Place',
      'type Protocol',
      'type ProtocolName',
      'type Result',
      'type Spent',
    ])
  })

  it('of unloop/redact', () => {
    expect(exportedNames('redact/index.ts')).toEqual(['redact'])
  })

  it('of unloop/rows', () => {
    expect(exportedNames('rows/index.ts')).toEqual([
      'areNew',
      'defineRowDetector',
      'isAchievement',
      'isBatch',
      'isChange',
      'isFailure',
      'isProgress',
      'isSameAnswer',
      'isSpoken',
      'isWaiting',
      'lastWhile',
      'longestWait',
      'patientLimit',
      'toPressure',
      'type AgentLog',
      'type Round',
      'type Row',
      'type RowDefinition',
      'waitLimit',
    ])
  })

  it('of unloop/judge', () => {
    expect(exportedNames('judge/index.ts')).toEqual([
      'createJudge',
      'type Judge',
      'type JudgeAsk',
      'type JudgeCheck',
      'type JudgeMessage',
      'type JudgeOpinion',
      'type JudgeOptions',
      'type JudgeRequest',
    ])
  })

  it('of unloop/presets', () => {
    expect(exportedNames('presets/index.ts')).toEqual([
      'identicalCall',
      'presetDetectors',
      'presets',
      'textWindow',
      'type Preset',
      'type PresetName',
    ])
  })

  it('of unloop/service', () => {
    expect(exportedNames('presets/service.ts')).toEqual([
      'LoopDetectionService',
      'LoopType',
      'type JsonRequest',
      'type LlmLoopCheckEvent',
      'type LoopDetectedEvent',
      'type LoopDetectionDisabledEvent',
      'type LoopType',
      'type ServiceConfig',
      'type ServiceTelemetry',
      'type StreamEvent',
    ])
  })

  it('have a source for every path that package.json exports', () => {
    const { exports } = JSON.parse(readFileSync(join(src, '../package.json'), 'utf8'))
    const sources = Object.values<{ import?: { default: string } }>(exports).flatMap((target) =>
      target.import ? [target.import.default.replace('./dist/', '').replace(/\.js$/, '.ts')] : [],
    )
    expect(sources.length).toBeGreaterThan(10)
    expect(sources.filter((source) => !existsSync(join(src, source)))).toEqual([])
  })
})

describe('every detector', () => {
  const stems = readdirSync(join(src, 'detectors'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => file.replace(/\.ts$/, ''))

  it('is found', () => expect(stems).not.toEqual([]))

  describe.each(stems)('%s', (stem) => {
    it('has a test beside it', () => {
      expect(existsSync(join(src, 'detectors', `${stem}.test.ts`))).toBe(true)
    })

    it('has a page', () => {
      expect(existsSync(join(docs, 'detectors', `${stem}.md`))).toBe(true)
    })

    it('is exported', () => {
      const names = [...exportedNames('index.ts'), ...exportedNames('presets/index.ts')]
      expect(names).toContain(camelCase(stem))
    })

    it('is named for its file', () => {
      const { text } = parse(join(src, 'detectors', `${stem}.ts`))
      expect(text).toContain(`export const ${camelCase(stem)} =`)
      expect(text).toContain(`name: '${stem}'`)
    })
  })

  it('in the list is a file', () => {
    expect(
      [...detectors, ...presetDetectors]
        .map(({ name }) => name)
        .filter((name) => !stems.includes(name)),
    ).toEqual([])
  })
})

describe('the core', () => {
  const core = reachableFrom(join(src, 'guard.ts'), ...sourcesIn('detectors'), ...sourcesIn('text'))

  it('is its own files', () => {
    const names = core.map((file) => relative(src, file))
    const foreign = names.filter((name) =>
      /^(adapters|host|judge|presets|redact|wire)\//.test(name),
    )
    expect(foreign).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['guard.ts', 'event.ts', 'reading/call-key.ts']))
    expect(names).not.toContain('index.ts')
  })

  it.each(core.map((file) => [relative(src, file), file] as const))(
    '%s keeps the rules',
    (name, file) => {
      expect(broken(file).filter((problem) => !excused.has(`${name}: ${problem}`))).toEqual([])
    },
  )

  it('would be caught breaking them', () => {
    const guilty = `import { readFileSync } from 'node:fs'
      export async function f() { await 1; console.log(Date.now(), new Date(), performance.now()) }
      const g = import('x'); process.exit(); setTimeout(f); Promise.all([]); Math.random()
      // await console.log(Date.now())
      const fine = value instanceof Date && value.console && { process: 'async' }`
    expect(brokenIn(ts.createSourceFile('x.ts', guilty, ts.ScriptTarget.Latest, true))).toEqual([
      "imports 'node:fs'",
      'async',
      'await',
      'console',
      'Date.now',
      'new Date',
      'performance',
      'import()',
      'process',
      'setTimeout',
      'Promise',
      'Math.random',
    ])
  })
})

describe('the sources', () => {
  const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(file))
    .map((file) => join(src, file))

  it('import each other in one direction', () => {
    const imports = new Map(sources.map((file) => [file, importsOf(file)]))
    // what imports nothing that is left is taken away, until nothing can be
    for (let size = -1; size !== imports.size; ) {
      size = imports.size
      for (const [file, needed] of imports) {
        if (!needed.some((other) => imports.has(other))) imports.delete(file)
      }
    }
    expect([...imports.keys()].map((file) => relative(src, file))).toEqual([])
  })

  it.each([
    ['text', 'text'],
    ['reading', 'reading|options|tool-options|intake'],
    ['intake', 'intake|event|reading/hash'],
    ['rounds', 'rounds|reading|speech/speech|intake|event|tool-options|options'],
    ['ladder', 'ladder|detector|event|finding|reading/redact|rounds|state'],
    [
      'presets',
      'presets|detector|detectors|event|finding|guard|intake|judge|options|reading/names|settings|text',
    ],
    ['judge', 'judge|finding|options|reading/sample'],
    ['host', 'host|event|fault|finding|guard|intake/inert|options|reading|settings|state'],
    [
      'adapters/shared',
      'adapters/shared|host|event|finding|guard|options|reading/call-key|state/host',
    ],
  ])('of %s import nothing but %s', (folder, allowed) => {
    const known = new RegExp(`^(${allowed})(/|\\.ts$)`)
    const foreign = sources
      .filter((file) => relative(src, file).startsWith(`${folder}/`))
      .flatMap(importsOf)
      .map((file) => relative(src, file))
      .filter((file) => !known.test(file))
    expect(foreign).toEqual([])
  })
})

describe('ARCHITECTURE.md', () => {
  const page = readFileSync(join(docs, '../ARCHITECTURE.md'), 'utf8')
  const path = [...page.matchAll(/^\| `(\S+\.ts)` \| `(\w+)` \|/gm)]

  it('tells the path of an event', () => expect(path.length).toBeGreaterThan(5))

  it.each(path.map(([, file, name]) => [file as string, name as string]))(
    'is right that %s has %s',
    (file, name) => {
      expect(readFileSync(join(src, file), 'utf8')).toMatch(
        new RegExp(`\\b(function |const )${name}\\b|^  ${name}\\(`, 'm'),
      )
    },
  )
})

// names that reach for a clock, Node, a log or a promise; `Date` alone may be an `instanceof`
const forbidden = new Set(
  `Promise performance console process require Buffer globalThis fetch crypto
  setTimeout setInterval setImmediate queueMicrotask structuredClone`.split(/\s+/),
)

// a seed nobody can guess, so that nobody can prepare a collision; no verdict depends on it
const excused = new Set([
  'reading/hash.ts: Math.random',
  'text/windows.ts: Math.random',
  // only the platform can tell a proxy
  'intake/is-proxy.ts: globalThis',
  // a guard that fails where nobody listens says so once
  'fault.ts: console',
])

function broken(file: string) {
  return brokenIn(parse(file))
}

function brokenIn(file: ts.SourceFile) {
  const problems: string[] = []
  visit(file)
  return problems

  function visit(node: ts.Node): void {
    const problem = problemOf(node)
    if (problem) problems.push(problem)
    ts.forEachChild(node, visit)
  }
}

function problemOf(node: ts.Node): string | undefined {
  switch (node.kind) {
    case ts.SyntaxKind.AsyncKeyword:
      return 'async'
    case ts.SyntaxKind.AwaitExpression:
    case ts.SyntaxKind.AwaitKeyword:
      return 'await'
    case ts.SyntaxKind.ImportKeyword:
      return 'import()'
  }
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    const from = node.moduleSpecifier as ts.StringLiteral | undefined
    return from && !from.text.startsWith('.') ? `imports '${from.text}'` : undefined
  }
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date') return 'new Date'
  if (ts.isCallExpression(node) && node.expression.getText() === 'Date') return 'Date()'
  if (ts.isPropertyAccessExpression(node)) {
    const path = node.getText()
    return path === 'Date.now' || path === 'Math.random' ? path : undefined
  }
  if (ts.isIdentifier(node) && forbidden.has(node.text) && !isName(node)) return node.text
}

/** True where an identifier names a member and so reaches for nothing: `.x`, `x:`. */
function isName(node: ts.Identifier) {
  const { parent } = node
  return (
    (ts.isPropertyAccessExpression(parent) ||
      ts.isPropertyAssignment(parent) ||
      ts.isPropertySignature(parent)) &&
    parent.name === node
  )
}

/** The files that a file imports, for types too. */
function importsOf(file: string): string[] {
  return ts
    .preProcessFile(readFileSync(file, 'utf8'))
    .importedFiles.flatMap(({ fileName }) =>
      fileName.startsWith('.') ? resolve(dirname(file), fileName.replace(/\.js$/, '.ts')) : [],
    )
}

function reachableFrom(...files: string[]) {
  const seen = new Set(files)
  for (const file of seen) {
    for (const imported of importsOf(file)) seen.add(imported)
  }
  return [...seen].sort()
}

function sourcesIn(folder: string) {
  if (!existsSync(join(src, folder))) return []
  return readdirSync(join(src, folder))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(src, folder, file))
}

/** The names a file exports, types marked; `*` would hide some, so it shows as itself. */
function exportedNames(file: string) {
  return parse(join(src, file)).statements.flatMap(exportsOf).sort()
}

function exportsOf(statement: ts.Statement): string[] {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause, isTypeOnly } = statement
    if (!exportClause || !ts.isNamedExports(exportClause)) return ['*']
    return exportClause.elements.map(
      (element) => `${isTypeOnly || element.isTypeOnly ? 'type ' : ''}${element.name.text}`,
    )
  }
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
  if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
    return [`type ${statement.name.text}`]
  }
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  }
  const { name } = statement as ts.FunctionDeclaration | ts.ClassDeclaration
  return [name?.text ?? 'default']
}

function parse(file: string) {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
}

function camelCase(stem: string) {
  return stem.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

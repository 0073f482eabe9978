import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// What a user gets: the packed tarball, installed into an empty folder, run by plain Node.
describe('the package as installed', () => {
  const source = fileURLToPath(new URL('..', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'unloop-package-'))
  const installed = join(folder, 'node_modules/unloop')

  beforeAll(() => {
    npm(source, 'pack', '--pack-destination', folder)
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    npm(folder, 'install', '--offline', '--no-audit', '--no-fund', tarball())
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('runs the first example of the README, which prints what the README says', () => {
    const readme = readFileSync(join(installed, 'README.md'), 'utf8')
    const [code, output] = [block(readme, 'js'), block(readme, 'text')]
    expect(code).toContain("from 'unloop'")
    expect(run(code)).toBe(output)
  })

  it('has a README whose links work outside the repository', () => {
    const readme = readFileSync(join(installed, 'README.md'), 'utf8')
    const targets = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target)
    expect(targets).toContain(
      'https://github.com/unloop-dev/unloop/raw/main/docs/pictures/dialog.svg',
    )
    expect(targets.filter((target) => !target?.startsWith('https://'))).toEqual([])
  })

  const paths = () => {
    const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    return Object.keys(exports)
      .filter((path) => !path.endsWith('.json'))
      .map((path) => `unloop${path.slice(1)}`)
  }

  /** The paths of which a condition does not hold, by name. */
  const failing = (condition: string) =>
    run(`import { createRequire } from 'node:module'
      const require = createRequire(import.meta.url)
      for (const path of ${JSON.stringify(paths())}) {
        const imported = await import(path)
        if (!(${condition})) console.log(path)
      }`)

  it('gives every path that package.json exports', () => {
    expect(paths().length).toBeGreaterThan(15)
    expect(failing('Object.keys(imported).length > 0')).toBe('')
  })

  it('can be required, and is the same then', () => {
    const isSame = 'Object.keys(imported).every((name) => require(path)[name] === imported[name])'
    expect(failing(isSame)).toBe('')
  })

  it.each([
    ['node16', 'node16', 'mts'],
    ['node16', 'node16', 'cts'],
    ['nodenext', 'nodenext', 'mts'],
    ['nodenext', 'nodenext', 'cts'],
    ['esnext', 'bundler', 'ts'],
    ['commonjs', 'node10', 'ts'],
  ])(
    'has types for %s with the resolution %s, from a .%s file',
    (module, moduleResolution, kind) => {
      const lines = paths().map((path, at) => `import * as e${at} from '${path}'`)
      const used = paths().map((_, at) => `Object.keys(e${at})`)
      const source = `${lines.join('\n')}
      import { createGuard, type Finding, LoopError } from 'unloop'
      import { guardRun, type Outcome, outcomeOf } from 'unloop/ai-sdk'
      const guard = createGuard({ onFault: ({ part }) => part.length })
      const finding: Finding | undefined = guard.observe({ type: 'turn-start' })
      const outcome: Outcome = outcomeOf(guard)
      // @ts-expect-error: there is a type, and it has no such field
      guard.nothing
      export const error: LoopError | undefined = finding && new LoopError(finding)
      export const all = [${used.join()}, outcome, guardRun(guard, { onStepFinish: ({ text }) => text.length })]
    `
      const project = join(folder, `${module}-${kind}`)
      mkdirSync(project, { recursive: true })
      writeFileSync(join(project, `main.${kind}`), source)
      const compilerOptions = {
        ...{ module, moduleResolution, target: 'es2022', strict: true, noEmit: true },
        ...{ exactOptionalPropertyTypes: true, lib: ['es2023', 'dom'], types: [] },
      }
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
      expect(compile(project)).toBe('')
    },
  )

  it('holds the built code, its types, the README and the licence, and nothing else', () => {
    const files = readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1))
    const expected = /^(dist\/.+(?<!\.test)\.(c?js|d\.c?ts)|package\.json|README\.md|LICENSE)$/
    expect(files.filter((file) => !expected.test(file))).toEqual([])
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'dist/index.js']))
  })

  it('needs no other package', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => name[0] !== '.')).toEqual([
      'unloop',
    ])
  })

  function run(code: string) {
    writeFileSync(join(folder, 'example.mjs'), code)
    return execFileSync(process.execPath, ['example.mjs'], { cwd: folder, encoding: 'utf8' })
  }

  function tarball() {
    const [name] = readdirSync(folder).filter((file) => file.endsWith('.tgz'))
    return `./${name}`
  }
})

function npm(cwd: string, ...args: string[]) {
  execFileSync('npm', args, { cwd, stdio: 'pipe', shell: process.platform === 'win32' })
}

/** What the compiler says. */
function compile(project: string): string {
  const tsc = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' })
  return stdout + stderr
}

/** The first fenced block of a language. */
function block(markdown: string, language: string) {
  const found = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(markdown)
  if (!found?.[1]) throw new Error(`the README has no ${language} block`)
  return found[1]
}

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => join(root, 'node_modules', '.bin', name)
const kinds = ['detector', 'format', 'adapter', 'dialect']

let copy: string
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'unloop-new-'))
  const packages = ['unloop', 'transcripts', 'testing'].map((name) => `packages/${name}`)
  const configs = ['tsconfig.base.json', 'tsconfig.test.json', 'vitest.config.ts', 'biome.json']
  const pages = ['docs', 'README.md', 'ARCHITECTURE.md', 'package.json']
  for (const part of ['scripts', ...configs, ...pages, ...packages]) {
    const filter = (path: string) => !/[\\/](node_modules|dist|\.cache)$/.test(path)
    cpSync(join(root, part), join(copy, part), { recursive: true, filter })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

function run(command: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: copy, encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

const generate = (kind: string, name: string) => run('node', `scripts/new-${kind}.mjs`, name)

/** What a command said, unless all is well. */
const complaintOf = ({ status, output }: ReturnType<typeof run>) => (status === 0 ? '' : output)

describe('what the generators write', () => {
  const sources: string[] = []

  it.each(kinds)('new-%s names its files and the next steps', (kind) => {
    const { status, output } = generate(kind, 'brand-new')
    expect({ status, output }).toMatchObject({ status: 0 })
    expect(output).toMatch(/\nNext:\n {2}1\. .+\n {2}2\. /)
    const files = [...output.matchAll(/^(?:wrote|changed) +(.+)$/gm)].map(([, file]) => file ?? '')
    expect(files.filter((file) => file.endsWith('.md'))).not.toEqual([])
    sources.push(...files.filter((file) => file.endsWith('.ts')))
  })

  it('compiles', () => {
    const files = [...new Set(sources)]
    const config = { extends: './tsconfig.test.json', include: [], files }
    writeFileSync(join(copy, 'tsconfig.new.json'), JSON.stringify(config))
    expect(complaintOf(run(bin('tsc'), '-p', 'tsconfig.new.json'))).toBe('')
  })

  it('is formatted', () => {
    const args = ['check', '--vcs-enabled=false', '--error-on-warnings', ...new Set(sources)]
    expect(complaintOf(run(bin('biome'), ...args))).toBe('')
  })

  it('passes its tests, and those that hold the lists and pages', () => {
    const held = ['unloop/test/conformance', 'unloop/test/pages', 'transcripts/test/readme']
    const { status, output } = run(bin('vitest'), 'run', 'brand-new', 'dialects', ...held)
    expect(complaintOf({ status, output })).toBe('')
    for (const name of ['detectors', 'adapters/brand-new', 'transcripts/test']) {
      expect(output).toMatch(new RegExp(`${name}/brand-new\\.test\\.ts`))
    }
  })
})

it.each(kinds)('new-%s refuses a name that it cannot use, or that is taken', (kind) => {
  for (const name of ['', 'MyAgent', '../x', 'a b']) {
    const { status, output } = generate(kind, name)
    expect({ status, output }).toMatchObject({ status: 2 })
    expect(output).toContain(`npm run new-${kind} <name>`)
  }
  const { status, output } = generate(kind, 'brand-new')
  expect({ status, output }).toMatchObject({ status: 2 })
  expect(output).not.toContain('wrote')
})

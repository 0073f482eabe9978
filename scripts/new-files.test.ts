import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => join(root, 'node_modules', '.bin', name)

let copy: string
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'unloop-new-'))
  const parts = ['package.json', 'tsconfig.base.json', 'tsconfig.test.json', 'vitest.config.ts']
  const packages = ['unloop', 'transcripts', 'testing'].map((name) => `packages/${name}`)
  for (const part of ['biome.json', 'scripts', 'docs', ...parts, ...packages]) {
    const filter = (path: string) => !/[\\/](node_modules|dist|\.cache)$/.test(path)
    cpSync(join(root, part), join(copy, part), { recursive: true, filter })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

const run = (command: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: copy, encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

/** Generates, and gives the files that were written. */
function generate(kind: string, name: string): string[] {
  const out = execFileSync('node', [`scripts/new-${kind}.mjs`, name], {
    cwd: copy,
    encoding: 'utf8',
  })
  expect(out).toMatch(/\nNext:\n {2}1\. /)
  return [...out.matchAll(/^(?:wrote|changed) +(.+)$/gm)].map(([, file]) => file as string)
}

/** Compiles what was generated with all it imports, lints it, and runs the tests. */
function check(files: readonly string[], tests: readonly string[]) {
  const sources = files.filter((file) => file.endsWith('.ts'))
  const config = { extends: './tsconfig.test.json', include: [], files: sources }
  writeFileSync(join(copy, 'tsconfig.new.json'), JSON.stringify(config))
  expect(run(bin('tsc'), '-p', 'tsconfig.new.json')).toEqual({ status: 0, output: '' })
  const lint = ['check', '--vcs-enabled=false', '--error-on-warnings', ...sources]
  expect(run(bin('biome'), ...lint)).toMatchObject({ status: 0 })
  const { status, output } = run(bin('vitest'), 'run', ...tests)
  expect(output).toContain('passed')
  expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' })
}

describe('what the generators write compiles, is formatted and passes its tests', () => {
  it('new-format', () => {
    const files = generate('format', 'my-agent')
    expect(files).toEqual([
      'packages/transcripts/src/formats/my-agent.ts',
      'packages/transcripts/test/fixtures/my-agent.jsonl',
      'packages/transcripts/test/my-agent.test.ts',
      'docs/transcripts/my-agent.md',
      'packages/transcripts/src/formats.ts',
      'docs/transcripts/index.md',
    ])
    const also = ['experimental', 'readme', 'find'].map(
      (name) => `transcripts/test/${name}.test.ts`,
    )
    check(files, ['my-agent', ...also])
  })
})

it.each(['format'])('new-%s refuses a name it cannot use, and one that is taken', (kind) => {
  for (const name of ['', 'MyAgent', '../x', 'a b']) {
    const { status, output } = run('node', `scripts/new-${kind}.mjs`, name)
    expect(status).toBe(2)
    expect(output).toContain(`npm run new-${kind} <name>`)
  }
})

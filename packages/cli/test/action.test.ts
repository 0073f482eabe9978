import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { emptyFolder, unloop } from './host.js'
import { claudeLines, toLines } from './transcripts.js'

interface Action {
  inputs: Record<string, { description: string; default: string }>
  runs: { using: string; steps: { shell: string; env: Record<string, string>; run: string }[] }
}

const file = fileURLToPath(new URL('../../../actions/scan/action.yml', import.meta.url))
const bin = fileURLToPath(new URL('../bin/unloop.js', import.meta.url))
const action = parse(readFileSync(file, 'utf8')) as Action
const [step] = action.runs.steps as [Action['runs']['steps'][number]]

/** A folder with a session that is stuck, in a folder with a blank and a dash in its name. */
function stuckFolder(): string {
  const cwd = emptyFolder()
  mkdirSync(join(cwd, '-my logs'))
  writeFileSync(join(cwd, '-my logs/s1.jsonl'), toLines(claudeLines(12)))
  return cwd
}

/** Runs the step as a runner does, with `npx` being this command. */
function runStep(cwd: string, inputs: Record<string, string>) {
  const programs = emptyFolder()
  // without --yes and the name of the package
  writeFileSync(
    join(programs, 'npx'),
    `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${bin}" "$@"\n`,
  )
  chmodSync(join(programs, 'npx'), 0o755)
  const given = Object.entries(step.env).map(([name, value]) => {
    const [, input = ''] = /inputs\.(\w+)/.exec(value) ?? []
    return [name, inputs[input] ?? action.inputs[input]?.default ?? '']
  })
  const env = {
    ...Object.fromEntries(given),
    PATH: `${programs}:${process.env.PATH}`,
    HOME: cwd,
    RUNNER_TEMP: programs,
    GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
  }
  const args = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', step.run]
  const { status, stdout, stderr } = spawnSync('bash', args, { cwd, env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe('the GitHub action', () => {
  it('uses every input, and no input as code', () => {
    expect(action.runs.using).toBe('composite')
    expect(action.runs.steps).toHaveLength(1)
    const used = Object.values(step.env).map(
      (value) => /^\$\{\{ inputs\.(\w+) \}\}$/.exec(value)?.[1],
    )
    expect(used.sort()).toEqual(Object.keys(action.inputs).sort())
    expect(step.run).not.toContain('${{')
    for (const name of Object.keys(step.env)) expect(step.run).toContain(name)
    for (const { description } of Object.values(action.inputs)) expect(description).toMatch(/^\w.+/)
  })

  it('fails if there are new loops, with an annotation and a summary', () => {
    const cwd = stuckFolder()
    const { status, stdout } = runStep(cwd, {
      paths: '-my logs\n',
      html: 'a b.html',
      sarif: 'a.sarif',
    })
    expect(status).toBe(1)
    expect(stdout).toMatch(/^::error file=.*s1\.jsonl,line=\d+,title=/)
    expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toContain('1 stuck run')
    expect(readFileSync(join(cwd, 'a b.html'), 'utf8')).toContain('<!doctype html>')
    expect(JSON.parse(readFileSync(join(cwd, 'a.sarif'), 'utf8')).version).toBe('2.1.0')
  })

  it('passes with a baseline that has them, and if it should not fail', async () => {
    const cwd = stuckFolder()
    await unloop(['scan', '--write-baseline', 'known.json', '--', '-my logs'], { cwd })
    expect(runStep(cwd, { paths: '-my logs', baseline: 'known.json' }).status).toBe(0)
    expect(runStep(cwd, { paths: '-my logs', fail: 'false' }).status).toBe(0)
    expect(runStep(cwd, { paths: '-my logs', baseline: 'none.json' }).status).toBe(2)
  })

  it('runs nothing that an input says', () => {
    const cwd = stuckFolder()
    const evil = '$(touch owned); `touch owned` "; touch owned; "'
    for (const input of ['paths', 'since', 'baseline', 'fail', 'version']) {
      runStep(cwd, { paths: '-my logs', [input]: evil })
    }
    expect(spawnSync('ls', { cwd, encoding: 'utf8' }).stdout).not.toContain('owned')
  })
})

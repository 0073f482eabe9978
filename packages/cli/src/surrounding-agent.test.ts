import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { emptyFolder } from '../test/host.js'
import { surroundingAgent } from './surrounding-agent.js'

const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill()
})

const inside = (env: NodeJS.ProcessEnv, ppid?: number) =>
  surroundingAgent({ env, platform: 'linux', ...(ppid !== undefined && { ppid }) })

/** A process that waits, started by a script of this name, with these variables. */
async function waitIn(path: string, env: NodeJS.ProcessEnv = {}): Promise<number> {
  const script = join(emptyFolder(), path)
  mkdirSync(dirname(script), { recursive: true })
  // the variables are gone in the process itself
  writeFileSync(script, 'env -i sh -c "echo \\$\\$; read line; true"; true')
  const child = spawn('/bin/sh', [script], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  running.push(child)
  const [line] = await once(child.stdout, 'data')
  return Number(line)
}

describe('the agent around a command', () => {
  it.each([
    ['Claude Code', { CLAUDECODE: '1' }],
    ['Codex', { CODEX_THREAD_ID: '01a1' }],
    ['Gemini CLI', { GEMINI_CLI: '1' }],
    ['qwen-code', { QWEN_CODE: '1' }],
    ['opencode', { OPENCODE: '1' }],
    ['Cursor', { CURSOR_AGENT: '1' }],
    ['an agent', { AI_AGENT: 'goose' }],
  ])('%s is known by what it sets', (title, env) => {
    expect(inside(env)).toBe(title)
  })

  it('is none where the person has settings of an agent, or an editor with one', () => {
    const env = {
      ...{ CODEX_HOME: '/a', GEMINI_API_KEY: 'x', OPENCODE_CONFIG: '/a', CURSOR_TRACE_ID: 'x' },
      ...{ CLAUDE_CONFIG_DIR: '/a', QWEN_HOME: '/a', CLAUDECODE: '', TERM_PROGRAM: 'vscode' },
    }
    expect(inside(env)).toBeUndefined()
  })

  // only Linux tells of other processes without starting one
  const isLinux = process.platform === 'linux'

  it.each([
    ['bin/claude', {}, 'Claude Code'],
    ['node_modules/@google/gemini-cli/bundle/gemini.js', {}, 'Gemini CLI'],
    ['node_modules/@qwen-code/qwen-code/cli.js', {}, 'qwen-code'],
    ['bin/codex', {}, 'Codex'],
    ['run.sh', { OPENCODE: '1' }, 'opencode'],
  ])('is known above a command that has unset its variables: %s %j', async (path, env, title) => {
    if (isLinux) expect(inside({}, await waitIn(path, env))).toBe(title)
  })

  it.each([
    ['claude/codex/build.sh', {}],
    ['codex', {}],
    ['scripts/cline', {}],
    ['build.sh', { AGENT: 'jenkins-7' }],
  ])(
    'is none above a command of the person, whatever their files are called: %s %j',
    async (path, env) => {
      const found = inside(env, await waitIn(path, env))
      // these tests may be run by an agent
      expect(found).toBe(inside({}, process.pid))
    },
  )
})

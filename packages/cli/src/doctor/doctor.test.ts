import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { emptyFolder, unloop } from '../../test/host.js'
import { codingAgents } from '../coding-agents/index.js'

const bin = fileURLToPath(new URL('../../bin/unloop.js', import.meta.url))
const names = codingAgents.map(({ name }) => name)

/** A machine with the real `unloop` on the PATH. */
function machine() {
  const root = emptyFolder()
  for (const folder of ['home', 'project', 'bin']) mkdirSync(join(root, folder))
  const program = (name: string, script: string) =>
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  program('unloop', `exec '${process.execPath}' '${bin}' "$@"`)
  const PATH = [join(root, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(':')
  const env = { HOME: join(root, 'home'), UNLOOP_HOME: join(root, 'state'), PATH }
  const run = (...args: string[]) => unloop(args, { cwd: join(root, 'project'), env })
  return { root, program, run, state: join(root, 'state') }
}

it('plays a loop to the installed command of every agent', async () => {
  const { run } = machine()
  await run('init', ...names, '--yes')
  const { code, stdout } = await run('doctor', '--json')
  const { agents } = JSON.parse(stdout)
  expect(agents.map(({ agent }: { agent: string }) => agent)).toEqual(names)
  for (const { refusedAt, milliseconds, problems } of agents) {
    expect(problems).toEqual([])
    expect(refusedAt).toBeLessThanOrEqual(6)
    expect(milliseconds).toBeGreaterThan(0)
  }
  expect(code).toBe(0)
})

it('runs the copy of the hook where unloop is not on the PATH, and removes it with the last hook', async () => {
  const { root, run } = machine()
  rmSync(join(root, 'bin/unloop'))
  await run('init', 'claude-code', 'cline', '--yes')
  const settings = readFileSync(join(root, 'home/.claude/settings.json'), 'utf8')
  expect(settings).toContain(join(root, 'state/bin/unloop'))
  const { code, stdout } = await run('doctor')
  expect(stdout).toContain('Claude Code')
  expect(stdout).toMatch(/works: identical failing call \d was refused; \d+ ms per event/)
  expect(code).toBe(0)
  await run('init', '--remove', 'cline', '--yes')
  expect(readFileSync(join(root, 'state/bin/unloop'), 'utf8')).toContain('hook.cjs')
  await run('init', '--remove', '--yes')
  expect(() => readFileSync(join(root, 'state/bin/unloop'))).toThrow('ENOENT')
})

it('tells what is wrong and what to do', async () => {
  const { root, program, run } = machine()
  program('claude', 'echo "2.1.325 (Claude Code)"')
  program('gemini', 'exit 1')
  const bare = await run('doctor')
  expect(bare.code).toBe(1)
  expect(bare.stdout).toContain('Claude Code 2.1.325: problem')
  expect(bare.stdout).toContain('It is not guarded. Run: unloop init claude-code')
  expect(bare.stdout).toContain('Check that Gemini CLI starts.')

  await run('init', 'claude-code', '--yes')
  rmSync(join(root, 'bin/unloop'))
  const missing = await run('doctor')
  expect(missing.stdout).toContain(
    'the command was not found. Run: npx @unloop/cli init claude-code',
  )

  program('unloop', 'exit 0')
  const silent = await run('doctor')
  expect(silent.stdout).toContain('none of 8 identical failing calls was refused')

  writeFileSync(join(root, 'home/.claude/settings.json'), '{')
  const broken = await run('doctor')
  expect(broken.stdout).toContain('settings.json, line 1, column 2: a closing } is missing')
})

it.each(['trusted', 'untrusted'])(
  'asks Codex whether it trusts the hook: %s',
  async (trust) => {
    const { root, program, run } = machine()
    const sourcePath = join(root, 'home/.codex/hooks.json')
    const hooks = [{ sourcePath, command: 'unloop hook codex', trustStatus: trust }]
    const answer = JSON.stringify({ id: 1, result: { data: [{ hooks }] } })
    program('codex', `[ "$1" = app-server ] && echo '${answer}' || echo codex-cli 0.166.0`)
    await run('init', 'codex', '--yes')
    const { code, stdout } = await run('doctor')
    expect(stdout).toContain('Codex 0.166.0')
    expect(code).toBe(trust === 'trusted' ? 0 : 1)
    expect(stdout).toContain(trust === 'trusted' ? '  trusted' : 'type /hooks and trust the hooks')
  },
  60_000,
)

interface Hooks {
  hooks: Record<string, { matcher?: string }[]>
}

it.each<[string, string, (settings: Hooks) => object, string]>([
  [
    'claude-code',
    '.claude',
    (settings) => ({ ...settings, disableAllHooks: true }),
    'settings.json says "disableAllHooks": true. Remove that setting.',
  ],
  [
    'gemini-cli',
    '.gemini',
    (settings) => ({ ...settings, hooksConfig: { enabled: false } }),
    'settings.json says "hooksConfig": {"enabled": false}. Remove that setting.',
  ],
  [
    'claude-code',
    '.claude',
    ({ hooks: { PostToolBatch: _, Stop: __, ...hooks } }) => ({ hooks }),
    'does not see every Stop, PostToolBatch. Run: unloop init claude-code',
  ],
  [
    'claude-code',
    '.claude',
    ({ hooks }) => ({
      hooks: { ...hooks, PreToolUse: hooks.PreToolUse?.map((g) => ({ matcher: 'Bash', ...g })) },
    }),
    'does not see every PreToolUse. Run: unloop init claude-code',
  ],
])(
  'knows that %s is not guarded by what stands in %s',
  async (name, folder, change, words) => {
    const { root, run } = machine()
    await run('init', name, '--yes')
    const path = join(root, 'home', folder, 'settings.json')
    writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')))))
    const { code, stdout } = await run('doctor')
    expect(stdout).toContain(words)
    expect(code).toBe(1)
    if (!words.includes('Run:')) return
    await run('init', name, '--yes')
    expect((await run('doctor')).code).toBe(0)
  },
  60_000,
)

it('knows that the hook cannot write', async () => {
  const { root, run, state } = machine()
  await run('init', 'claude-code', '--yes')
  rmSync(state, { recursive: true })
  writeFileSync(join(root, 'state'), '')
  const { code, stdout } = await run('doctor')
  expect(stdout).toContain(`cannot remember anything: ${state} is not a folder.`)
  expect(code).toBe(1)
})

it.each([
  ['off', 'nothing is guarded in this folder'],
  ['observe', 'nothing is refused or stopped'],
])(
  'notes that the mode of the folder is %s',
  async (mode, words) => {
    const { root, run } = machine()
    await run('init', 'claude-code', '--yes')
    writeFileSync(join(root, 'project/unloop.config.json'), JSON.stringify({ mode }))
    expect((await run('doctor')).stdout).toContain('is not trusted, so this is ignored: mode')
    await run('trust', '--yes')
    const { code, stdout } = await run('doctor')
    expect(stdout).toContain(`unloop.config.json has "mode": "${mode}", so`)
    expect(stdout).toContain(words)
    expect(code).toBe(0)
    expect(JSON.parse((await run('doctor', '--json')).stdout).note).toContain(words)
  },
  60_000,
)

it('says so if there is no agent', async () => {
  const { code, stdout } = await machine().run('doctor')
  expect(code).toBe(1)
  expect(stdout).toContain('No coding agent found on this machine.')
})

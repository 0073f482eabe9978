import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHost, emptyFolder, unloop } from '../../test/host.js'
import { codingAgents } from '../coding-agents/index.js'
import { stepsOf } from './apply.js'
import { launchFor, toSh } from './launcher.js'
import { planInstall } from './plan.js'

const names = codingAgents.map(({ name }) => name)

/** A person's home and project, with `unloop` on the PATH. */
function machine(files: Record<string, string> = {}) {
  const root = emptyFolder()
  const home = join(root, 'home')
  const project = join(root, 'project')
  const bin = join(root, 'bin')
  for (const folder of [home, project, bin]) mkdirSync(folder)
  writeFileSync(join(bin, 'unloop'), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const [path, content] of Object.entries(files)) write(path, content)
  const env = { HOME: home, PATH: bin, UNLOOP_HOME: join(root, 'state') }
  return {
    root,
    home,
    env,
    project,
    /** What the hook of an agent runs. */
    command: (agent: string) => `"${join(root, 'state/bin/unloop')}" hook ${agent}`,
    write,
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
    run: (...args: string[]) => unloop(['init', ...args], { cwd: project, env }),
    answer: (text: string, ...args: string[]) => {
      const stdin = Object.assign(Readable.from([text]), { isTTY: true }) as unknown as Readable
      return unloop(['init', ...args], { cwd: project, env, stdin, isTerminal: true })
    },
    host: createHost([], { cwd: project, env }).host,
    /** Every file and folder but our own state, with content and mode. */
    tree: () => treeOf(root, root),
  }
}

const treeOf = (root: string, folder: string): Record<string, string> =>
  Object.assign(
    {},
    ...readdirSync(folder).map((name) => {
      const path = join(folder, name)
      const key = relative(root, path)
      const { mode } = lstatSync(path)
      if (key === 'state') return {}
      if (!existsSync(path)) return { [key]: `${mode}` }
      if (!statSync(path).isDirectory()) return { [key]: `${mode} ${readFileSync(path, 'latin1')}` }
      return { [key]: `${mode}`, ...treeOf(root, path) }
    }),
  )

const SETTINGS = `{
  // mine
  "model": "opus", // the large one
  "hooks": {
    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }],
  },
}
`

describe('unloop init', () => {
  it('finds agents by their home folder and by their program', async () => {
    const here = machine({ 'home/.claude/settings.json': '{}', 'bin/codex': '#!/bin/sh\n' })
    chmodSync(join(here.root, 'bin/codex'), 0o755)
    const { code, stdout } = await here.run('--yes')
    expect(code).toBe(0)
    expect(stdout).toContain('Claude Code is guarded from its next session on.')
    expect(stdout).toContain('Codex has the hook, but needs you: Start codex')
    expect(stdout).toContain('type /hooks and trust')
    expect(stdout).not.toContain('Gemini')
    expect(here.read('home/.codex/hooks.json')).toContain(
      `"command": ${JSON.stringify(here.command('codex'))}`,
    )
  })

  it('says so if there is no agent', async () => {
    const { code, stdout } = await machine().run('--yes')
    expect(code).toBe(1)
    expect(stdout).toContain('No coding agent found')
    expect(stdout).toContain('unloop init claude-code')
  })

  it('knows its agents by name', async () => {
    const { code, stderr } = await machine().run('claud-code')
    expect(code).toBe(2)
    expect(stderr).toContain('unknown agent: claud-code; did you mean claude-code?')
  })

  it('shows every line, and keeps comments, order and layout', async () => {
    const here = machine({ 'home/.claude/settings.json': SETTINGS })
    const { stdout } = await here.run('--yes')
    const running = (command: string) =>
      `{ "hooks": [{ "type": "command", "command": ${JSON.stringify(command)}, "timeout": 5 }] }`
    const entry = running(here.command('claude-code'))
    const beforeCall = running(`${here.command('claude-code')} --before`)
    expect(stdout).toContain(`    +       ${entry}`)
    expect(here.read('home/.claude/settings.json')).toBe(`{
  // mine
  "model": "opus", // the large one
  "hooks": {
    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }, ${entry}],
    "UserPromptSubmit": [
      ${entry}
    ],
    "PreToolUse": [
      ${beforeCall}
    ],
    "SubagentStop": [
      ${entry}
    ],
    "PreCompact": [
      ${entry}
    ],
    "PostToolBatch": [
      ${entry}
    ],
  },
}
`)
  })

  it('writes nothing without a yes', async () => {
    const here = machine({ 'home/.claude/settings.json': SETTINGS })
    const before = here.tree()
    const unasked = await here.run()
    expect(unasked.code).toBe(2)
    expect(unasked.stderr).toContain('no terminal to ask in; add --yes')
    expect((await here.run('--dry-run')).code).toBe(0)
    expect((await here.run('--json')).code).toBe(2)
    const declined = await here.answer('n\n')
    expect(declined.code).toBe(1)
    expect(declined.stdout).toContain('Write 2 files? [y/N]')
    expect(declined.stdout).toContain('Nothing was written.')
    expect(here.tree()).toEqual(before)
    expect((await here.answer('y\n')).code).toBe(0)
    expect(here.tree()).not.toEqual(before)
  })

  it('counts the copy of itself, and updates it when the hooks are there', async () => {
    const here = machine({ 'home/.claude/settings.json': SETTINGS })
    rmSync(join(here.root, 'bin/unloop'))
    const { stdout } = await here.answer('y\n')
    expect(stdout).toContain(`create ${join(here.root, 'state/bin/hook.cjs')}`)
    expect(stdout).toContain('Write 3 files? [y/N]')
    const copy = here.read('state/bin/unloop')
    here.write('state/bin/unloop', 'an older one')
    const again = await here.answer('y\n')
    expect(again.stdout).toContain('Write 1 file? [y/N]')
    expect(again.stdout).toContain('The copy of unloop was updated.')
    expect(here.read('state/bin/unloop')).toBe(copy)
    expect((await here.run()).stdout).toBe('Claude Code: already installed\n')
  })

  it('prints JSON', async () => {
    const here = machine({ 'home/.claude/settings.json': SETTINGS })
    const { stdout } = await here.run('--json', '--dry-run')
    const { scope, agents } = JSON.parse(stdout)
    expect(scope).toBe('user')
    expect(agents).toMatchObject([{ agent: 'claude-code', action: 'install', written: false }])
    expect(agents[0].files[0].path).toBe(join(here.home, '.claude/settings.json'))
    expect(agents[0].files[0].lines).toContain('+    "PreToolUse": [')
    const second = JSON.parse((await here.run('--json', '--yes')).stdout)
    expect(second.agents).toMatchObject([{ action: 'install', written: true }])
  })

  it.each(names)('installs %s twice as once, and removes it without a trace', async (name) => {
    for (const scope of ['--user', '--project']) {
      const here = machine()
      const before = here.tree()
      expect(await here.run(name, scope, '--yes')).toMatchObject({ code: 0, stderr: '' })
      const installed = here.tree()
      expect(Object.keys(installed).length).toBeGreaterThan(Object.keys(before).length)
      const again = await here.run(name, scope, '--yes')
      expect(again.stdout).toContain('already installed')
      expect(here.tree()).toEqual(installed)
      expect(await here.run('--remove', scope, '--yes')).toMatchObject({ code: 0, stderr: '' })
      expect(here.tree()).toEqual(before)
      expect(readdirSync(join(here.root, 'state/backups'))).toEqual([])
    }
  })

  it('respects the variables that move the folders of agents', async () => {
    const here = machine()
    const at = (name: string) => join(here.root, name)
    Object.assign(here.env, {
      CLAUDE_CONFIG_DIR: at('a'),
      CODEX_HOME: at('b'),
      GEMINI_CLI_HOME: at('c'),
      QWEN_HOME: at('d'),
      XDG_CONFIG_HOME: at('e'),
      COPILOT_HOME: at('f'),
    })
    await here.run(...names, '--yes')
    for (const path of [
      'a/settings.json',
      'b/hooks.json',
      'c/.gemini/settings.json',
      'd/settings.json',
      'e/opencode/plugin/unloop.js',
      'f/hooks/unloop.json',
      'home/.cursor/hooks.json',
      'home/.cline/hooks/PreToolUse',
    ]) {
      expect(existsSync(at(path)), path).toBe(true)
    }
  })

  it('restores any file byte for byte', async () => {
    const text = fc
      .constantFrom('\n', '\r\n')
      .chain((lineEnd) =>
        fc
          .tuple(
            fc.constantFrom('', '\ufeff'),
            fc.constantFrom(
              '{}',
              '{ "a": 1 }',
              '{\n\t"a": [1, 2], // b\n}',
              SETTINGS,
              '',
              '/* c */{}',
            ),
            fc.constantFrom('', '\n', '\n\n  '),
          )
          .map((parts) => parts.join('').replaceAll('\n', lineEnd)),
      )
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(0o600, 0o644), async (content, mode) => {
        const here = machine({ 'home/.claude/settings.json': content })
        chmodSync(join(here.home, '.claude/settings.json'), mode)
        const before = here.tree()
        expect(await here.run('--yes')).toMatchObject({ code: 0 })
        expect(here.tree()).not.toEqual(before)
        await here.run('--remove', '--yes')
        expect(here.tree()).toEqual(before)
      }),
      { numRuns: 40 },
    )
  })

  it('restores a file after an update of its own entries', async () => {
    const here = machine({ 'home/.claude/settings.json': SETTINGS })
    const before = here.tree()
    await here.run('--yes')
    const path = 'home/.claude/settings.json'
    here.write(path, here.read(path).replaceAll('"timeout": 5', '"timeout": 7'))
    const { stdout } = await here.run('--yes')
    expect(stdout).toContain('Claude Code: update')
    expect(here.read(path)).not.toContain('"timeout": 7')
    await here.run('--remove', '--yes')
    expect(here.read(path)).toContain('say done')
    expect(here.read(path)).not.toContain('unloop')
    expect(Object.keys(here.tree())).toEqual(Object.keys(before))
  })

  it('replaces the entries of an older version, and restores the file as it was before both', async () => {
    const here = machine({ 'home/.claude/settings.json': SETTINGS })
    const before = here.tree()
    const path = 'home/.claude/settings.json'
    await here.run('--yes')
    const older = here
      .read(path)
      .replace('"PostToolBatch": [', (list) => list.replace('Batch', 'Use'))
    here.write(path, older)
    const names = readdirSync(join(here.root, 'state/backups'), { recursive: true }).map(String)
    const record = `state/backups/${names.find((name) => name.endsWith('record.json'))}`
    const written = createHash('sha256').update(older).digest('hex')
    here.write(record, JSON.stringify({ ...JSON.parse(here.read(record)), written: [written] }))
    const { stdout } = await here.run('--yes')
    expect(stdout).toContain('Claude Code: update')
    expect(here.read(path)).toContain('PostToolBatch')
    expect(here.read(path)).not.toContain('PostToolUse')
    await here.run('--remove', '--yes')
    expect(here.tree()).toEqual(before)
  })

  it('removes only its own entries from a file that was changed since', async () => {
    const here = machine({ 'home/.claude/settings.json': SETTINGS })
    const path = 'home/.claude/settings.json'
    await here.run('--yes')
    here.write(path, here.read(path).replace('"opus"', '"haiku"'))
    await here.run('--remove', '--yes')
    expect(here.read(path)).toBe(SETTINGS.replace('"opus"', '"haiku"'))
  })

  it('updates a hook that shares a group with others', async () => {
    const group = (
      command: string,
      timeout: number,
    ) => `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[
      {"type":"command","command":"lint"},
      { "type": "command", "command": ${JSON.stringify(command)}, "timeout": ${timeout} }]}]}}`
    const here = machine({ 'home/.claude/settings.json': group('unloop hook claude-code', 3) })
    await here.run('--yes')
    const { hooks } = JSON.parse(here.read('home/.claude/settings.json'))
    const updated = group(`${here.command('claude-code')} --before`, 5)
    expect(hooks.PreToolUse).toEqual(JSON.parse(updated).hooks.PreToolUse)
    await here.run('--remove', '--yes')
    expect(JSON.parse(here.read('home/.claude/settings.json')).hooks).toEqual({
      PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: 'lint' }] }],
    })
  })

  it.each([[[]], [[{ type: 'command', command: 'lint' }]]])(
    'takes a hook out of a group for some tools only, beside %j',
    async (others) => {
      const ours = { type: 'command', command: 'unloop hook claude-code', timeout: 5 }
      const group = { matcher: 'Bash', hooks: [...others, ours] }
      const settings = JSON.stringify({ hooks: { PreToolUse: [group] } })
      const here = machine({ 'home/.claude/settings.json': settings })
      await here.run('--yes')
      const { hooks } = JSON.parse(here.read('home/.claude/settings.json'))
      expect(hooks.PreToolUse).toEqual([
        ...(others.length > 0 ? [{ matcher: 'Bash', hooks: others }] : []),
        { hooks: [{ ...ours, command: `${here.command('claude-code')} --before` }] },
      ])
    },
  )

  it('leaves a command that only contains its own', async () => {
    const mine = {
      PreToolUse: [
        {
          hooks: [
            {
              type: 'command',
              command: 'tee -a ~/audit.log | unloop hook claude-code',
              timeout: 99,
            },
          ],
        },
      ],
      Stop: [{ hooks: [{ type: 'command', command: 'unloop hook claude-code && say done' }] }],
      PreCompact: [{ hooks: [{ type: 'command', command: '"/mine/unloop" hook claude-code' }] }],
    }
    const settings = JSON.stringify({ hooks: mine })
    const here = machine({ 'home/.claude/settings.json': settings })
    await here.run('--yes')
    const { hooks } = JSON.parse(here.read('home/.claude/settings.json'))
    expect(hooks.PreToolUse).toHaveLength(2)
    expect(hooks.PreToolUse).toContainEqual(mine.PreToolUse[0])
    here.write(
      'home/.claude/settings.json',
      here.read('home/.claude/settings.json').replace('{', '{"model":"opus",'),
    )
    await here.run('--remove', '--yes')
    expect(JSON.parse(here.read('home/.claude/settings.json')).hooks).toEqual(mine)
  })

  it('follows a link and keeps it', async () => {
    const here = machine({ 'dotfiles/claude.json': SETTINGS })
    mkdirSync(join(here.home, '.claude'))
    symlinkSync(join(here.root, 'dotfiles/claude.json'), join(here.home, '.claude/settings.json'))
    const before = here.tree()
    await here.run('--yes')
    expect(here.read('dotfiles/claude.json')).toContain(JSON.stringify(here.command('claude-code')))
    await here.run('--remove', '--yes')
    expect(here.tree()).toEqual(before)
  })

  const LOST = 'cannot change'
  it.each<[string, string | Buffer, string]>([
    [
      'a comma is missing',
      '{\n  "a": 1\n  "b": 2\n}',
      'settings.json, line 3, column 3: a comma is missing',
    ],
    ['no object', '[]', 'line 1, column 1: expected an object'],
    ['hooks is a list', '{"hooks": []}', 'line 1, column 11: expected "hooks" to be an object'],
    [
      'an event is an object',
      '{"hooks": {"Stop": {}}}',
      'line 1, column 20: expected "Stop" to be a list',
    ],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), `${LOST}`],
    ['too large', ' '.repeat(5 * 2 ** 20), 'it is larger than 4 MB'],
    ['nested too deeply', '['.repeat(200_000), 'it is nested too deeply'],
  ])('refuses a file: %s', async (_, content, words) => {
    const here = machine({ 'home/.codex/hooks.json': '{}' })
    here.write('home/.claude/settings.json', content)
    const before = here.read('home/.claude/settings.json')
    const { code, stderr } = await here.run('--yes')
    expect(code).toBe(1)
    expect(stderr).toContain(`unloop: Claude Code: cannot`)
    expect(stderr).toContain(words)
    expect(here.read('home/.claude/settings.json')).toBe(before)
    // the others go on
    expect(here.read('home/.codex/hooks.json')).toContain(JSON.stringify(here.command('codex')))
  })

  it('refuses folders, dangling links and files in the way', async () => {
    const here = machine({ 'home/.codex': 'a file', 'home/.qwen/settings.json/x': '' })
    mkdirSync(join(here.home, '.claude'))
    symlinkSync(join(here.root, 'nowhere'), join(here.home, '.claude/settings.json'))
    const before = here.tree()
    const { code, stderr } = await here.run('claude-code', 'codex', 'qwen-code', '--yes')
    expect(code).toBe(1)
    expect(stderr).toContain('settings.json: it is a link to a file that does not exist')
    expect(stderr).toContain('a part of its path is a file, not a folder')
    expect(stderr).toContain('it is not a regular file')
    expect(here.tree()).toEqual(before)
  })

  it('does not overwrite a script of that name, and then writes none of them', async () => {
    const here = machine({ 'home/.cline/hooks/PreToolUse': '#!/bin/sh\necho mine\n' })
    const before = here.tree()
    const { code, stderr } = await here.run('--yes')
    expect(code).toBe(1)
    expect(stderr).toContain('which is not from unloop')
    expect(here.tree()).toEqual(before)
  })

  it('takes back what it wrote if the rest cannot be written', () => {
    const here = machine()
    const cline = codingAgents.find(({ name }) => name === 'cline') as (typeof codingAgents)[number]
    const { changes } = planInstall(here.host, cline, 'user', launchFor(here.host, 'user'))
    const steps = stepsOf(here.host, changes)
    for (let step = 0; step < 3; step++) steps.next()
    expect(existsSync(changes[0]?.path ?? '')).toBe(true)
    // somebody else writes the next file first
    const [, next] = changes
    writeFileSync(next?.path ?? '', 'mine')
    expect(() => [...steps]).toThrow('it was changed meanwhile')
    const [first] = changes
    expect(existsSync(first?.path ?? '')).toBe(false)
    expect(readFileSync(next?.path ?? '', 'utf8')).toBe('mine')
  })

  it.each(names)('can be killed after any step: %s', async (name) => {
    const agent = codingAgents.find((each) => each.name === name) as (typeof codingAgents)[number]
    for (let killedAfter = 0; ; killedAfter++) {
      const here = machine({ 'home/.claude/settings.json': SETTINGS })
      const before = here.tree()
      const { changes } = planInstall(here.host, agent, 'user', launchFor(here.host, 'user'))
      const steps = stepsOf(here.host, changes)
      let isOver = false
      for (let step = 0; step <= killedAfter && !isOver; step++) isOver = steps.next().done === true
      for (const { path, from, to } of changes) {
        const now = existsSync(path) ? readFileSync(path) : undefined
        expect([from, to]).toContainEqual(now)
      }
      await here.run(name, '--yes')
      await here.run(name, '--remove', '--yes')
      const folders = Object.keys(here.tree()).filter((path) => !(path in before))
      expect(folders).toEqual([])
      expect(here.tree()).toEqual(before)
      if (isOver) break
    }
  })

  it('installs Gemini CLI in one scope only, because its calls have no ids', async () => {
    const here = machine({ 'home/.gemini/settings.json': '{}' })
    await here.run('--yes')
    const { code, stdout } = await here.run('gemini-cli', '--project', '--yes')
    expect(code).toBe(0)
    expect(stdout).toContain('two would count each call twice')
    expect(existsSync(join(here.project, '.gemini'))).toBe(false)
  })

  it('says what a project needs if unloop is not on the PATH', async () => {
    const here = machine()
    rmSync(join(here.root, 'bin/unloop'))
    const { code, stdout } = await here.run('claude-code', '--project', '--yes')
    expect(code).toBe(0)
    expect(stdout).toContain('npm install --global @unloop/cli')
    expect(here.read('project/.claude/settings.json')).toContain('"unloop hook claude-code"')
  })

  it('says how to check and undo with words that work', async () => {
    const here = machine()
    const user = await here.run('claude-code', '--yes')
    expect(user.stdout).toContain('Check it: unloop doctor. Undo it: unloop init --remove.')
    const project = await here.run('codex', '--project', '--yes')
    expect(project.stdout).toContain('Undo it: unloop init --remove --project.')
    rmSync(join(here.root, 'bin/unloop'))
    const npx = 'npx @unloop/cli'
    const copied = await here.run('cursor', '--yes')
    expect(copied.stdout).toContain(`Check it: ${npx} doctor. Undo it: ${npx} init --remove.`)
    const shared = await here.run('cursor', '--project', '--yes')
    expect(shared.stdout).toContain(`Undo it: ${npx} init --remove --project.`)
  })

  it('does not say how to undo what was not done', async () => {
    const here = machine()
    // the folder of backups cannot be made
    mkdirSync(join(here.root, 'state'))
    writeFileSync(join(here.root, 'state/backups'), '')
    const { code, stdout, stderr } = await here.run('claude-code', '--yes')
    expect(code).toBe(1)
    expect(stderr).toContain('unloop: Claude Code: cannot make the folder')
    expect(stdout).not.toContain('Undo it')
    expect(stdout).not.toContain('is guarded')
  })

  it('refuses the home folder as a project', async () => {
    const here = machine()
    const { code, stderr } = await unloop(['init', 'codex', '--project', '--yes'], {
      cwd: here.home,
      env: here.env,
    })
    expect(code).toBe(2)
    expect(stderr).toContain('this is your home folder')
  })
})

describe('the launcher', () => {
  const run = (script: string, env: NodeJS.ProcessEnv, ...args: string[]) =>
    spawnSync('/bin/sh', ['-c', `"${script}" "$@"`, 'sh', ...args], { env, encoding: 'utf8' })

  function launcher(node: string) {
    const folder = join(emptyFolder(), "it's $HOME")
    mkdirSync(folder)
    const bundle = join(folder, 'hook.cjs')
    const script = join(folder, 'unloop')
    writeFileSync(
      bundle,
      `console.log('ran', ...process.argv.slice(2), process.env.UNLOOP_LAUNCHER)`,
    )
    writeFileSync(script, toSh(bundle, node, folder), { mode: 0o755 })
    return { bundle, script: script.replace('$', '\\$') }
  }

  it('runs with the Node.js of the PATH, or with the one of init', () => {
    const { script } = launcher('/nowhere/node')
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` }
    expect(run(script, env, 'hook', 'codex').stdout).toBe('ran hook codex 1\n')
    const other = launcher(process.execPath)
    expect(run(other.script, { PATH: '/nowhere' }, 'hook', 'codex').stdout).toBe(
      'ran hook codex 1\n',
    )
  })

  it('lets the agent continue without Node.js, and without the hook', () => {
    const { script } = launcher('/nowhere/node')
    expect(run(script, { PATH: '/nowhere' })).toMatchObject({ status: 0, stdout: '', stderr: '' })
    const other = launcher(process.execPath)
    rmSync(other.bundle)
    expect(run(other.script, {})).toMatchObject({ status: 0, stdout: '', stderr: '' })
  })
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createClaude, createHookHost } from '../../test/hooks.js'
import { isTampering } from './tampering.js'

const host = { env: { HOME: '/home/ada' }, platform: 'linux' as const }
const folder = '/home/ada/shop'
const runs = (command: unknown) =>
  isTampering(host, folder, { type: 'tool-call', name: 'Bash', args: { command } })
const writes = (name: string, args: object) =>
  isTampering(host, folder, { type: 'tool-call', name, args })

describe('a call that would change its own guard', () => {
  it.each([
    'unloop session s1 --off',
    'cd /tmp && unloop session s1 --continue; echo done',
    'npx @unloop/cli session s1 --allow Bash',
    'npx --yes @unloop/cli@0.3.0 session s1 --allow=Bash',
    'env -u CLAUDECODE unloop session s1 --hint "go on"',
    'CLAUDECODE= unloop session s1 --off',
    'script -qec "unloop session s1 --off" /dev/null',
    `bash -c 'sh -c "unloop session s1 --off"'`,
    'setsid nohup unloop session s1 --off &',
    'echo $(unloop session s1 --off)',
    'yes | unloop trust',
    'unloop trust . --yes',
    '/home/ada/.local/state/unloop/bin/unloop trust --yes --json',
    'node /usr/lib/node_modules/@unloop/cli/bin/unloop.js trust --yes',
    'unloop init --remove --yes',
    'unloop init claude-code --remove',
    `echo '{"hook_event_name":"UserPromptSubmit"}' | unloop hook claude-code`,
    `echo '{"mode":"off"}' > ~/unloop.config.json`,
    `echo '{"mode":"off"}' | tee $HOME/unloop.config.json`,
    'cp off.json ../unloop.config.json',
    'rm -rf ~/.local/state/unloop',
    'echo x >> "/home/ada/.local/state/unloop/guarded/s1/3.jsonl"',
    "sed -i 's/enforce/off/' ~/unloop.config.json",
    'rm ~/.config/opencode/plugin/unloop.js',
    'if true; then unloop session s1 --off; fi',
    ['unloop', 'session', 's1', '--off'],
    ['bash', '-lc', 'unloop session s1 --off'],
  ])('is refused: %j', (command) => expect(runs(command)).toBe(true))

  it.each([
    'unloop sessions',
    'unloop session s1',
    'unloop session s1 --json',
    'unloop trust --list',
    'unloop trust --remove',
    'unloop init',
    'unloop doctor && unloop scan --since 1d',
    'cat unloop.config.json ~/unloop.config.json',
    `echo '{"mode":"off"}' > unloop.config.json`,
    'cp ~/unloop.config.json backup.json',
    'ls -la ~/.local/state/unloop/guarded',
    'cat ~/.local/state/unloop/hook.log > log.txt',
    'grep -rn "unloop session s1 --off" docs',
    'git commit -m "docs: unloop session ID --continue"',
    'echo "To continue: unloop session s1 --continue"',
    'cat > notes.md <<EOF\nunloop session s1 --off\nunloop trust --yes\nEOF\nls',
    "cat <<'END' >> docs/hooks.md\n  unloop session 3f2a --off\nEND",
    '# unloop session s1 --off\nls',
    'vim packages/unloop/session.ts --off',
    'UNLOOP_HOME=/tmp/x unloop hook claude-code < event.json',
    'rm unloop.config.json',
    'npm install --global @unloop/cli',
    'npx vitest run session --off unloop',
    'cd ~/unloop && git log --continue',
  ])('is not taken for one: %j', (command) => expect(runs(command)).toBe(false))

  it('is known in tools for files', () => {
    const own = '/home/ada/unloop.config.json'
    expect(writes('Write', { file_path: own, content: '{}' })).toBe(true)
    expect(writes('Edit', { file_path: own, old_string: 'a', new_string: 'b' })).toBe(true)
    expect(writes('write_file', { absolute_path: own, content: '{}' })).toBe(true)
    expect(writes('edit', { filePath: '../unloop.config.json' })).toBe(true)
    expect(writes('apply_patch', { input: `*** Update File: ${own}\n` })).toBe(true)
    const trust = '/home/ada/.local/state/unloop/trust.json'
    expect(writes('Write', { file_path: trust, content: '{}' })).toBe(true)
    expect(writes('Read', { file_path: own })).toBe(false)
    expect(writes('read_file', { path: trust })).toBe(false)
    expect(writes('Write', { file_path: `${folder}/unloop.config.json`, content: '{}' })).toBe(
      false,
    )
    expect(writes('Write', { file_path: '/home/ada/docs/unloop.config.json.md' })).toBe(false)
  })

  it('is one that takes the hook out of the settings of an agent, and no other change of them', () => {
    const settings = join(createHookHost().cwd(), '.claude/settings.json')
    mkdirSync(join(settings, '..'))
    const hook = '{"hooks":{"Stop":[{"command":"unloop hook claude-code"}]}}'
    writeFileSync(settings, hook)
    expect(writes('Write', { file_path: settings, content: '{}' })).toBe(true)
    expect(writes('Write', { file_path: settings, content: `${hook} ` })).toBe(false)
    const edit = { file_path: settings, old_string: 'unloop hook claude-code', new_string: 'true' }
    expect(writes('Edit', edit)).toBe(true)
    expect(writes('Edit', { ...edit, old_string: '"a"' })).toBe(false)
    expect(writes('Edit', { ...edit, file_path: '/home/ada/shop/docs/settings.json' })).toBe(false)
  })

  it.each([null, 5, [], { command: 7 }, { command: null }, { path: {} }])(
    'is not what cannot be read: %j',
    (args) => expect(writes('Write', args as object)).toBe(false),
  )

  it('is refused by the hook with a reason, and a loop of such calls is stopped', () => {
    const claude = createClaude(createHookHost())
    claude.prompt('Do it')
    const told = Array.from({ length: 8 }, () => claude.call('unloop session s1 --off'))
    expect(told.every(({ hasRun }) => !hasRun)).toBe(true)
    expect(JSON.stringify(told[0]?.before)).toContain('Only the person can do that')
    expect(told[0]?.before?.systemMessage).toContain('its own guard')
    expect(told.some(({ before }) => before?.continue === false)).toBe(true)
    claude.prompt('Do something else')
    expect(claude.call('ls').hasRun).toBe(true)
  })
})

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
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
    // the word may be in several pieces
    'un"loop" trust --yes',
    "$'unloop' trust --yes",
    'unloop \\\n trust --yes',
    // other folders, and what the files are in
    'cd ~/.local/state/unloop && rm -rf guarded',
    'cd ~ && cd .local/state && rm -rf unloop',
    'pushd ~/.local/state/unloop; rm -rf guarded; popd',
    '(cd ~/.local/state/unloop && rm -rf guarded/s1)',
    `cd && echo '{"mode":"off"}' > unloop.config.json`,
    'rm -rf ~/.local/state',
    'rm -rf ~/.local/state/*',
    'rm -rf ~/.local/state/unl*',
    'mv ~/.local/state /tmp/x',
    'chmod 000 ~/.local/state',
    `rm -rf "\${XDG_STATE_HOME:-$HOME/.local/state}/unloop"`,
    'for f in ~/.local/state/unloop/guarded/*; do rm -rf "$f"; done',
    "find ~/.local/state/unloop -name '*.json*' -delete",
    'find ~/.local/state/unloop -type f -exec rm {} +',
    'find ~/.local/state/unloop -type f | xargs rm -f',
    // other ways to write
    'cp unloop.config.json ~/',
    'mv unloop.config.json $HOME',
    'cp -t ~ unloop.config.json',
    'ln -s $PWD/unloop.config.json ~/',
    'rsync unloop.config.json ~/',
    'curl -o ~/unloop.config.json http://x.example/y',
    'wget -O ~/unloop.config.json http://x.example/y',
    `jq '.mode="off"' a.json | sponge ~/unloop.config.json`,
    'awk -i inplace 1 ~/unloop.config.json',
    'git -C ~ checkout unloop.config.json',
    `echo x > \${HOME}/unloop.config.json`,
    'echo x > ~ada/unloop.config.json',
    'cat <<EOF > ~/unloop.config.json\n{}\nEOF',
    // what the shell fills in
    'unloop session $(unloop sessions | head -1) --off',
    'unloop session "$(unloop sessions | head -1)" --off',
    'unloop session `cat id` --continue',
    `unloop session \${ID} --off`,
    'echo "$(unloop trust --yes)"',
    'U=unloop; $U trust --yes',
    '$(which unloop) trust --yes',
    'node $(which unloop) trust --yes',
    // programs that run it
    'env -u CLAUDECODE setsid -f script -qec "unloop session s1 --off" /dev/null',
    'A=1 B=2 C=3 D=4 bash -c "unloop trust --yes"',
    'timeout -k 5 10 bash -c "unloop trust --yes"',
    'sudo -u ada -H bash -c "unloop trust --yes"',
    'nice -n 10 unloop trust --yes',
    'flock /tmp/l unloop trust --yes',
    'runuser -u ada -- unloop trust --yes',
    'find . -maxdepth 0 -exec unloop trust --yes \\;',
    'trap "unloop trust --yes" EXIT',
    "tmux new-session -d 'unloop session s1 --off'",
    'script -q /dev/null unloop session s1 --off',
    'cmd /c unloop trust --yes',
    'f() { unloop trust --yes; }; f',
    'case x in x) unloop trust --yes;; esac',
    'echo s1 | xargs -I{} unloop session {} --off',
    'echo "session s1 --off" | xargs unloop',
    'unloop sessions --json | jq -r .id | xargs -n1 unloop session --off',
    // packages and paths
    'npx -p @unloop/cli unloop session s1 --off',
    'npx @unloop/cli -- session s1 --off',
    "npx -c 'unloop session s1 --off'",
    'npm exec --package @unloop/cli -- unloop session s1 --off',
    'pnpm dlx @unloop/cli session s1 --off',
    './node_modules/.bin/unloop session s1 --off',
    'unloop --no-color session s1 --off',
    'node -r x /usr/lib/node_modules/@unloop/cli/bin/unloop.js trust --yes',
    // what a shell or another language reads
    'bash <<EOF\nunloop trust --yes\nEOF',
    'bash <<< "unloop trust --yes"',
    'echo "unloop trust --yes" | sh',
    `python3 -c "import subprocess; subprocess.run(['unloop','trust','--yes'])"`,
    `python3 -c 'import os; os.system("unloop session s1 --off")'`,
    `python3 - <<'E'\nimport os\nos.system("unloop session s1 --off")\nE`,
    `node -e "require('child_process').execSync('unloop trust --yes')"`,
    `node -e "require('fs').writeFileSync(process.env.HOME+'/unloop.config.json','{}')"`,
    `python3 -c "import shutil,os; shutil.rmtree(os.path.expanduser('~/.local/state/unloop'))"`,
    `: ${'x'.repeat(50_000)}; unloop trust --yes`,
    // the same state in other words, and help that the hook does not give
    'UNLOOP_HOME= unloop hook claude-code < e.json',
    'UNLOOP_HOME=$HOME/.local/state/unloop unloop hook claude-code < e.json',
    'UNLOOP_HOME=/tmp/x; unloop trust --yes',
    'unloop hook claude-code --help < e.json',
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
    // another state
    'UNLOOP_HOME=$(mktemp -d) npx unloop trust --yes',
    'HOME=/tmp/h unloop trust --yes',
    'XDG_STATE_HOME=/tmp/h unloop session s1 --off',
    'export UNLOOP_HOME=/tmp/x; unloop hook claude-code < e.json',
    'export UNLOOP_HOME=$(mktemp -d)\nunloop trust --yes',
    'UNLOOP_HOME=/tmp/x bash -c "unloop trust --yes"',
    // other programs with this name
    'node --test unloop trust',
    './unloop hook',
    'node unloop session --off',
    'docker build -t unloop . && docker run unloop trust',
    'npm view unloop trust',
    'npx unloop-docs trust',
    'npm exec vitest unloop',
    'sudo grep unloop trust',
    // help
    'unloop session --off --help',
    'unloop hook --help',
    'unloop help trust',
    // texts
    'gh pr create --title x --body "$(cat <<\'EOF\'\nRun unloop trust --yes\nEOF\n)"',
    'git commit -m "docs: say what unloop trust --yes does; unloop session s1 --off"',
    'git commit -F - <<EOF\nfix\n\nunloop trust --yes\nEOF',
    'bash -c "grep \'unloop trust --yes\' README.md"',
    'bash -lc "git commit -m \'unloop session s1 --off\'"',
    'echo "unloop trust --yes" | tee notes.md',
    `python3 - <<'E'\nprint("unloop trust --yes")\nE`,
    `node -e "console.log('unloop trust --yes')"`,
    "sed -i 's|~/unloop.config.json|unloop.config.json|' docs/config.md",
    'unloop session s1 | grep -- --off',
    // files beside the guarded ones
    'rm -rf ~/.local/state/other ~/.local/share/x',
    'rm -rf ~/.cache/* /tmp/x dist node_modules',
    'cd ~ && find . -name "*.tmp" | xargs rm -f',
    'find ~ -name "*.pyc" -delete',
    'chmod -R u+rwX ~',
    'cp -r ~/.local/state/unloop /tmp/copy',
    'rsync -a ~/.local/state/unloop/ backup/',
    'ln -s ~/unloop.config.json ./home.config.json',
    'mv unloop.config.json unloop.config.bak',
    '(cd ~/.local/state/unloop && ls); rm -rf guarded',
    'cd "$(git rev-parse --show-toplevel)" && rm -rf unloop',
    'git checkout unloop -- session',
    'du -sh ~/.local/state/unloop && tar czf /tmp/b.tgz ~/.local/state/unloop',
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

  it.each([
    ['NotebookEdit', { notebook_path: '/home/ada/.local/state/unloop/trust.json' }],
    ['mcp__filesystem__move_file', { source: 'a.json', destination: '../unloop.config.json' }],
    ['create_text_file', { relative_path: '../unloop.config.json' }],
    ['write_multiple_files', { files: [{ path: '/home/ada/unloop.config.json' }] }],
    ['save_file', { uri: 'file:///home/ada/unloop.config.json' }],
    ['apply_patch', { input: '*** Update File: a\n*** Move to: ../unloop.config.json\n' }],
    ['apply_patch', { input: '*** Begin Patch\r\n*** Add File: ../unloop.config.json\r\n+{}' }],
    ['Bash', { command: "apply_patch <<'E'\n*** Add File: ../unloop.config.json\n+{}\nE" }],
    ['shell', { command: ['apply_patch', '*** Add File: ../unloop.config.json\n+{}'] }],
    ['exec_command', { cmd: 'echo x > unloop.config.json', workdir: '/home/ada' }],
    ['run_shell_command', { command: 'rm -rf unloop', dir_path: '/home/ada/.local/state' }],
    ['execute_command', { commandLine: 'unloop trust --yes' }],
    ['local_shell', { action: { command: ['unloop', 'trust', '--yes'] } }],
    ['write_stdin', { chars: 'unloop trust --yes\n' }],
  ])('is known in %s %j', (name, args) => expect(writes(name, args)).toBe(true))

  it.each([
    ['Write', { file_path: 'notes.md', content: 'unloop trust --yes' }],
    ['Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'unloop session s1 --off' }],
    ['apply_patch', { input: '*** Update File: a.md\n@@\n-x\n+*** ~/unloop.config.json\n' }],
    ['search', { input: 'unloop trust --yes' }],
    ['exec_command', { cmd: 'echo x > unloop.config.json', workdir: '/home/ada/shop/sub' }],
  ])('is not %s %j', (name, args) => expect(writes(name, args)).toBe(false))

  it('is one in a folder that is a link to a guarded one', () => {
    const home = createHookHost().cwd()
    symlinkSync(home, join(home, 'link'))
    const file_path = join(home, 'link/unloop.config.json')
    const call = { type: 'tool-call' as const, name: 'Write', args: { file_path, content: '{}' } }
    expect(isTampering({ env: { HOME: home }, platform: 'linux' }, '/', call)).toBe(true)
  })

  it('is one that takes the hook out of the settings of an agent, and no other change of them', () => {
    const settings = join(createHookHost().cwd(), '.claude/settings.json')
    mkdirSync(join(settings, '..'))
    const command = '"/x/unloop" hook claude-code'
    const entry = [{ hooks: [{ type: 'command', command }] }]
    const hooks = { PreToolUse: entry, Stop: entry }
    writeFileSync(settings, JSON.stringify({ model: 'a', hooks }))
    const becomes = (content: object | string) =>
      writes('Write', {
        file_path: settings,
        content: typeof content === 'string' ? content : JSON.stringify(content),
      })
    expect(becomes({})).toBe(true)
    expect(becomes('{"hooks":')).toBe(true)
    expect(becomes({ hooks: { Stop: entry } })).toBe(true)
    expect(becomes({ note: 'unloop hook claude-code' })).toBe(true)
    expect(becomes({ hooks, disableAllHooks: true })).toBe(true)
    expect(becomes({ hooks, tools: { enableHooks: false } })).toBe(true)
    expect(becomes({ hooks, model: 'b', env: { A: '1' } })).toBe(false)
    expect(becomes({ hooks: { ...hooks, Notification: [] } })).toBe(false)

    const edits = (name: string, more: object) => writes(name, { file_path: settings, ...more })
    const edit = (old_string: string, new_string: string) =>
      edits('Edit', { old_string, new_string })
    expect(edit('hook claude-code', 'hok claude-code')).toBe(true)
    expect(edits('Edit', { old_string: 'unloop', new_string: 'true', replace_all: true })).toBe(
      true,
    )
    expect(edit('"PreToolUse"', '"PreX"')).toBe(true)
    expect(edit('{"model"', '{"disableAllHooks":true,"model"')).toBe(true)
    expect(edit('"a"', '"b"')).toBe(false)
    expect(edit('"not there"', '')).toBe(false)
    const both = [
      { old_string: '"a"', new_string: '"b"' },
      { old_string: '"Stop"', new_string: '"Go"' },
    ]
    expect(edits('MultiEdit', { edits: both })).toBe(true)
    expect(edits('MultiEdit', { edits: both.slice(0, 1) })).toBe(false)
    expect(edits('delete_file', {})).toBe(true)

    const before = JSON.stringify({ model: 'a', hooks })
    const patch = (what: string) => writes('apply_patch', { input: `*** ${what}` })
    expect(patch(`Delete File: ${settings}\n`)).toBe(true)
    expect(patch(`Update File: ${settings}\n@@\n-${before}\n+{}\n`)).toBe(true)
    expect(patch(`Update File: ${settings}\n@@\n-${before}\n+${before} \n`)).toBe(false)

    const local = join(settings, '../settings.local.json')
    const made = (content: string) => writes('Write', { file_path: local, content })
    expect(made('{"disableAllHooks":true}')).toBe(true)
    expect(made('{"permissions":{}}')).toBe(false)
    const toml = join(settings, '../../.codex/config.toml')
    const said = (content: string) => writes('Write', { file_path: toml, content })
    expect(said('[features]\nhooks = false\n')).toBe(true)
    expect(said('model = "gpt"\n')).toBe(false)
    expect(writes('Write', { file_path: '/home/ada/shop/docs/settings.json', content: '' })).toBe(
      false,
    )
  })

  it.each([null, 5, [], { command: 7 }, { command: null }, { path: {} }])(
    'is not what cannot be read: %j',
    (args) => expect(writes('Write', args as object)).toBe(false),
  )

  it('is looked for in a moment, whatever is repeated', () => {
    const pumps = [
      ...['$(', '"$(', '`', "'", '"', '${', '<<E\n', '(', '{ ', '\\', 'A=$A$A;', '$A', '> ', '| '],
      ...[
        'a | sh; ',
        'xargs ',
        'env ',
        'bash -c "',
        'script unloop ',
        'find -exec ',
        'rm ~/* ',
        ': ',
      ],
      ...['cd ~;', 'python -c "system(', 'for a in ', 'unloop ', '*** Add File: a\n', '-*', 'a='],
    ]
    const started = performance.now()
    for (const pump of pumps) {
      const text = pump.repeat(60_000 / pump.length)
      expect(runs(text)).toBeTypeOf('boolean')
      expect(runs(`python3 -c "${text}"`)).toBeTypeOf('boolean')
    }
    // half a second each, where a quadratic one takes minutes
    expect(performance.now() - started).toBeLessThan(pumps.length * 500)
  })

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

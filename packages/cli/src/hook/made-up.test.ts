import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { emptyFolder } from '../../test/host.js'
import { isMadeUp } from './made-up.js'

const HOME = '/home/ada'
const host = { env: { HOME }, platform: 'linux' as const }
const pipe = { isFile: () => false, nlink: 1 }
const file = { isFile: () => true, nlink: 1 }
const agent = { words: ['claude'], agent: 'Claude Code', env: () => ({ HOME }) }
const shell = (...words: string[]) => ({ words, agent: undefined, env: () => ({}) })

describe('an event for a hook', () => {
  it.each([
    'echo x | unloop hook claude-code',
    'unloop hook claude-code < e.json',
    '< e.json unloop hook claude-code --help',
    'unloop hook claude-code <<< "{}"',
    `source a.sh && eval 'printf x | UNLOOP_HOME= unloop hook claude-code' < /dev/null`,
    'cat e.json | tr a b | "/home/ada/.local/state/unloop/bin/unloop" hook codex',
    'node /x/hook.cjs hook claude-code < e.json',
  ])('is made up by a shell of the agent: %s', (line) => {
    expect(isMadeUp(host, pipe, [shell('sh', '/x/unloop'), shell('bash', '-c', line), agent])).toBe(
      true,
    )
  })

  it.each([
    'unloop hook claude-code',
    '"/home/ada/.local/state/unloop/bin/unloop" hook claude-code --before',
    'unloop hook claude-code 2>>/tmp/log || true',
    'cd /srv && UNLOOP_HOME=/x unloop hook codex; exit 0',
    'tee -a /tmp/events | unloop hook claude-code',
    'sh ~/my-hooks.sh',
  ])('is from the agent itself: %s', (line) => {
    expect(isMadeUp(host, pipe, [shell('sh', '-c', line), agent])).toBe(false)
  })

  it('is made up if it is read from a file with a name', () => {
    expect(isMadeUp(host, file, [agent])).toBe(true)
    expect(isMadeUp(host, { ...file, nlink: 0 }, [agent])).toBe(false)
    expect(isMadeUp(host, file, [])).toBe(false)
  })

  it('is free to be made up for a state of its own, and by the person', () => {
    const other = { ...host, env: { HOME, UNLOOP_HOME: '/tmp/x' } }
    const made = shell('bash', '-c', 'echo x | unloop hook claude-code')
    expect(isMadeUp(other, pipe, [made, agent])).toBe(false)
    expect(isMadeUp(host, pipe, [])).toBe(false)
  })

  it('is known by the processes around the hook', () => {
    if (process.platform !== 'linux') return
    const home = emptyFolder()
    const bin = fileURLToPath(new URL('../../bin/unloop.js', import.meta.url))
    const claude = join(home, 'bin/claude')
    mkdirSync(join(home, 'bin'))
    const event = '{"hook_event_name":"UserPromptSubmit","session_id":"s1","prompt":"x"}'
    const run = (line: string) => {
      writeFileSync(claude, `#!/bin/sh\n${line}\ntrue\n`)
      chmodSync(claude, 0o755)
      spawnSync(claude, { env: { PATH: process.env.PATH, HOME: home }, input: event })
      return existsSync(join(home, '.local/state/unloop/guarded/s1'))
    }
    const hook = `'${process.execPath}' '${bin}' hook claude-code`
    expect(run(`bash -c "echo '${event.replaceAll('"', '\\"')}' | ${hook}; true"`)).toBe(false)
    expect(run(`sh -c "${hook}"`)).toBe(true)
  })
})

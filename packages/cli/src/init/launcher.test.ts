import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { emptyFolder } from '../../test/host.js'
import { toCmd, toShOfPath } from './launcher.js'

it('looks up no program in the folder of the project on Windows', () => {
  const lines = toCmd('C:\\node\\node.exe').split('\r\n')
  const first = lines.findIndex((line) => line.includes('node.exe'))
  expect(lines).toContain('set NoDefaultCurrentDirectoryInExePath=1')
  expect(lines.indexOf('set NoDefaultCurrentDirectoryInExePath=1')).toBeLessThan(first)
  expect(lines[first]).toBe('if exist "C:\\node\\node.exe" (')
  expect(lines.filter((line) => /^\s*(?:node|where)\b/.test(line))).toEqual([])
})

describe.skipIf(process.platform === 'win32')('the launcher', () => {
  const program = fileURLToPath(new URL('../../bin/unloop.js', import.meta.url))

  /** A Claude Code whose hooks are run by a shell; without `canPass`, each call has a process. */
  function claude(canPass: boolean) {
    const home = emptyFolder()
    const state = join(home, 'state')
    const sessions = join(state, 'guarded')
    const counted = join(home, 'counted')
    const [counting, launcher] = [join(home, 'counting'), join(home, 'launcher')]
    writeFileSync(
      counting,
      `#!/bin/sh\necho x >>'${counted}'\nexec '${process.execPath}' '${program}' "$@"\n`,
      { mode: 0o755 },
    )
    writeFileSync(launcher, toShOfPath(sessions, counting), { mode: 0o755 })
    const path = '/usr/bin:/bin'
    const tell = (hook_event_name: string, fields: object) => {
      const input = JSON.stringify({
        session_id: 's1',
        cwd: join(home, 'project'),
        hook_event_name,
        ...fields,
      })
      const isBefore = canPass && hook_event_name === 'PreToolUse'
      const args = ['hook', 'claude-code', ...(isBefore ? ['--before'] : [])]
      const env = { HOME: home, PATH: path, UNLOOP_HOME: state }
      const { status, stdout, stderr } = spawnSync(launcher, args, {
        input,
        env,
        encoding: 'utf8',
      })
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      return stdout
    }
    let count = 0
    return {
      tell,
      processes: () => readFileSync(counted, 'utf8').split('\n').length - 1,
      call(command: string, tool_response: string) {
        const tool = {
          tool_name: 'Bash',
          tool_use_id: `t${count++}`,
          tool_input: { command },
        }
        const before = tell('PreToolUse', tool)
        return [before, tell('PostToolBatch', { tool_calls: [{ ...tool, tool_response }] })]
      },
    }
  }

  it('starts no process for a call before which the guard says nothing, and changes no verdict', () => {
    const missing = 'Exit code 1\ncat: nothing.txt: No such file or directory'
    const run = (canPass: boolean) => {
      const { tell, call, processes } = claude(canPass)
      tell('UserPromptSubmit', { prompt: 'Do it', prompt_id: 'p1' })
      const work = ['a', `it's "b" $HOME \\n`, 'c'].map((name) =>
        call(`make ${name}`, `made ${name}`),
      )
      const atWork = processes()
      const loop = Array.from({ length: 5 }, () => call('cat nothing.txt', missing))
      return { told: [...work, ...loop], atWork }
    }
    const [slow, fast] = [run(false), run(true)]
    expect(fast.told).toEqual(slow.told)
    expect(fast.told.flat().some((words) => words.includes('"deny"'))).toBe(true)
    // the prompt and the first call have a process, and the end of each round
    expect([slow.atWork, fast.atWork]).toEqual([7, 5])
  })

  it('starts one for calls that could change the guard, and for long ones', () => {
    const { tell, call, processes } = claude(true)
    tell('UserPromptSubmit', { prompt: 'Do it', prompt_id: 'p1' })
    call('ls', 'a')
    for (const command of ['unloop session s1 --off', `echo ${'long '.repeat(1000)}`]) {
      const before = processes()
      call(command, 'done')
      expect(processes() - before).toBe(2)
    }
  })

  it('says nothing when unloop is gone', () => {
    const launcher = join(emptyFolder(), 'launcher')
    writeFileSync(launcher, toShOfPath('/nowhere', '/nowhere/unloop'), { mode: 0o755 })
    for (const args of [[], ['--before']]) {
      const env = { PATH: '/usr/bin:/bin' }
      const done = spawnSync(launcher, ['hook', 'codex', ...args], { env, input: '{}' })
      expect([done.status, `${done.stdout}`, `${done.stderr}`]).toEqual([0, '', ''])
    }
  })
})

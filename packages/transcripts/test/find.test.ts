import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findTranscripts, listFolder, transcriptPlaces } from '../src/index.js'
import { inFolder } from './read.js'

const pathsOf = (program: string, env: Record<string, string>, platform: string, home: string) =>
  transcriptPlaces(env, platform, home)
    .filter((place) => place.program === program)
    .map(({ path }) => path)

describe('the usual places', () => {
  it('are those of the system', () => {
    expect(pathsOf('codex', {}, 'linux', '/home/ada')[0]).toBe('/home/ada/.codex/sessions')
    expect(pathsOf('codex', {}, 'win32', 'C:\\Users\\ada')[0]).toBe(
      'C:\\Users\\ada\\.codex\\sessions',
    )
    const tasks = 'User/globalStorage/saoudrizwan.claude-dev/tasks'
    expect(pathsOf('cline', {}, 'linux', '/home/ada')).toContain(`/home/ada/.config/Code/${tasks}`)
    expect(pathsOf('cline', {}, 'darwin', '/Users/ada')).toContain(
      `/Users/ada/Library/Application Support/Code/${tasks}`,
    )
    expect(pathsOf('cline', { APPDATA: 'D:\\Data' }, 'win32', 'C:\\Users\\ada')).toContain(
      `D:\\Data\\Code\\${tasks.replaceAll('/', '\\')}`,
    )
  })

  it('can be moved by the variables that the programs look at', () => {
    const env = {
      CLAUDE_CONFIG_DIR: '/a, /b',
      CODEX_HOME: '/codex',
      GEMINI_CLI_HOME: '/gemini',
      QWEN_RUNTIME_DIR: '/qwen',
      XDG_DATA_HOME: '/data',
      OPENCODE_DB: '/db/mine.db',
      OPENHANDS_CONVERSATIONS_DIR: '/hands',
    }
    const at = (program: string) => pathsOf(program, env, 'linux', '/home/ada')
    expect(at('claude-code')).toEqual(['/a/projects', '/b/projects'])
    expect(at('codex')).toEqual(['/codex/sessions', '/codex/archived_sessions'])
    expect(at('gemini-cli')).toEqual(['/gemini/.gemini/tmp'])
    expect(at('qwen-code')).toEqual(['/qwen/projects', '/qwen/tmp'])
    expect(at('opencode')).toEqual([
      '/data/opencode',
      '/data/opencode/storage/session',
      '/db/mine.db',
    ])
    expect(at('openhands')).toEqual(['/hands'])
  })
})

describe('finding transcripts', () => {
  const write = (home: string, path: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), '{}\n')
  }

  it('finds those of every program, and nothing else', () =>
    inFolder(async (home) => {
      const there = [
        '.claude/projects/-shop/1.jsonl',
        '.claude/projects/-shop/1/subagents/agent-2.jsonl',
        '.codex/sessions/2026/11/15/rollout-3.jsonl',
        '.codex/sessions/2026/11/15/rollout-4.jsonl.zst',
        '.codex/archived_sessions/rollout-5.jsonl',
        '.gemini/tmp/shop/chats/session-6.jsonl',
        '.gemini/tmp/shop/chats/parent/7.jsonl',
        '.qwen/projects/-shop/chats/8.jsonl',
        '.local/share/opencode/opencode.db',
        '.local/share/opencode/storage/session/prj/ses_9.json',
        '.cline/data/tasks/10/api_conversation_history.json',
        '.config/mini-swe-agent/last_mini_run.traj.json',
        '.copilot/session-state/11/events.jsonl',
        '.local/share/kilo/kilo.db',
        '.local/share/goose/sessions/sessions.db',
      ]
      for (const path of there) write(home, path)
      write(home, '.openhands/conversations/12/base_state.json')
      write(home, '.openhands/conversations/12/events/event-00000-a.json')
      for (const path of [
        '.codex/auth.json',
        '.claude/settings.json',
        '.gemini/tmp/shop/logs.json',
      ]) {
        write(home, path)
      }
      const found = []
      for await (const { path } of findTranscripts({ env: {}, platform: 'linux', home })) {
        found.push(relative(home, path))
      }
      expect(found.sort()).toEqual([...there, '.openhands/conversations/12'].sort())
    }))

  it('tells their age and size, and leaves out what is too old', () =>
    inFolder(async (home) => {
      write(home, '.codex/sessions/rollout-old.jsonl')
      write(home, '.codex/sessions/rollout-new.jsonl')
      utimesSync(join(home, '.codex/sessions/rollout-old.jsonl'), 1000, 1000)
      utimesSync(join(home, '.codex/sessions/rollout-new.jsonl'), 3000, 3000)
      const found = []
      for await (const one of findTranscripts({ env: {}, platform: 'linux', home, since: 2e6 })) {
        found.push(one)
      }
      const path = join(home, '.codex/sessions/rollout-new.jsonl')
      expect(found).toEqual([{ program: 'codex', path, modifiedAt: 3e6, bytes: 3 }])
    }))

  it('lists a folder that a person named, and tells of one that is not there', () =>
    inFolder(async (folder) => {
      for (const path of ['a.jsonl', 'deep/b.json.gz', 'deep/c.traj', 'deep/picture.png']) {
        write(folder, path)
      }
      const found = []
      for await (const { path } of listFolder(folder)) found.push(relative(folder, path))
      expect(found).toEqual(['a.jsonl', 'deep/b.json.gz', 'deep/c.traj'])
      const problems: string[] = []
      const onProblem = ({ code }: { code: string }) => problems.push(code)
      for await (const _ of listFolder(join(folder, 'nowhere'), { onProblem })) found.push('')
      expect(problems).toEqual(['unreadable'])
    }))
})

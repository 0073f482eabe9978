import { cpSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { detectFormat, findTranscripts, listFolder, transcriptLocations } from '../src/index.js'
import { fixture, inFolder } from './read.js'

const pathsOf = (program: string, env: Record<string, string>, platform: string, home: string) =>
  transcriptLocations(env, platform, home)
    .filter((location) => location.program === program)
    .map(({ path }) => path)

describe('the default locations', () => {
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
    expect(at('openhands')[0]).toBe('/hands')
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
        '.copilot/session-state/12.jsonl',
        '.copilot/history-session-state/session_13.json',
        '.cursor/projects/shop/agent-transcripts/14.jsonl',
        '.cursor/projects/shop/agent-transcripts/15/15.jsonl',
        '.cursor/projects/shop/agent-transcripts/15/subagents/16.jsonl',
        '.cursor/projects/shop/agent-transcripts/17.txt',
        '.config/Code/User/workspaceStorage/18/chatSessions/19.jsonl',
        '.config/VSCodium/User/globalStorage/emptyWindowChatSessions/20.json',
        '.factory/sessions/-shop/21.jsonl',
        '.pi/agent/sessions/--shop--/22.jsonl',
        '.aider.chat.history.md',
        '.local/share/amp/threads/T-23.json',
        '.local/share/kilo/kilo.db',
        '.local/share/goose/sessions/sessions.db',
        '.local/share/goose/sessions/20251001_100000.jsonl',
      ]
      for (const path of there) write(home, path)
      write(home, '.openhands/conversations/12/base_state.json')
      write(home, '.openhands/conversations/12/events/event-00000-a.json')
      for (const path of [
        '.codex/auth.json',
        '.claude/settings.json',
        '.gemini/tmp/shop/logs.json',
        '.factory/sessions/-shop/21.settings.json',
        '.config/Code/User/workspaceStorage/18/workspace.json',
        '.cursor/projects/shop/terminals/1.txt',
        '.local/share/crush/crush.json',
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

  const listed = async (folder: string, since = 0) => {
    const found = []
    for await (const { path } of listFolder(folder, { since })) found.push(relative(folder, path))
    return found
  }

  it('takes a folder that is a transcript for one, wherever it lies', () =>
    inFolder(async (folder) => {
      cpSync(fixture('openhands'), join(folder, 'all/one'), { recursive: true })
      cpSync(fixture('openhands/events'), join(folder, 'all/two/events'), { recursive: true })
      cpSync(fixture('opencode-tree'), join(folder, 'share/opencode/storage'), { recursive: true })
      // numbers alone are nobody's names
      for (const name of ['1.json', '2.json']) write(folder, `runs/${name}`)
      const expected = ['all/one', 'all/two/events', 'runs/1.json', 'runs/2.json']
      expect(await listed(folder)).toEqual([...expected, 'share/opencode/storage'])
      expect(await listed(join(folder, 'all/one'))).toEqual([''])
      for (const path of ['all/one', 'all/two/events', 'share/opencode/storage']) {
        expect((await detectFormat(join(folder, path))).format?.container).toBe('folder')
      }
      expect((await detectFormat(join(folder, 'runs'))).format).toBeUndefined()
    }))

  it('follows links to files that lie elsewhere, but not to folders', () =>
    inFolder(async (folder) => {
      write(folder, 'elsewhere/a.jsonl')
      write(folder, 'here/b.jsonl')
      const link = (to: string, name: string) => symlinkSync(to, join(folder, 'here', name))
      link(join(folder, 'elsewhere/a.jsonl'), 'a.jsonl')
      link(join(folder, 'elsewhere/a.jsonl'), 'again.jsonl')
      link('b.jsonl', 'c.jsonl')
      link('nowhere.jsonl', 'd.jsonl')
      link('e.jsonl', 'e.jsonl')
      link('.', 'f')
      expect(await listed(join(folder, 'here'))).toEqual(['a.jsonl', 'b.jsonl'])
    }))

  it('knows that a database is written to beside itself, and old sessions of opencode by message', () =>
    inFolder(async (home) => {
      const database = '.local/share/opencode/opencode.db'
      const session = '.local/share/opencode/storage/session/prj/ses_1.json'
      const message = '.local/share/opencode/storage/message/ses_1/msg_1.json'
      const part = '.local/share/opencode/storage/part/msg_1/prt_1.json'
      for (const path of [database, `${database}-wal`, session, message, part]) write(home, path)
      for (const path of [database, session]) utimesSync(join(home, path), 1000, 1000)
      const found = []
      for await (const { path, modifiedAt } of findTranscripts({
        env: {},
        platform: 'linux',
        home,
        since: 2e6,
      })) {
        expect(modifiedAt).toBeGreaterThan(2e6)
        found.push(relative(home, path))
      }
      expect(found).toEqual([database, session])
      const share = join(home, '.local/share/opencode')
      utimesSync(join(share, 'storage'), 1000, 1000)
      expect(await listed(share, 2e6)).toEqual(['opencode.db', 'storage'])
    }))
})

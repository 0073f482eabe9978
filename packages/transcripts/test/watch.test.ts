import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import sqlite from 'node-sqlite3-wasm'
import { describe, expect, it } from 'vitest'
import {
  MAX_FOLLOWED,
  type Run,
  type TranscriptItem,
  type Watched,
  type WatchOptions,
  watchTranscripts,
} from '../src/index.js'
import { hireClaude, hireCline, hireCodex, hireCursor } from './agents-at-work.js'
import { writeGoose } from './databases.js'
import { fixture, inFolder, lines } from './read.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
// the time is only there so that a failure ends; a busy machine may take many seconds
const soon = <T>(ask: () => T) => expect.poll(ask, { interval: 5 })
const text = (words: string, at?: number) => ({ type: 'text', text: words, ...(at && { at }) })

/** Watches a folder while a test uses it; `news` are the texts that were told as new. */
const watching = (
  options: Partial<WatchOptions>,
  use: (watched: Awaited<ReturnType<typeof watch>>) => Promise<void>,
) =>
  inFolder(async (folder) => {
    const end = new AbortController()
    const watched = await watch(folder, end.signal, options)
    try {
      await use(watched)
    } finally {
      end.abort()
      await watched.ended
    }
    expect(watched.open.size).toBe(0)
    expect(watched.sessions()).toEqual([])
  })

async function watch(folder: string, signal: AbortSignal, options: Partial<WatchOptions>) {
  const all: string[] = []
  const news: string[] = []
  const followed: string[] = []
  const open = new Set<string>()
  const problems: string[] = []
  let sessions: readonly Watched[] = []
  let most = 0
  const path = (name: string) => join(folder, name)
  const write = (name: string, ...records: unknown[]) => {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), lines(...records))
  }
  write('old.jsonl', text('old'))
  const ended = watchTranscripts({
    paths: [folder],
    signal,
    scanMs: 10,
    onItem({ event, run }, { isNews }) {
      const words = event.type === 'text' ? event.text : (run.program ?? run.format)
      all.push(words)
      if (isNews) news.push(words)
    },
    onFollow(path) {
      followed.push(path.slice(folder.length + 1))
      most = Math.max(most, open.add(path).size)
    },
    onLeave: (path) => open.delete(path),
    onProblem: ({ message }) => problems.push(message),
    onChange: (watched) => {
      sessions = watched
    },
    ...options,
  })
  if (!options.paths && !options.env) await soon(() => followed).toEqual(['old.jsonl'])
  return {
    ...{ folder, path, write, all, news, followed, open, problems, ended },
    ...{ most: () => most, sessions: () => sessions },
  }
}

describe('watching transcripts', () => {
  it('tells what is written from now on as news, and what was there as not', () =>
    watching({}, async ({ path, write, all, news }) => {
      expect(all).toEqual(['old'])
      appendFileSync(path('old.jsonl'), lines(text('grown')))
      await soon(() => news).toEqual(['grown'])
      write('new.jsonl', text('new'))
      await soon(() => news).toEqual(['grown', 'new'])
    }))

  it('tells by its time whether an event of a new file is news, and takes what a known run gets', () =>
    watching({}, async ({ path, write, all, news }) => {
      const now = Date.now() + 1000
      write('resumed.jsonl', text('yesterday', now - 86_400_000), text('today', now))
      await soon(() => all).toContain('today')
      expect(news).toEqual(['today'])
      appendFileSync(path('resumed.jsonl'), lines(text('wrong clock', now - 86_400_000)))
      await soon(() => news).toEqual(['today', 'wrong clock'])
    }))

  it('reads a file that was cut, replaced or renamed from its start, its old events as no news', () =>
    watching({}, async ({ path, write, all, news, followed }) => {
      const then = Date.now() - 86_400_000
      write('a.jsonl', text('first', then), text('second', then))
      await soon(() => followed).toContain('a.jsonl')
      write('a.jsonl', text('cut', then))
      await soon(() => all).toContain('cut')
      write('b', text('replaced', then))
      renameSync(path('b'), path('a.jsonl'))
      await soon(() => all).toContain('replaced')
      renameSync(path('a.jsonl'), path('c.jsonl'))
      await soon(() => followed).toContain('c.jsonl')
      expect(news).toEqual([])
      appendFileSync(path('c.jsonl'), lines(text('more', then)))
      await soon(() => news).toEqual(['more'])
    }))

  it('follows a bounded number: every new one, and again one that grows after a silence', () =>
    watching({}, async ({ path, write, news, open, followed, most }) => {
      const names = Array.from({ length: MAX_FOLLOWED + 10 }, (_, n) => `${n}.jsonl`)
      const create = (name: string) => {
        write(name, text(name))
        const later = Date.now() / 1000 + names.indexOf(name)
        utimesSync(path(name), later, later)
      }
      const first = names.slice(0, MAX_FOLLOWED)
      first.forEach(create)
      await soon(() => news).toEqual(expect.arrayContaining(first))
      for (const name of names.slice(MAX_FOLLOWED)) {
        create(name)
        await soon(() => news).toContain(name)
      }
      await soon(() => open.has(path('0.jsonl'))).toBe(false)
      const times = followed.filter((name) => name === '0.jsonl').length
      appendFileSync(path('0.jsonl'), lines(text('back')))
      utimesSync(path('0.jsonl'), Date.now() / 1000 + 500, Date.now() / 1000 + 500)
      await soon(() => news).toContain('back')
      // the last line is told before the end of the file is reached
      await soon(() => followed.filter((name) => name === '0.jsonl')).toHaveLength(times + 1)
      expect(most()).toBeLessThanOrEqual(MAX_FOLLOWED)
    }))

  it('follows another only when the one that makes room for it has ended', () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const told: string[] = []
    const onItem = ({ event }: TranscriptItem) => {
      if (event.type !== 'text') return
      told.push(event.text)
      if (event.text === 'slow') return gate
    }
    return watching({ onItem }, async ({ path, write, open, followed, most, sessions }) => {
      const later = (name: string, seconds: number) =>
        utimesSync(path(name), Date.now() / 1000 + seconds, Date.now() / 1000 + seconds)
      for (let n = 1; n < MAX_FOLLOWED; n++) {
        write(`${n}.jsonl`, text('one'))
        later(`${n}.jsonl`, 100)
      }
      await soon(() => [open.size, sessions().length]).toEqual([MAX_FOLLOWED, MAX_FOLLOWED])
      appendFileSync(path('old.jsonl'), lines(text('slow')))
      await soon(() => told).toContain('slow')
      write('new.jsonl', text('new'))
      later('new.jsonl', 200)
      await soon(() => sessions().some((one) => one.path === path('old.jsonl'))).toBe(false)
      for (const words of ['first', 'second']) {
        appendFileSync(path('1.jsonl'), lines(text(words)))
        await soon(() => told).toContain(words)
      }
      release()
      await soon(() => followed).toContain('new.jsonl')
      expect(most()).toBe(MAX_FOLLOWED)
    })
  })

  it('drops a file that is not of interest, and leaves room for others', () =>
    watching({ accepts: ({ project }) => project !== '/other' }, async ({ write, all, open }) => {
      const line = (cwd: string) => ({
        ...{ type: 'user', uuid: 'u', parentUuid: null, sessionId: 's', cwd },
        message: { role: 'user', content: 'Why?' },
      })
      for (let n = 0; n < MAX_FOLLOWED + 5; n++) write(`other-${n}.jsonl`, line('/other'))
      write('ours.jsonl', line('/ours'))
      await soon(() => all.filter((words) => words !== 'old')).toEqual(['claude-code'])
      await soon(() => open.size).toBe(2)
    }))

  it('looks again at a file that was not of interest once it is another one', () =>
    watching({ accepts: ({ session }) => session !== 'other' }, async (watched) => {
      const { folder, path, all, followed } = watched
      const place = join(folder, '.claude/projects/-shop/other.jsonl')
      hireClaude(folder, 'other')
      hireClaude(folder, 'ours')
      await soon(() => followed).toContain('.claude/projects/-shop/ours.jsonl')
      const before = all.length
      rmSync(place)
      rmSync(path('old.jsonl'))
      await soon(() => watched.open.size).toBe(1)
      renameSync(hireClaude(join(folder, 'elsewhere'), 'mine').path, place)
      await soon(() => followed).toContain('.claude/projects/-shop/other.jsonl')
      expect(all.length).toBeGreaterThan(before)
    }))

  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

  it('lets go of one that is silent, and tells only what is new when it grows', () =>
    watching({}, async ({ path, write, all, news, open, sessions }) => {
      write('timed.jsonl', text('noon', Date.now()))
      await soon(() => sessions().length).toBe(2)
      for (const name of ['old.jsonl', 'timed.jsonl']) {
        utimesSync(path(name), hoursAgo(1), hoursAgo(1))
      }
      await soon(() => open.size).toBe(0)
      await soon(sessions).toEqual([])
      appendFileSync(path('old.jsonl'), lines(text('grown')))
      appendFileSync(path('timed.jsonl'), lines(text('evening', Date.now())))
      await soon(() => news.toSorted()).toEqual(['evening', 'grown', 'noon'])
      // all of it is told again, so that a guard knows what came before
      expect(all.toSorted()).toEqual(['evening', 'grown', 'noon', 'noon', 'old', 'old'])
      await soon(() => sessions().length).toBe(2)
    }))

  it('frees what it remembered of one that is silent', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'a.jsonl')
      writeFileSync(path, lines(text('one')))
      const runs: WeakRef<Run>[] = []
      const onItem = ({ run }: TranscriptItem) => void runs.push(new WeakRef(run))
      await watching({ paths: [path], onItem }, async ({ open }) => {
        await soon(() => open.size).toBe(1)
        utimesSync(path, hoursAgo(1), hoursAgo(1))
        await soon(() => open.size).toBe(0)
        await soon(() => {
          collectGarbage()
          return runs.map((run) => run.deref())
        }).toEqual([undefined])
      })
    }))

  it('keeps one for as long as it is told to', () =>
    watching({ silentMs: 2 * 3_600_000 }, async ({ path, write, open, followed }) => {
      write('long.jsonl', text('one'))
      await soon(() => followed).toContain('long.jsonl')
      utimesSync(path('long.jsonl'), hoursAgo(3), hoursAgo(3))
      utimesSync(path('old.jsonl'), hoursAgo(1), hoursAgo(1))
      await soon(() => [...open]).toEqual([path('old.jsonl')])
    }))

  it('tells as news what a session gets that was silent since before the watching started', () =>
    inFolder(async (home) => {
      const agents = [hireClaude, hireCodex, hireCursor, hireCline].map((hire, at) =>
        hire(home, `silent-${at}`),
      )
      for (const agent of agents) {
        agent.call('old.ts')
        utimesSync(agent.path, hoursAgo(5), hoursAgo(5))
      }
      const calls: string[] = []
      const end = new AbortController()
      const there = hireClaude(home, 'there')
      let isReady = false
      const ended = watchTranscripts({
        ...{ signal: end.signal, env: {}, platform: 'linux', home, scanMs: 10 },
        onItem({ event, run }, { isNews }) {
          if (event.type !== 'tool-call') return
          calls.push(`${run.program} ${JSON.stringify(event.args)} ${isNews}`)
        },
        onFollow(path) {
          isReady ||= path === there.path
        },
      })
      await soon(() => isReady).toBe(true)
      expect(calls).toEqual([])
      for (const agent of agents) agent.call('new.ts')
      await soon(() => calls.toSorted()).toEqual([
        'claude-code {"file_path":"new.ts"} true',
        'claude-code {"file_path":"old.ts"} false',
        'cline {"path":"new.ts"} true',
        'cline {"path":"old.ts"} false',
        'codex {"file":"new.ts"} true',
        'codex {"file":"old.ts"} false',
        'cursor {"path":"new.ts"} true',
        'cursor {"path":"old.ts"} false',
      ])
      end.abort()
      await ended
    }))

  it.each([
    ['Claude Code', hireClaude],
    ['Codex', hireCodex],
  ])('tells nothing as news that stood there before, though the clock of %s is ahead', (_, hire) =>
    inFolder(async (home) => {
      const agent = hire(home, 'ahead')
      agent.call('old.ts')
      const ahead = readFileSync(agent.path, 'utf8').replaceAll(
        /"timestamp":"[^"]+"/g,
        `"timestamp":"${hoursAgo(-2).toISOString()}"`,
      )
      writeFileSync(agent.path, ahead)
      utimesSync(agent.path, hoursAgo(5), hoursAgo(5))
      const there = hireClaude(home, 'there')
      const calls: string[] = []
      const followed: string[] = []
      const end = new AbortController()
      const ended = watchTranscripts({
        ...{ signal: end.signal, env: {}, platform: 'linux', home, scanMs: 10 },
        onItem({ event }, { isNews }) {
          if (event.type === 'tool-call') calls.push(`${JSON.stringify(event.args)} ${isNews}`)
        },
        onFollow: (path) => followed.push(path),
      })
      await soon(() => followed).toEqual([there.path])
      agent.call('new.ts')
      await soon(() => calls).toEqual([
        expect.stringMatching(/old\.ts.*false/),
        expect.stringMatching(/new\.ts.*true/),
      ])
      end.abort()
      await ended
    }),
  )

  it('says which sessions it watches', () =>
    watching({}, async ({ folder, path, sessions }) => {
      await soon(() => sessions().length).toBe(1)
      const startedAt = Date.now()
      const { path: file, call } = hireClaude(folder, 'abc')
      call('a.ts')
      await soon(() => sessions().find((one) => one.path === file)).toEqual({
        ...{ path: file, program: 'claude-code', title: 'Claude Code', session: 'abc' },
        ...{ project: '/shop', events: expect.any(Number) },
        ...{ since: expect.any(Number), lastAt: expect.any(Number) },
      })
      const { events: before = 0, lastAt = 0 } = sessions().find((one) => one.path === file) ?? {}
      // file systems keep the time of a write less exactly than the clock
      expect(lastAt).toBeGreaterThan(startedAt - 1000)
      call('a.ts')
      await soon(() => sessions().find((one) => one.path === file)?.events).toBeGreaterThan(before)
      rmSync(file)
      await soon(() => sessions().map((one) => one.path)).toEqual([path('old.jsonl')])
    }))

  it('says which sessions of a database are at work', () =>
    watching({}, async ({ path, sessions, followed }) => {
      writeGoose(path('sessions.db'))
      await soon(() => followed).toContain('sessions.db')
      const inDatabase = () => sessions().filter((one) => one.path === path('sessions.db'))
      const say = (session: string) => {
        const database = new sqlite.Database(path('sessions.db'))
        const content = JSON.stringify([{ type: 'text', text: 'Go on.' }])
        database.run('insert or ignore into sessions values (?, ?, ?)', [session, '/shop', session])
        database.run('insert into messages values (null, ?, ?, ?, ?)', [
          ...[session, 'user', content, Math.ceil(Date.now() / 1000)],
        ])
        database.close()
      }
      say('2')
      say('3')
      await soon(() => inDatabase().map(({ session }) => session)).toEqual(['2', '3'])
      expect(inDatabase()[0]).toMatchObject({ title: 'goose', project: '/shop', events: 1 })
    }))

  it('notices what the system does not report, such as a write behind a link', () =>
    inFolder(async (elsewhere) => {
      const target = join(elsewhere, 'target')
      writeFileSync(target, lines(text('linked')))
      await watching({}, async ({ path, news, all, open }) => {
        symlinkSync(target, path('link.jsonl'))
        await soon(() => all).toContain('linked')
        utimesSync(target, hoursAgo(1), hoursAgo(1))
        await soon(() => [...open]).toEqual([path('old.jsonl')])
        appendFileSync(target, lines(text('more')))
        await soon(() => news).toContain('more')
      })
    }))

  it('takes a path however it is written', () =>
    inFolder(async (folder) => {
      const named = relative(process.cwd(), folder)
      await watching({ paths: [`./${named}//`], scanMs: 60_000 }, async ({ news, open }) => {
        const path = join(folder, 'a.jsonl')
        writeFileSync(path, lines(text('one')))
        await soon(() => open.size).toBe(1)
        appendFileSync(path, lines(text('two')))
        await soon(() => news).toContain('two')
      })
    }))

  it('ends one that is deleted, and takes it up when it is back', () =>
    watching({}, async ({ path, write, open, all }) => {
      rmSync(path('old.jsonl'))
      await soon(() => open.size).toBe(0)
      write('old.jsonl', text('again'))
      await soon(() => all).toContain('again')
    }))

  it('tells once of a path that is not there', () =>
    inFolder(async (folder) => {
      const missing = join(folder, 'missing.jsonl')
      await watching({ paths: [missing] }, async ({ problems, all }) => {
        await soon(() => problems).toHaveLength(1)
        writeFileSync(missing, lines(text('here now')))
        await soon(() => all).toEqual(['here now'])
        expect(problems).toHaveLength(1)
      })
    }))

  it('watches the default locations of every program', () =>
    inFolder(async (home) => {
      const copies: Record<string, string> = {
        'claude-code.jsonl': '.claude/projects/-shop/1.jsonl',
        'codex.jsonl': '.codex/sessions/2026/11/15/rollout-1.jsonl',
        'gemini-cli.jsonl': '.gemini/tmp/shop/chats/session-1.jsonl',
        'qwen-code.jsonl': '.qwen/projects/-shop/chats/1.jsonl',
        'opencode-tree': '.local/share/opencode/storage',
        openhands: '.openhands/conversations/1',
        cline: '.cline/data/tasks/1',
        'mini-swe-agent.traj.json': '.config/mini-swe-agent/last.traj.json',
      }
      const options = { paths: [], env: {}, platform: 'linux', home }
      await watching(options, async ({ all }) => {
        for (const [from, to] of Object.entries(copies)) {
          cpSync(fixture(from), join(home, to), { recursive: true })
        }
        const programs = ['claude-code', 'codex', 'gemini-cli', 'qwen-code', 'opencode']
        await soon(() => [...new Set(all)]).toEqual(
          expect.arrayContaining([...programs, 'openhands', 'cline', 'mini-swe-agent']),
        )
      })
    }))
})

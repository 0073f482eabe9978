import {
  appendFileSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MAX_FOLLOWED, type WatchOptions, watchTranscripts } from '../src/index.js'
import { fixture, inFolder, lines } from './read.js'

const soon = <T>(ask: () => T) => expect.poll(ask, { timeout: 10_000 })
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
  })

async function watch(folder: string, signal: AbortSignal, options: Partial<WatchOptions>) {
  const all: string[] = []
  const news: string[] = []
  const followed: string[] = []
  const open = new Set<string>()
  const problems: string[] = []
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
    ...options,
  })
  if (!options.paths && !options.env) await soon(() => followed).toEqual(['old.jsonl'])
  return { folder, path, write, all, news, followed, open, problems, most: () => most, ended }
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

  it(
    'follows a bounded number: every new one, and again one that grows after a silence',
    () =>
      watching({}, async ({ path, write, news, open, followed, most }) => {
        const names = Array.from({ length: MAX_FOLLOWED + 10 }, (_, n) => `${n}.jsonl`)
        for (const [n, name] of names.entries()) {
          write(name, text(name))
          const later = Date.now() / 1000 + n
          utimesSync(path(name), later, later)
          await soon(() => news).toContain(name)
        }
        expect(most()).toBeLessThanOrEqual(MAX_FOLLOWED)
        await soon(() => open.has(path('0.jsonl'))).toBe(false)
        const times = followed.filter((name) => name === '0.jsonl').length
        appendFileSync(path('0.jsonl'), lines(text('back')))
        utimesSync(path('0.jsonl'), Date.now() / 1000 + 500, Date.now() / 1000 + 500)
        await soon(() => news).toContain('back')
        expect(followed.filter((name) => name === '0.jsonl')).toHaveLength(times + 1)
        expect(most()).toBeLessThanOrEqual(MAX_FOLLOWED)
      }),
    30_000,
  )

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

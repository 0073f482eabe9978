import { utimesSync } from 'node:fs'
import { createGuard, type Guard } from 'unloop'
import { expect, it } from 'vitest'
import { type Run, watchTranscripts } from '../src/index.js'
import {
  type AgentAtWork,
  type Hire,
  hireClaude,
  hireCline,
  hireCodex,
  hireCursor,
} from './agents-at-work.js'
import { inFolder } from './read.js'

const HIRES: readonly Hire[] = [hireClaude, hireCodex, hireCursor, hireCline]
const soon = <T>(ask: () => T) => expect.poll(ask, { interval: 5 })
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

/** Watches a home, counts the calls of each transcript, and notes which have a new loop. */
function watch(home: string, signal: AbortSignal) {
  const calls = new Map<string, number>()
  const loops = new Set<string>()
  const followed = new Set<string>()
  const guards = new WeakMap<Run, Guard>()
  const ended = watchTranscripts({
    ...{ signal, env: {}, platform: 'linux', home },
    onItem({ run, event }, { path, isNews }) {
      const guard = guards.get(run) ?? createGuard()
      guards.set(run, guard)
      if (guard.observe(event) && isNews) loops.add(path)
      if (event.type === 'tool-call') calls.set(path, (calls.get(path) ?? 0) + 1)
    },
    onFollow: (path) => followed.add(path),
  })
  return { ended, calls, loops, followed }
}

it('notices a loop in any of 200 sessions: one that grows, one that was silent, one that is new', () =>
  inFolder(async (home) => {
    const hire = (name: string, at: number) => (HIRES[at % HIRES.length] as Hire)(home, name)
    const agents = Array.from({ length: 200 }, (_, at) => hire(`session-${at}`, at))
    const growing = agents.slice(0, 20)
    for (const { path } of agents.slice(20)) utimesSync(path, hoursAgo(5), hoursAgo(5))
    const end = new AbortController()
    const watched = watch(home, end.signal)
    try {
      await soon(() => watched.followed.size).toBe(20)
      const loopers = new Set([...growing.slice(0, 4), ...agents.slice(100, 104)])
      const all = [...growing, ...agents.slice(100, 104)]
      for (const at of [0, 1, 2, 3]) {
        const fresh = hire(`new-${at}`, at)
        loopers.add(fresh)
        all.push(fresh)
      }
      for (let round = 1; round <= 8; round++) {
        for (const agent of all) agent.call(loopers.has(agent) ? 'a.ts' : `${round}.ts`)
        const late = () => all.filter(({ path }) => (watched.calls.get(path) ?? 0) < round)
        await soon(() => late().map(({ path }) => path)).toEqual([])
      }
      const pathsOf = (some: Iterable<AgentAtWork>) => [...some].map(({ path }) => path).sort()
      expect([...watched.loops].sort()).toEqual(pathsOf(loopers))
    } finally {
      end.abort()
      await watched.ended
    }
  }))

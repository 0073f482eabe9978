import type { Watched } from '@unloop/transcripts'
import { inEnglish } from 'unloop/words'
import { beforeEach, describe, expect, it } from 'vitest'
import type { WatchedLoop } from './found.js'
import { createWatchList, describeWatched, type WatchList } from './watch-list.js'
import { createReport } from './watch-report.js'

const loopOf = (
  count: number,
  certainty: 'likely' | 'certain' = 'certain',
  session = 's',
): WatchedLoop => ({
  ...{ at: count },
  finding: {
    ...{ detector: 'repeated-call', kind: 'repeated-call', certainty, detail: '', advice: '' },
    ...{ identity: 'x', count, period: 1, firstEvent: 0, lastEvent: 9, sample: '', strike: 1 },
    ...{ action: 'warn', wasted: { events: 4, characters: 0 } },
  },
  place: {
    ...{ type: 'transcript', path: '/t.jsonl', line: 9, since: 2, session, project: '/shop' },
    ...{ program: 'claude-code', title: 'Claude Code' },
  },
})

describe('a loop that grows', () => {
  const dueOf = (loops: readonly WatchedLoop[]) => {
    const due: boolean[] = []
    const report = createReport({ onFound: (_, isDue) => due.push(isDue), onFault: () => {} })
    for (const loop of loops) report.found(loop)
    return loops.flatMap(({ finding }, at) => (due[at] ? [finding.count] : []))
  }

  it('is told of again each time it has doubled', () => {
    const counts = Array.from({ length: 97 }, (_, at) => at + 4)
    expect(dueOf(counts.map((count) => loopOf(count)))).toEqual([4, 8, 16, 32, 64])
  })

  it('is told of again when it is certain, and not while it is only likely', () => {
    const loops = [3, 6, 9].map((count) => loopOf(count, 'likely'))
    expect(dueOf([...loops, loopOf(10), loopOf(11)])).toEqual([3, 10])
  })

  it('is another one in another session', () => {
    expect(dueOf([loopOf(4), loopOf(4, 'certain', 'other'), loopOf(4)])).toEqual([4, 4])
  })
})

describe('the list', () => {
  let list: WatchList
  let changes: number
  beforeEach(() => {
    changes = 0
    list = createWatchList({
      onChange: () => changes++,
      told: async () => {},
      isOpen: () => true,
    })
  })

  it('has each loop once, with its last count, and counts what was not looked at', () => {
    expect(list.add(loopOf(4), true)).toBe(true)
    expect(list.add(loopOf(5), false)).toBe(false)
    expect(list.add(loopOf(3, 'likely', 'other'), true)).toBe(false)
    expect(list.found.map(({ finding }) => finding.count)).toEqual([3, 5])
    expect(list.unseen).toBe(1)
    list.see()
    expect(list.unseen).toBe(0)
    expect(list.add(loopOf(8), true)).toBe(true)
    expect(list.unseen).toBe(1)
    expect(changes).toBeGreaterThan(4)
  })

  it.each(['muteLoop', 'muteSession'] as const)(
    'is silent after %s, until that is undone',
    (mute) => {
      list.add(loopOf(4), true)
      list[mute](loopOf(4))
      expect(list.unseen).toBe(0)
      expect(list.isMuted(loopOf(5))).toBe(true)
      expect(list.add(loopOf(8), true)).toBe(false)
      expect(list.add(loopOf(4, 'certain', 'other'), true)).toBe(true)
      const another = { ...loopOf(4), finding: { ...loopOf(4).finding, identity: 'y' } }
      expect(list.add(another, true)).toBe(mute === 'muteLoop')
      list.unmute(loopOf(4))
      expect(list.add(loopOf(16), true)).toBe(true)
    },
  )
})

describe('clearing the list', () => {
  /** A list, and the way to let the window see what it was told. */
  function listBefore({ isOpen = false } = {}) {
    const shows: (() => void)[] = []
    const list = createWatchList({
      onChange: () => {},
      told: () => new Promise((resolve) => shows.push(resolve)),
      isOpen: () => isOpen,
    })
    async function show() {
      for (const resolve of shows.splice(0)) resolve()
      await Promise.resolve()
    }
    const sessions = () => list.found.map(({ place }) => place.session)
    return { list, show, sessions }
  }

  it('leaves a loop that came after the person asked for it', async () => {
    const { list, show, sessions } = listBefore()
    list.add(loopOf(4, 'certain', 'seen'), true)
    await show()
    list.add(loopOf(4, 'certain', 'new'), true)
    list.clear()
    expect(sessions()).toEqual(['new'])
    expect(list.unseen).toBe(1)
    await show()
    list.clear()
    expect(sessions()).toEqual([])
    expect(list.unseen).toBe(0)
  })

  it('leaves a loop whose row the open list does not have yet', async () => {
    const { list, show, sessions } = listBefore({ isOpen: true })
    list.add(loopOf(4), true)
    await show()
    list.clear()
    expect(sessions()).toEqual(['s'])
    list.show(list.found)
    list.clear()
    expect(sessions()).toEqual(['s'])
    await show()
    list.clear()
    expect(sessions()).toEqual([])
  })

  it('takes along a loop that grew faster than the window could show it', async () => {
    const { list, show, sessions } = listBefore()
    for (const count of [4, 5, 6, 7]) list.add(loopOf(count), true)
    await show()
    list.clear()
    expect(sessions()).toEqual([])
  })

  it('takes along a loop that the person knows and that has grown meanwhile', async () => {
    const { list, show, sessions } = listBefore()
    list.add(loopOf(4), true)
    await show()
    list.add(loopOf(8), true)
    list.clear()
    expect(sessions()).toEqual([])
  })

  it('leaves a loop that is back since it was last cleared', async () => {
    const { list, show, sessions } = listBefore()
    list.add(loopOf(4), true)
    await show()
    list.clear()
    list.add(loopOf(8), true)
    list.clear()
    expect(sessions()).toEqual(['s'])
  })
})

it('says how much is watched', () => {
  const watched = (program: string): Watched => ({
    ...{ path: '/t', program, title: program, session: 's', project: '/shop' },
    ...{ since: 0, lastAt: 0, events: 1 },
  })
  const say = (...programs: string[]) => describeWatched(programs.map(watched), inEnglish)
  expect(say()).toBe('Watching; no agent is at work in this workspace')
  expect(say('codex')).toBe('Watching 1 session')
  expect(say('codex', 'codex')).toBe('Watching 2 sessions of 1 agent')
  expect(say('codex', 'codex', 'amp')).toBe('Watching 3 sessions of 2 agents')
})

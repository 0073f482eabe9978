import { setTimeout as pause } from 'node:timers/promises'
import { type Body, type Provider, startProvider } from '@unloop/testing'
import { afterEach, describe, expect, it } from 'vitest'
import type { Finding } from '../../src/finding.js'
import { createGuards, type GuardStore, type Guards } from '../../src/host/guards.js'
import { soak } from '../arbitraries.js'

/** One conversation with an agent that a server has made once, for all of them. */
export type Ask = (
  prompt: string,
  readFile: (path: string) => Promise<string>,
  conversation: string,
) => Promise<string>

export interface ConversationsCase {
  /** What a server makes at module scope: one client or agent, with guards for all its conversations. */
  serve(url: string, guards: Guards): Ask
  /** how many at the same time */
  conversations?: number
  /** false where the program runs the tools, and no call can be refused */
  refuses?: boolean
}

/** How many conversations talk at the same time. */
export const MANY = soak ? 50 : 20

/** What every adapter does where one client serves everybody. */
export function testConversations(
  name: string,
  { serve, conversations = MANY, refuses = true }: ConversationsCase,
) {
  let provider: Provider | undefined
  afterEach(async () => {
    await provider?.close()
    provider = undefined
  })

  async function talk(guards: Guards, count: number) {
    provider = await startProvider(({ body }) => script(body))
    const ask = serve(provider.url, guards)
    const random = randomFrom(7)
    return Promise.all(
      Array.from({ length: count }, async (_, i) => {
        // half of them ask the very same question
        const prompt =
          i % 2 === 0 ? 'work: where is the bug?' : `loop: number ${i % 4 === 1 ? 1 : i}`
        const read: string[] = []
        await pause(random() * 50)
        const text = await ask(
          prompt,
          async (path) => {
            read.push(path)
            await pause(random() * 10)
            return `content of ${path}`
          },
          `conversation ${i}`,
        )
        return { prompt, text, read }
      }),
    )
  }

  describe(`${name}, serving many conversations`, () => {
    it('disturbs none and finds every loop', async () => {
      const found: Finding[] = []
      const guards = createGuards({ guard: { onFinding: (finding) => found.push(finding) } })
      const told = await talk(guards, conversations)
      for (const { prompt, text, read } of told) {
        if (prompt.startsWith('work')) {
          expect(text).toContain('Done.')
          expect(read).toEqual(WORK)
        } else expect(text).not.toContain('Done.')
      }
      const loops = told.filter(({ prompt }) => prompt.startsWith('loop')).length
      expect(found.filter(({ action }) => action === 'stop')).toHaveLength(loops)
      for (const { prompt, read } of told)
        if (prompt.startsWith('loop')) expect(read.length).toBeLessThanOrEqual(refuses ? 4 : 5)
    })

    it('goes on in another process, with a store', async () => {
      const store = createStore()
      const open = () => createGuards({ store })
      let guards = open()
      // each call of a method may come from another process
      const anywhere: Guards = new Proxy({} as Guards, {
        has: (_, property) => property in guards,
        get(_, property) {
          if (property === 'open' || property === 'has') guards = open()
          const value = Reflect.get(guards, property)
          return typeof value === 'function' ? value.bind(guards) : value
        },
      })
      const [work, loop] = await talk(anywhere, 2)
      expect(work?.text).toContain('Done.')
      expect(loop?.text).not.toContain('Done.')
    })
  })
}

/** A store as simple as the one a user writes. */
export function createStore(): GuardStore {
  const values = new Map<string, string>()
  return {
    get: async (key) => values.get(key),
    set: async (key, value) => values.set(key, value),
    delete: async (key) => values.delete(key),
  }
}

const WORK = ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/a.test.ts', 'README.md']

/** Works or loops, as the prompt says; how far it is, it tells from the answers in the request. */
function script(body: Body) {
  const text = JSON.stringify(body)
  const turn = text.match(/content of /g)?.length ?? 0
  if (!text.includes('work:')) return { calls: [{ name: 'read_file', args: { path: 'x.ts' } }] }
  const path = WORK[turn]
  return path ? { calls: [{ name: 'read_file', args: { path } }] } : { text: 'Done.' }
}

/** The same pauses in each run. */
function randomFrom(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

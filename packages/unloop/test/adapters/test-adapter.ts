import { getEventListeners, setMaxListeners } from 'node:events'
import { setImmediate as nextTask } from 'node:timers/promises'
import v8 from 'node:v8'
import vm from 'node:vm'
import {
  type Body,
  createOracle,
  ORACLE_ADVICE,
  type Provider,
  type Script,
  startProvider,
} from '@unloop/testing'
import { afterEach, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/event.js'
import { createGuard, type Guard } from '../../src/guard.js'
import { type Outcome, outcomeOf as ownOutcomeOf } from '../../src/host/run.js'
import type { GuardOptions } from '../../src/settings.js'
import { soak } from '../arbitraries.js'

/** What a program of a user does with an SDK: asks, runs the tools it is asked to run, and answers. */
export interface Program {
  /** where the provider is */
  url: string
  /** undefined: the same program without us */
  guard: Guard | undefined
  prompt: string
  signal: AbortSignal
  /** the one tool there is, `read_file`, whose answer this gives */
  readFile(path: string): string
}

export interface AdapterCase {
  /** Runs the program to its end and gives the text of the answer; what the SDK throws, it throws. */
  run(program: Program): Promise<string>
  /** whether it streams: only then can a chant be cut while it is written */
  streams: boolean
  /** false where the seam has nothing that tells one run from another */
  tellsRunsApart?: boolean
  /** false where calls are seen one by one, each when it is about to run, and nothing tells which belong together */
  seesRounds?: boolean
  /** what of a request is the same in two runs; all of it if absent */
  steady?(body: Body): unknown
  /** the adapter's own, where it is another copy of ours */
  outcomeOf?: (guard: Guard) => Outcome
  /** how often it is run to see what it leaves behind; less where each run starts a program */
  times?: number
}

const LOOP: Script = () => ({ calls: [{ name: 'read_file', args: { path: 'login.ts' } }] })
/** Reads another file each turn, then is done. */
const WORK: Script = (_, turn) =>
  turn < 8
    ? {
        text: `Now file ${turn}. `,
        calls: [{ name: 'read_file', args: { path: `src/part-${turn}.ts` } }],
      }
    : { text: 'Done.' }
const CHANT = 'I will check the configuration once again. '

const TOLD = ['tool-call', 'tool-result'] as const

/** How many equal reads it takes until the guard speaks; the next one is refused, and the one after that ends the run. */
export const SPEAKS_AT = speaksAt()

/** A guard that notes what it is shown. */
export const listening = (events: AgentEvent[], guard = createGuard()): Guard =>
  Object.create(guard, {
    observe: {
      value: (event: AgentEvent) => {
        events.push(event)
        return guard.observe(event)
      },
    },
  })

/** A guard that is saved and restored after every event: nothing may be kept beside its snapshot. */
function restoring(options: GuardOptions = {}): Guard {
  let inner = createGuard(options)
  const renew = <Result>(result: Result): Result => {
    inner = createGuard(options, JSON.parse(JSON.stringify(inner.snapshot())))
    return result
  }
  return new Proxy({} as Guard, {
    has: (_, property) => property in inner,
    get(_, property) {
      if (property === 'observe') return (event: AgentEvent) => renew(inner.observe(event))
      const value = Reflect.get(inner, property)
      return typeof value === 'function' ? value.bind(inner) : value
    },
  })
}

/** What every adapter does, on the real SDK against a server that speaks its protocol. */
export function testAdapter(
  name: string,
  {
    run,
    streams,
    tellsRunsApart = true,
    seesRounds = true,
    steady = (body) => body,
    times = soak ? 1000 : 10,
    outcomeOf = ownOutcomeOf,
  }: AdapterCase,
): void {
  let provider: Provider | undefined
  afterEach(async () => {
    await provider?.close()
    provider = undefined
  })

  async function start(script: Script, guard: Guard | undefined, options: Partial<Program> = {}) {
    provider = await startProvider(script)
    return { ...(await ask(provider, guard, options)), provider }
  }

  async function ask({ url }: Provider, guard: Guard | undefined, options: Partial<Program> = {}) {
    const runs: string[] = []
    const { signal } = createAbort()
    const program: Program = {
      url,
      guard,
      prompt: 'Why does the login fail?',
      signal,
      readFile(path) {
        runs.push(path)
        return `content of ${path}`
      },
      ...options,
    }
    const outcome = await run(program).then(
      (text) => ({ text, error: undefined }),
      (error: unknown) => ({ text: '', error }),
    )
    return { ...outcome, runs, signal: program.signal }
  }

  const bodies = (from: Provider) => from.exchanges.map(({ body }) => JSON.stringify(steady(body)))

  describe(name, () => {
    it('finds the same when its guard is saved and restored after every step', async () => {
      const guard = restoring()
      const { runs, error, provider } = await start(LOOP, guard)
      const requests = provider.exchanges.length
      await provider.close()
      const plain = createGuard()
      const usual = await start(LOOP, plain)
      expect(error).toBeUndefined()
      expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
      expect(runs).toEqual(usual.runs)
      expect(requests).toBe(usual.provider.exchanges.length)
      expect(outcomeOf(guard)).toBe('stopped')
    })

    it('warns an agent that loops on one tool, refuses the call, and ends the run', async () => {
      const guard = createGuard()
      const { runs, error, provider } = await start(LOOP, guard)
      expect(error).toBeUndefined()
      expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
      expect(guard.stopped).toBe(true)
      expect(outcomeOf(guard)).toBe('stopped')
      expect(runs.length).toBeLessThanOrEqual(SPEAKS_AT)
      const [warning] = guard.findings
      const told = bodies(provider).filter((body) =>
        body.includes(JSON.stringify(warning?.advice).slice(1, -1)),
      )
      expect(told.length).toBeGreaterThan(0)
      expect(provider.exchanges.length).toBeLessThanOrEqual(SPEAKS_AT + 3)
      expect(guard.faults).toEqual([])
    })

    const planes = { 'tool-call': 'calls', 'tool-result': 'calls', text: 'text' } as const
    const seen = streams ? (['tool-call', 'tool-result', 'text'] as const) : TOLD
    it.each(seen)('advises an agent once that may be stuck, and leaves it be: %s', async (type) => {
      const plain = await start(WORK, undefined)
      await plain.provider.close()
      const plane = planes[type]
      const oracle = createOracle(type, (_, count) => (count > 2 ? 'likely' : undefined), { plane })
      const guard = createGuard({ detectors: [oracle] })
      const { runs, text, error, provider } = await start(WORK, guard)
      expect({ runs, text, error }).toEqual({
        runs: plain.runs,
        text: plain.text,
        error: undefined,
      })
      expect(guard.findings).toMatchObject([{ certainty: 'likely', action: 'warn', strike: 1 }])
      expect(guard.stopped).toBe(false)
      expect(outcomeOf(guard)).toBe('ok')
      expect(guard.faults).toEqual([])
      const told = bodies(provider).map((body) => body.split(ORACLE_ADVICE).length - 1)
      expect(told).toHaveLength(plain.provider.exchanges.length)
      // again only as a part of the history
      expect(told.join('')).toMatch(/^0+1(?:0+|1+)$/)
    })

    it('takes the advice for the first step where it turns out to be certain', async () => {
      const oracle = createOracle('tool-call', (_, count) =>
        count > 4 ? 'certain' : count > 2 ? 'likely' : undefined,
      )
      const guard = createGuard({ detectors: [oracle] })
      const { runs, error } = await start(WORK, guard)
      expect(error).toBeUndefined()
      expect(runs).toHaveLength(4)
      expect(guard.findings.map(({ certainty, action }) => `${certainty} ${action}`)).toEqual([
        'likely warn',
        'certain block',
        'certain stop',
      ])
      expect(outcomeOf(guard)).toBe('stopped')
    })

    it('tells the guard when calls and answers come', async () => {
      const events: AgentEvent[] = []
      const before = Date.now()
      await start(LOOP, listening(events))
      const times = events.flatMap(({ type, at }) => (type.startsWith('tool-') ? [at ?? 0] : []))
      expect(times.length).toBeGreaterThan(4)
      expect(times).toEqual([...times].sort((a, b) => a - b))
      expect(times[0]).toBeGreaterThanOrEqual(before)
      expect(times.at(-1)).toBeLessThanOrEqual(Date.now())
    })

    it.each([
      ['two calls', ['a', 'b']],
      ['the same call three times', ['a', 'a', 'a']],
      ['two of three calls twice', ['a', 'b', 'a', 'b', 'c']],
    ])('refuses every call of a round that goes on: %s', async (_, paths) => {
      const calls = paths.map((path) => ({ name: 'read_file', args: { path } }))
      for (const effect of ['reads', 'changes'] as const) {
        // who sends mails in rounds is stopped as early as who reads files
        const guard = createGuard({ tools: { read_file: { effect } } })
        const { runs, error, provider } = await start(() => ({ calls }), guard)
        expect(error).toBeUndefined()
        const rounds = runs.length / paths.length
        expect(rounds, effect).toBeLessThanOrEqual(seesRounds ? 4 : 5)
        if (seesRounds) expect(runs).toEqual(Array.from({ length: rounds }, () => paths).flat())
        const actions = guard.findings.map(({ action }) => action)
        expect(actions.slice(0, 3)).toEqual(['warn', 'block', 'stop'])
        expect(guard.faults).toEqual([])
        expect(provider.exchanges.length).toBeLessThanOrEqual(7)
        await provider.close()
      }
    })

    it.each(['call_0', ''])('finds a loop of calls that all have the id %j', async (id) => {
      const script: Script = (_, turn) => {
        // once refused, and then on to other files
        const path = turn <= SPEAKS_AT ? 'login.ts' : `src/part-${turn}.ts`
        return turn < 9 ? { calls: [{ id, name: 'read_file', args: { path } }] } : { text: 'Done.' }
      }
      const plain = await start(script, undefined)
      await plain.provider.close()
      const guard = createGuard()
      const { runs, text } = await start(script, guard)
      expect(text).toBe(plain.text)
      expect(guard.faults).toEqual([])
      // an SDK that does not run them all cannot tell them apart itself
      if (plain.runs.length < 9) return expect(runs).toEqual(plain.runs)
      expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block'])
      expect(runs).toEqual(plain.runs.toSpliced(SPEAKS_AT, 1))
    })

    it('asks the model no more once the person has stopped it', async () => {
      const guard = createGuard()
      const runs: string[] = []
      const { error, provider } = await start(
        (_, turn) => ({ calls: [{ name: 'read_file', args: { path: `src/part-${turn}.ts` } }] }),
        guard,
        {
          readFile(path) {
            if (runs.push(path) === 3) guard.stop()
            return `content of ${path}`
          },
        },
      )
      expect(error).toBeUndefined()
      expect(runs).toHaveLength(3)
      expect(provider.exchanges).toHaveLength(3)
      expect(guard.findings).toEqual([])
      expect(guard.faults).toEqual([])
    })

    it('leaves a healthy run as it is, byte for byte', async () => {
      const script: Script = (_, turn) =>
        turn < 20
          ? {
              text: `Now file ${turn}. `,
              calls: [{ name: 'read_file', args: { path: `src/part-${turn}.ts` } }],
            }
          : { text: 'I have read them all.' }
      const plain = await start(script, undefined)
      const without = bodies(plain.provider)
      await plain.provider.close()
      const guard = createGuard()
      const guarded = await start(script, guard)
      expect(bodies(guarded.provider)).toEqual(without)
      expect(guarded.text).toBe(plain.text)
      expect(guarded.error).toBeUndefined()
      expect(guard.findings).toEqual([])
      expect(outcomeOf(guard)).toBe('ok')
      // each call and each answer was seen, and seen once
      expect(guard.faults).toEqual([])
      expect(guarded.runs).toHaveLength(20)
      const most = listenersOf(plain.signal)
      await expect.poll(() => listenersOf(guarded.signal)).toBeLessThanOrEqual(most)
    })

    it('counts nothing twice', async () => {
      const events: AgentEvent[] = []
      await start(
        [
          {
            calls: [
              { name: 'read_file', args: { path: 'a' } },
              { name: 'read_file', args: { path: 'b' } },
            ],
          },
          { text: 'Done.' },
        ],
        listening(events),
      )
      const seen = events
        .filter((event) => event.type === 'tool-call' || event.type === 'tool-result')
        .map(({ type, id }) => `${type} ${id}`)
      expect(seen.filter((one) => one.startsWith('tool-call'))).toHaveLength(2)
      expect(seen.filter((one) => one.startsWith('tool-result'))).toHaveLength(2)
      expect(new Set(seen).size).toBe(4)
    })

    if (streams) {
      it('cuts a chant while it is written, and the program goes on', async () => {
        const guard = createGuard()
        const { error, text, provider } = await start(
          [{ text: CHANT.repeat(2000), pauseMs: 1 }, { text: 'Done.' }],
          guard,
        )
        expect(error).toBeUndefined()
        expect(guard.findings[0]).toMatchObject({ detector: 'chanting', action: 'cut' })
        expect(outcomeOf(guard)).toBe('cut')
        expect(text.length).toBeLessThan(CHANT.length * 1000)
        expect(await (await provider.exchange(0)).disconnected).toBe(true)
      })
    }

    if (tellsRunsApart) {
      it.each([2, 12])(
        'reports a guard that watches %i runs at once, and disturbs none',
        async (runs) => {
          const guard = createGuard()
          const script: Script = async (_, turn) => {
            // who asks first waits for the others
            if (turn === 0) await provider?.exchange(runs - 1)
            return turn < 3 * runs
              ? { calls: [{ name: 'read_file', args: { path: 'a' } }], pauseMs: 2 }
              : { text: 'Done.' }
          }
          provider = await startProvider(script)
          const { url } = provider
          const program = {
            url,
            guard,
            prompt: 'go',
            signal: createAbort().signal,
            readFile: () => 'content',
          }
          const texts = await Promise.all(Array.from({ length: runs }, () => run(program)))
          expect(texts.every((text) => text.includes('Done.'))).toBe(true)
          expect(guard.faults.map(({ error }) => String(error))).toEqual([
            expect.stringContaining('two runs at once'),
          ])
          expect(outcomeOf(guard)).toBe('unguarded')
        },
      )
    }

    it('lets the person stop as before', async () => {
      const abort = createAbort()
      const { error, runs } = await start(LOOP, createGuard(), {
        signal: abort.signal,
        readFile: () => {
          abort.abort()
          return 'content'
        },
      })
      const plain = createAbort()
      const without = await start(LOOP, undefined, {
        signal: plain.signal,
        readFile: () => {
          plain.abort()
          return 'content'
        },
      })
      expect((error as Error | undefined)?.name).toBe((without.error as Error | undefined)?.name)
      expect(runs).toEqual(without.runs)
    })

    it('never lets a failure of ours reach the program', async () => {
      const guard = createGuard()
      const broken: Guard = Object.create(guard, {
        observe: {
          value: () => {
            throw new Error('ours')
          },
        },
      })
      const { text, error } = await start(
        [{ calls: [{ name: 'read_file', args: { path: 'a' } }] }, { text: 'Done.' }],
        broken,
      )
      expect(error).toBeUndefined()
      expect(text).toContain('Done.')
      expect(guard.faults).toHaveLength(1)
    })

    it(`leaves nothing behind in ${times} runs`, async () => {
      const handles = openHandles()
      const guards: WeakRef<Guard>[] = []
      const heaps: number[] = []
      const server = await startProvider((_, turn) =>
        turn % 2 === 0
          ? { calls: [{ name: 'read_file', args: { path: 'a' } }] }
          : { text: 'Done.' },
      )
      provider = server
      for (let i = 0; i < times; i++) {
        const { text } = await ask(server, remember(guards))
        expect(text).toContain('Done.')
        server.exchanges.length = 0
        if (i === Math.floor(times / 4) || i === times - 1) heaps.push(await heapAfterCollection())
      }
      await server.close()
      // the last one may still be on somebody's stack
      expect(guards.filter((guard) => guard.deref()).length).toBeLessThanOrEqual(2)
      const [early = 0, late = 0] = heaps
      expect(late - early).toBeLessThan(8e6)
      await expect.poll(openHandles).toBeLessThanOrEqual(handles)
    })

    it('passes errors of the provider on unchanged', async () => {
      const script: Script = () => ({ status: 400, message: 'no such model' })
      const guarded = await start(script, createGuard())
      const plain = await start(script, undefined)
      expect(guarded.error).toBeInstanceOf((plain.error as Error).constructor)
      expect((guarded.error as Error).message).toBe((plain.error as Error).message)
    })
  })
}

/** One client of an agent, as a program has it. */
export interface Asker {
  /** Asks the next turn of an agent with one tool, and has the answers to its calls ready for the one after; gives its text. */
  next(): Promise<string>
  /** Asks for a title, without tools. */
  title(): Promise<string>
}

/** Requests beside a run, through the same client: they neither count nor switch the guard off. */
export function testTitles(name: string, open: (url: string, guard: Guard) => Asker): void {
  it.each(['behind', 'before'])(
    `${name}: leaves a title alone that is asked for %s each turn`,
    async (order) => {
      const provider = await startProvider(({ body }) =>
        body.tools
          ? { calls: [{ name: 'read_file', args: { path: 'a' } }] }
          : { text: 'About the login', pauseMs: 1 },
      )
      const events: AgentEvent[] = []
      const guard = listening(events)
      const { next, title } = open(provider.url, guard)
      const said: string[] = []
      for (let turn = 0; turn < 10 && !said.join().includes('Stopped: '); turn++) {
        const asked = order === 'behind' ? [next(), title()] : [title(), next()]
        said.push(...(await Promise.all(asked)))
      }
      expect(said.filter((text) => text === 'About the login')).toHaveLength(said.length / 2)
      expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
      // and one more, when all is over
      expect(await title()).toBe('About the login')
      await provider.close()
      expect(ownOutcomeOf(guard)).toBe('stopped')
      expect(guard.faults).toEqual([])
      expect(events.filter(({ type }) => type === 'text')).toEqual([])
    },
  )
}

function speaksAt(): number {
  const guard = createGuard()
  let calls = 0
  while (guard.findings.length === 0) {
    calls++
    guard.observe({ type: 'tool-call', name: 'read_file', args: { path: 'a' } })
    guard.observe({ type: 'tool-result', name: 'read_file', output: 'content' })
  }
  return calls
}

function remember(guards: WeakRef<Guard>[]): Guard {
  const guard = createGuard()
  guards.push(new WeakRef(guard))
  return guard
}

/** What keeps the process from ending. */
const openHandles = () =>
  process.getActiveResourcesInfo().filter((name) => /Socket|Server|Process/.test(name)).length

v8.setFlagsFromString('--expose-gc')
const collect: () => void = vm.runInNewContext('gc')

async function heapAfterCollection(): Promise<number> {
  // what waits for its turn holds what it will need
  for (let i = 0; i < 5; i++) await nextTask()
  collect()
  return process.memoryUsage().heapUsed
}

/** What still listens: an SDK may forget to stop, and leave it to the garbage collection. */
function listenersOf(signal: AbortSignal): number {
  collect()
  return getEventListeners(signal, 'abort').length
}

/** For as many requests as there are: some SDKs listen anew with each and forget to stop. */
function createAbort(): AbortController {
  const abort = new AbortController()
  setMaxListeners(0, abort.signal)
  return abort
}

import v8 from 'node:v8'
import vm from 'node:vm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../src/event.js'
import type { Finding } from '../src/finding.js'
import { createGuard, type Guard } from '../src/guard.js'
import { presets } from '../src/presets/index.js'
import type { GuardOptions } from '../src/settings.js'
import { cut, loopyEvents, loopyText, nonsense, runs, seed, soak } from './arbitraries.js'
import { windowOracle } from './window-oracle.js'

beforeAll(() => console.info(`properties: seed ${seed} (UNLOOP_SEED), ${soak ? 'soak' : 'short'}`))

const guards: Record<string, GuardOptions> = {
  default: {},
  'gemini-cli': { preset: presets['gemini-cli'] },
  'qwen-code': { preset: presets['qwen-code'] },
  deepv: { preset: presets.deepv },
}

const observeAll = (guard: Guard, events: AgentEvent[]) =>
  events.map((event) => guard.observe(event))

it('says the same for every seed, however many calls it has seen', () => {
  // so many that counters shared by a hash would be taken for each other's
  const run = Array.from({ length: 1500 }, (_, i): AgentEvent[] => [
    { type: 'tool-call', name: 'read_page', args: { number: i % 400 } },
    { type: 'tool-result', output: `page ${i % 400} of the book\nthe same footer` },
  ]).flat()
  const [first, ...others] = Array.from({ length: 24 }, () => {
    const guard = createGuard()
    const found = observeAll(guard, run).map((finding) => finding?.detail)
    return { found, findings: guard.findings, near: guard.explain() }
  })
  for (const other of others) expect(other).toEqual(first)
})

describe.each(Object.entries(guards))('%s', (_name, options) => {
  const inEvents = countFound()
  const inText = countFound()

  it('never throws and drops no detector, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            nonsense,
            loopyEvents.map((events) => events[0] as AgentEvent),
          ),
        ),
        (events) => {
          const guard = createGuard(options)
          observeAll(guard, events)
          expect(guard.faults).toEqual([])
        },
      ),
      runs(200),
    )
  })

  it('says the same of the same events', () => {
    fc.assert(
      fc.property(loopyEvents, (events) => {
        const findings = observeAll(createGuard(options), events)
        inEvents.count(findings)
        expect(observeAll(createGuard(options), events)).toEqual(findings)
      }),
      runs(200),
    )
  })

  it('says the same of a text however it was cut', () => {
    fc.assert(
      fc.property(
        loopyText.chain((text) => fc.tuple(fc.constant(text), cut(text), cut(text))),
        ([text, one, other]) => {
          const verdicts = [[text], one, other].map((deltas) => verdictOnText(options, deltas))
          inText.count([verdicts[0]])
          expect(verdicts[1]).toEqual(verdicts[0])
          expect(verdicts[2]).toEqual(verdicts[0])
        },
      ),
      runs(300),
    )
  })

  it('goes on from a snapshot as if nothing had happened', () => {
    fc.assert(
      fc.property(loopyEvents, fc.nat(), (events, place) => {
        const straight = createGuard(options)
        const expected = observeAll(straight, events)
        const at = place % (events.length + 1)
        const before = createGuard(options)
        const first = observeAll(before, events.slice(0, at))
        const saved = JSON.stringify(before.snapshot())
        const after = createGuard(options, JSON.parse(saved))
        expect(JSON.stringify(after.snapshot())).toBe(saved)
        expect([...first, ...observeAll(after, events.slice(at))]).toEqual(expected)
        expect(after.explain()).toEqual(straight.explain())
        expect(after.findings).toEqual(straight.findings)
        expect(after.stopped).toBe(straight.stopped)
      }),
      runs(200),
    )
  })

  it('goes on from a snapshot within a text of long lines and templates', () => {
    const line = fc.oneof(
      fc.constantFrom(
        'I will look at the file now. ',
        'I will look at the tests now.\n',
        'word  word word ',
        '| a | b | 12 |\n',
      ),
      fc
        .integer({ min: 4000, max: 9000 })
        .map((length) => `${'long words of it '.repeat(length / 17)}\n`),
      fc.integer({ min: 1, max: 9 }).map((number) => `I will read part ${number} of it.\n`),
    )
    const texts = fc.array(fc.tuple(line, fc.integer({ min: 1, max: 30 })), {
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(texts, fc.nat(), fc.boolean(), (parts, place, isAsked) => {
        const text = parts.map(([each, laps]) => each.repeat(each.length > 999 ? 1 : laps)).join('')
        const at = place % (text.length + 1)
        const before = createGuard(options)
        const straight = createGuard(options)
        const first: AgentEvent[] = [
          { type: 'prompt', text: isAsked ? 'Say it 20 times.' : '' },
          { type: 'text', text: text.slice(0, at) },
        ]
        const rest: AgentEvent[] = [{ type: 'text', text: text.slice(at) }, { type: 'turn-end' }]
        observeAll(before, first)
        observeAll(straight, first)
        const after = createGuard(options, JSON.parse(JSON.stringify(before.snapshot())))
        expect(after.explain()).toEqual(straight.explain())
        expect(observeAll(after, rest)).toEqual(observeAll(straight, rest))
        expect(after.explain()).toEqual(straight.explain())
      }),
      runs(200),
    )
  })

  it('says the same of long messages however they are cut', () => {
    const word = fc.constantFrom(
      'look ',
      'at ',
      'the ',
      'file ',
      'again ',
      'test ',
      'fails ',
      'now. ',
    )
    const message = fc
      .array(word, { minLength: 200, maxLength: 420 })
      .map((words) => words.join(''))
    fc.assert(
      fc.property(message, message, fc.array(fc.nat(2500), { maxLength: 12 }), (one, two, cuts) => {
        // alike up to where the memory of a message ends, and different behind it
        const said = [one, one.slice(0, 1190) + two, one, one.slice(0, 1205) + two, one, one]
        const verdict = (places: number[]) => {
          const guard = createGuard(options)
          const found = said.flatMap((text) => {
            const edges = [
              0,
              ...places.filter((at) => at < text.length).sort((a, b) => a - b),
              text.length,
            ]
            return [
              { type: 'turn-start' },
              ...edges
                .slice(1)
                .map((edge, i) => ({ type: 'text', text: text.slice(edges[i], edge) })),
              { type: 'turn-end' },
            ] as AgentEvent[]
          })
          return observeAll(guard, found).flatMap((each) =>
            each ? [each.detector, each.kind, each.count] : [],
          )
        }
        expect(verdict(cuts)).toEqual(verdict([]))
      }),
      runs(100),
    )
  })

  it('is after a reset as if it were new', () => {
    fc.assert(
      fc.property(loopyEvents, loopyEvents, (before, events) => {
        const guard = createGuard(options)
        observeAll(guard, before)
        guard.reset()
        const fresh = createGuard(options)
        expect(observeAll(guard, events)).toEqual(observeAll(fresh, events))
        expect(guard.explain()).toEqual(fresh.explain())
      }),
      runs(100),
    )
  })

  it('is silent once disabled, reset or not, saved or not', () => {
    fc.assert(
      fc.property(loopyEvents, loopyEvents, fc.boolean(), (before, events, reset) => {
        let guard = createGuard(options)
        observeAll(guard, before)
        guard.disable()
        if (reset) guard.reset()
        else guard = createGuard(options, guard.snapshot())
        expect(observeAll(guard, events).filter(Boolean)).toEqual([])
        expect(guard.stopped).toBe(false)
      }),
      runs(100),
    )
  })

  it('shows a sample that occurs as often as it says', () => {
    fc.assert(
      fc.property(loopyText, (text) => {
        const guard = createGuard(options)
        for (const unit of text.split('')) {
          const finding = guard.observe({ type: 'text', text: unit })
          if (finding && !/\[(?:key|token|secret|e-mail)\]/.test(finding.sample))
            expect(occurrences(text, finding.sample)).toBeGreaterThanOrEqual(finding.count)
        }
      }),
      runs(200),
    )
  })

  it('was given enough loops to find, in events and in text', () => {
    inEvents.check()
    inText.check()
  })
})

it('finds with text-window exactly what the plain rule finds', () => {
  const numbers = { size: 50, count: 10, distance: 250, history: 5000 }
  const small = { size: 6, count: 3, distance: 12, history: 40 }
  const found = countFound()
  fc.assert(
    fc.property(loopyText, fc.constantFrom(numbers, small), (text, options) => {
      const expected = windowOracle(text, options)
      found.count([expected >= 0])
      const guard = createGuard({
        preset: presets['gemini-cli'],
        detectors: { 'text-window': options },
      })
      const actual = text.split('').findIndex((unit) => guard.observe({ type: 'text', text: unit }))
      expect(actual).toBe(expected)
    }),
    runs(300),
  )
  found.check()
})

describe('memory', () => {
  let collect: () => void
  beforeAll(() => {
    v8.setFlagsFromString('--expose-gc')
    collect = vm.runInNewContext('gc')
  })
  afterAll(() => v8.setFlagsFromString('--no-expose-gc'))

  const used = () => {
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }

  const [manyCharacters, manyCalls] = soak ? [10_000_000, 1_000_000] : [300_000, 30_000]
  it(`stays the same over ${manyCharacters} characters and ${manyCalls} calls`, () => {
    const guard = createGuard()
    const session = (characters: number, calls: number) => {
      for (let i = 0; i < characters; i += 100) {
        const word = ((i * 2654435761) >>> 0).toString(36)
        guard.observe({
          type: i % 300 ? 'text' : 'reasoning',
          text: `${word} stands here. `.padEnd(100, word),
        })
      }
      for (let i = 0; i < calls; i++) {
        guard.observe({ type: 'tool-call', name: `tool${i % 700}`, args: { i }, id: `${i}` })
        guard.observe({ type: 'tool-result', output: `answer ${i}`, id: `${i}` })
      }
    }
    session(200_000, 2_000)
    const before = used()
    session(manyCharacters, manyCalls)
    // what the garbage collector leaves lying around differs by some hundred kilobytes
    expect(used() - before).toBeLessThan(1_000_000)
    expect(Buffer.byteLength(JSON.stringify(guard.snapshot()))).toBeLessThan(64 * 1024)
  })
})

it.each(['x', '\u0001', '一', '"\\', '\ud800'])(
  'has a snapshot under 64 KB of any text, as of %j',
  (unit) => {
    for (const options of Object.values(guards)) {
      const guard = createGuard(options)
      const noise = Array.from(
        { length: 9000 },
        (_, i) => `${unit}${((i * 40503) >>> 0).toString(36)}${unit}`,
      ).join('')
      guard.observe({ type: 'reasoning', text: noise })
      guard.observe({ type: 'text', text: noise })
      guard.observe({ type: 'text', text: unit.repeat(9000) })
      expect(Buffer.byteLength(JSON.stringify(guard.snapshot()))).toBeLessThan(64 * 1024)
    }
  },
)

it('takes the largest and strangest events', () => {
  const guard = createGuard()
  const deep = JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`)
  const big = 'lorem ipsum '.repeat(soak ? 4_200_000 : 420_000)
  for (const event of [
    { type: 'text', text: big },
    { type: 'reasoning', text: big },
    { type: 'tool-call', name: 'x', args: { big } },
    { type: 'tool-result', output: big },
    { type: 'tool-call', name: 'x', args: deep },
    { type: 'tool-result', output: deep },
    { type: 'text', text: '\ud800\udc00\udc00\ud800' },
  ] as AgentEvent[]) {
    guard.observe(event)
  }
  expect(guard.faults).toEqual([])
  expect(guard.events).toBe(7)
})

/** The first finding in a text, without the numbers that count deltas. */
function verdictOnText(options: GuardOptions, deltas: string[]): unknown {
  const guard = createGuard(options)
  for (const text of deltas) {
    const finding = guard.observe({ type: 'text', text })
    if (!finding) continue
    const { firstEvent: _since, lastEvent: _at, wasted: _wasted, ...rest } = finding
    return rest
  }
  return undefined
}

function occurrences(text: string, sample: string): number {
  let count = 0
  for (let at = text.indexOf(sample); at >= 0; at = text.indexOf(sample, at + 1)) count++
  return count
}

/** Counts how many runs found something: a property over quiet runs proves nothing. */
function countFound() {
  let all = 0
  let some = 0
  return {
    count(findings: (Finding | boolean | unknown)[]) {
      all++
      if (findings.some(Boolean)) some++
    },
    check() {
      expect(all).toBeGreaterThan(0)
      expect(some / all).toBeGreaterThan(1 / 3)
    },
  }
}

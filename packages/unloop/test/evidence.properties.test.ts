import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../src/event.js'
import { createGuard } from '../src/guard.js'
import { runs, seed, soak } from './arbitraries.js'
import { call, failure, lasting, prompt, result, step, text, times } from './events.js'

/** What a guard may take for evidence, over families of tools, prompts and answers. */

beforeAll(() => console.info(`evidence: seed ${seed} (UNLOOP_SEED), ${soak ? 'soak' : 'short'}`))

/** What a guard says to the person, and the call at which it refuses or stops; Infinity if it does not. */
function play(events: AgentEvent[]): { details: string[]; stop: number } {
  const guard = createGuard()
  const details: string[] = []
  let calls = 0
  let stop = Number.POSITIVE_INFINITY
  for (const event of events) {
    if (event.type === 'tool-call') calls++
    const finding = guard.observe(event)
    if (!finding) continue
    details.push(finding.detail)
    if (finding.action === 'block' || finding.action === 'stop') stop = Math.min(stop, calls)
  }
  expect(guard.faults).toEqual([])
  return { details, stop }
}

const NEVER = Number.POSITIVE_INFINITY

const SUBJECTS =
  'basket harbor lantern meadow parcel quarry ribbon saddle timber velvet walnut yellow anchor bottle cactus dragon engine falcon garden hammer island jungle kettle ladder magnet needle orange pepper rocket sailor temple violin window zebra castle copper donkey feather glacier hollow'.split(
    ' ',
  )
const subject = (at: number) => SUBJECTS[at % SUBJECTS.length] as string

/** Different subjects, in any order. */
const subjects = (count: number) =>
  fc.shuffledSubarray(SUBJECTS, { minLength: count, maxLength: count })

describe('the words of a person', () => {
  // calls whose answer only changes if the agent changes something
  const standing = fc.constantFrom(
    ...[
      step('read_file', { path: 'src/discount.ts' }, 'export const discount = 0.2'),
      step('bash', { command: 'cat src/discount.ts' }, 'export const discount = 0.2'),
      step('grep', { pattern: 'discount' }, 'src/a.ts:4: discount'),
      step('calculator', { expression: '17 * 23' }, '391'),
      step('view', { file: 'src/discount.ts' }, 'export const discount = 0.2'),
      step('list_directory', { dir: 'src' }, 'a.ts\nb.ts'),
    ],
  )
  const about = fc.constantFrom('build', 'deployment', 'queue', 'server', 'release')
  const orders = fc.oneof(
    about.map((what) => `Start the ${what} and let me know when it is ready.`),
    about.map((what) => `Watch the ${what} until it is green.`),
    about.map((what) => `Keep checking the ${what} until it is up.`),
    fc.constantFrom(
      'Let me know when you are done.',
      'Tell me once you have found the bug.',
      'Keep trying until it is right.',
      'Find the bug, and ping me when it is fixed.',
    ),
    fc
      .tuple(fc.constantFrom('python test.py', './flaky.sh', 'npm run e2e'), fc.nat(50))
      .map(([command, count]) => `Run ${command} ${count + 5} times`),
    fc.nat(50).map((count) => `${count + 5} times`),
    fc.nat(50).map((count) => `Send ${count + 5} requests to the server`),
  )

  it('raise no patience with a call that cannot wait and that they do not name', () => {
    fc.assert(
      fc.property(orders, standing, (words, look) => {
        const repeats = times(60, look)
        expect(play([prompt(words), ...repeats]).stop).toBe(
          play([prompt('Fix the discount.'), ...repeats]).stop,
        )
      }),
      runs(80),
    )
  })

  it('raise it as far as they say for a call that they name', () => {
    const commands = fc.constantFrom(
      'python test.py',
      './flaky.sh',
      'npm run test:unit',
      'node bench.mjs',
      'cargo test',
      'make load',
    )
    const wordings = fc.constantFrom(
      (command: string, count: number) => `Run ${command} ${count} times`,
      (command: string, count: number) => `Please run ${command} ${count} times.`,
      (command: string, count: number) => `Run \`${command}\` ${count} times, count the failures`,
      (command: string, count: number) => `Führe ${command} ${count} Mal aus`,
    )
    fc.assert(
      fc.property(commands, wordings, fc.integer({ min: 6, max: 30 }), (command, say, count) => {
        const run = step('bash', { command }, 'ok, 14 passed')
        const asked = [prompt(say(command, count)), ...times(count, run)]
        expect(play(asked).details).toEqual([])
      }),
      runs(60),
    )
  })

  it('raise it for a call that can wait if they are about waiting', () => {
    const tools = fc.constantFrom('get_build_status', 'deploy_status', 'check_queue', 'job_state')
    fc.assert(
      fc.property(tools, about, (tool, what) => {
        const polls = times(60, step(tool, { id: 7 }, 'in progress'))
        const asked = play([prompt(`Start the ${what} and tell me when it is ready.`), ...polls])
        expect(asked.stop).toBeGreaterThan(play([prompt('Fix the discount.'), ...polls]).stop)
        expect(asked.stop).toBeLessThan(60)
      }),
      runs(30),
    )
  })
})

describe('the arguments of a call', () => {
  const acting = fc.constantFrom(
    ...'deactivate_user create_ticket send_email add_comment grant_access book_room task frobnicate mcp__crm__touch set_limit'.split(
      ' ',
    ),
  )
  const looking = fc.constantFrom(
    ...([
      ['read_file', { path: 'src/discount.ts' }],
      ['grep', { pattern: 'discount' }],
      ['bash', { command: 'cat package.json' }],
      ['search', { query: 'discount' }],
    ] as const),
  )
  const asides = fc.constantFrom(
    ...'description reason explanation thought purpose intent justification rationale nonce request_id'.split(
      ' ',
    ),
  )
  const others = fc.constantFrom(
    ...'uid ref comment note timestamp since until label delay_ms ttl_ms ticket'.split(' '),
  )

  it('tell one item from the next in a tool that acts, whatever they are called', () => {
    fc.assert(
      fc.property(acting, fc.oneof(asides, others), subjects(10), (tool, key, items) => {
        const list = items.flatMap((item) => step(tool, { tenant: 'acme', [key]: item }, 'ok'))
        const { details, stop } = play(list)
        expect(stop).toBe(NEVER)
        expect(details.filter((detail) => detail.includes('same arguments'))).toEqual([])
      }),
      runs(100),
    )
  })

  it('do not hide that one item is repeated', () => {
    fc.assert(
      fc.property(acting, fc.oneof(asides, others), fc.nat(30), (tool, key, at) => {
        const again = times(12, step(tool, { tenant: 'acme', [key]: subject(at) }, 'ok'))
        expect(play(again).stop).toBeLessThan(8)
      }),
      runs(40),
    )
  })

  it.each([
    ['again and again', false, 8],
    ['now and then', true, 20],
  ])(
    'are left out if they only explain a look that is made %s, and a finding does not call them the same',
    (_, isScattered, most) => {
      fc.assert(
        fc.property(looking, asides, subjects(20), ([tool, what], aside, words) => {
          const looks = words.flatMap((word, at) => [
            ...step(tool, { ...what, [aside]: word }, 'the text that was there before'),
            ...(isScattered
              ? step('read_file', { path: `${word}.md` }, `a page about the ${word} in ${at}`)
              : []),
          ])
          const { details, stop } = play(looks)
          expect(stop).toBeLessThan(most)
          expect(details.filter((detail) => detail.includes('the same arguments'))).toEqual([])
        }),
        runs(40),
      )
    },
  )
})

describe('what was looked at', () => {
  const tools = fc.constantFrom(
    (item: string, output: string) => step('read_file', { path: `src/${item}.txt` }, output),
    (item: string, output: string) => step('bash', { command: `cat ${item}.log` }, output),
    (item: string, output: string) => step('get_issue', { title: item }, output),
    (item: string, output: string) =>
      step('web_fetch', { url: `https://a.example/${item}` }, output),
    (item: string, output: string) => step('Read', { file_path: `/srv/${item}.md` }, output),
  )
  const trouble = fc.constantFrom(
    'timeout: 30',
    'retries: 3 # after a failure',
    'Unable to print the page',
    'fix: an error in the parser',
    'throw new Error("not found")',
    'This page is about errors that cannot be repaired.',
    'more than 40 requests a minute get 429 Too Many Requests',
    'The request was denied and the connection refused.',
    '{ "error": "Fehler", "fatal": false }',
    'failed: 2, passed: 40',
    'the server was unreachable for an hour',
  )

  const shapes: [string, (words: string, item: string, other: string) => string][] = [
    ['at the start', (words, item, other) => `${words}, says ${other} of ${item}\n`],
    ['at the end', (words, item, other) => `${item} and ${other}\n${words}\n`],
    ['in the middle', (words, item, other) => `# ${item}\n${words}\nowner: ${other}\n`],
    [
      'in a first line that all of them have',
      (words, item, other) => `${words}\n${other}: ${item}\n`,
    ],
  ]

  it.each(shapes)('is content: what speaks of failures %s is no failure', (_, shape) => {
    fc.assert(
      fc.property(tools, trouble, subjects(40), fc.boolean(), (tool, words, items, isSpoken) => {
        const reads = items.flatMap((item, at) => [
          ...(isSpoken ? [text(`Now the ${item}, number ${at}.`)] : []),
          ...tool(item, shape(words, item, subject(at * 7))),
        ])
        expect(play(reads)).toEqual({ details: [], stop: NEVER })
      }),
      runs(60),
    )
  })

  it('has no end of patience if it is the same thing', () => {
    fc.assert(
      fc.property(tools, trouble, fc.nat(30), (tool, words, at) => {
        const { stop } = play(times(40, tool(subject(at), words)))
        // it may really be out of service
        expect(stop).toBeLessThan(/unreachable|429/.test(words) ? 28 : 8)
      }),
      runs(40),
    )
  })
})

describe('a wait', () => {
  const checks = fc.constantFrom(
    ['ls dist/shop.js', "ls: cannot access 'dist/shop.js': No such file or directory"],
    ['gh pr checks 12', 'Exit code 8\nbuild\tpending\t0'],
    ['curl -sf localhost:3000/health', 'Exit code 7\ncurl: (7) Failed to connect'],
    ['test -f done.flag', 'Exit code 1'],
    ['kubectl get pod web-0', 'Error from server (NotFound): pods "web-0" not found'],
    ['docker inspect db | grep healthy', 'Exit code 1'],
  )
  const joins = fc.constantFrom('; ', ' && ', '\n')

  it('may end in a check that fails, up to the limit for waits', () => {
    fc.assert(
      fc.property(
        checks,
        joins,
        fc.integer({ min: 2, max: 25 }),
        fc.boolean(),
        ([command = '', output], join, seconds, isTimed) => {
          const poll = [
            call('bash', { command: `sleep ${seconds}${join}${command}` }),
            failure(output),
          ]
          const polls = (count: number) =>
            isTimed ? lasting(seconds, times(count, poll)) : times(count, poll)
          expect(play(polls(15)).stop).toBe(NEVER)
          expect(play(polls(100)).stop).toBeLessThan(60)
        },
      ),
      runs(60),
    )
  })

  it('may stand before a check that fails', () => {
    fc.assert(
      fc.property(checks, fc.integer({ min: 5, max: 25 }), ([command = '', output], seconds) => {
        const poll = [
          ...step('bash', { command: `sleep ${seconds}` }, ''),
          call('bash', { command }),
          failure(output),
        ]
        expect(play(lasting(seconds, times(10, poll))).stop).toBe(NEVER)
        expect(play(lasting(seconds, times(100, poll))).stop).toBeLessThan(120)
      }),
      runs(40),
    )
  })

  it('is none if the same check fails at once', () => {
    fc.assert(
      fc.property(checks, ([command = '', output]) => {
        const poll = [call('bash', { command }), failure(output)]
        expect(play(lasting(0.05, times(30, poll))).stop).toBeLessThan(16)
      }),
      runs(20),
    )
  })
})

describe('numbers that move', () => {
  const shapes = fc.constantFrom(
    (value: string) => `{"residual": ${value}}`,
    (value: string) => `The residual is now ${value}.`,
    (value: string) => `norm of the gradient: ${value}`,
    (value: string) => `loss ${value}`,
    (value: string) => `${value} left`,
  )
  const factors = fc.integer({ min: 50, max: 90 }).map((percent) => percent / 100)
  const digits = fc.integer({ min: 6, max: 12 })

  it('are news, however many digits they have', () => {
    fc.assert(
      fc.property(shapes, factors, digits, fc.boolean(), (shape, factor, places, isRising) => {
        const runsOf = times(15, (lap) => {
          const value = 0.927418365 * factor ** lap
          return step(
            'bash',
            { command: 'python solve.py' },
            shape((isRising ? 1 / value : 100 * value).toFixed(places)),
          )
        })
        expect(play(runsOf)).toEqual({ details: [], stop: NEVER })
      }),
      runs(60),
    )
  })

  it('are none if they stay', () => {
    fc.assert(
      fc.property(shapes, fc.float({ min: 1, max: 99, noNaN: true }), (shape, value) => {
        const run = step('bash', { command: 'python solve.py' }, shape(value.toFixed(9)))
        expect(play(times(20, run)).stop).toBeLessThan(10)
      }),
      runs(20),
    )
  })

  const noise = (at: number, most: number) => (Math.imul(at + 1, 2654435761) >>> 0) % most
  const logs: [string, (at: number) => string][] = [
    ['measurements', (at) => `t=${at} temp=${noise(at, 40)}.${noise(at, 10)} ok`],
    ['places', (at) => `{"lat": 48.${noise(at, 100_000)}, "lon": 11.${noise(at + 5, 100_000)}}`],
    ['orders', (at) => `worker ${noise(at, 20)} took order ${70_000 + at}`],
    ['sizes', (at) => `GET /basket 200 ${noise(at, 9000)} bytes`],
    ['times', (at) => `2026-03-02T09:${10 + (at % 50)}:12Z INFO request took ${noise(at, 900)} ms`],
  ]

  it.each(logs)('make a page of a log a new page: %s', (_, line) => {
    const pages = fc.constantFrom(
      (at: number, size: number) => ['read_file', { path: 'a.log', offset: at * size }] as const,
      (at: number, size: number) =>
        ['bash', { command: `sed -n '${at * size + 1},${(at + 1) * size}p' a.log` }] as const,
    )
    fc.assert(
      fc.property(pages, fc.integer({ min: 12, max: 60 }), (page, size) => {
        const reads = times(30, (lap) => {
          const [name, args] = page(lap, size)
          const shown = Array.from({ length: size }, (_, at) => line(lap * size + at))
          return step(name, args, shown.join('\n'))
        })
        expect(play(reads)).toEqual({ details: [], stop: NEVER })
      }),
      runs(16),
    )
  })
})

describe('an empty answer', () => {
  const empty = fc.constantFrom('', '   \n', [], {}, null, '[]', '{}', { results: [] }, [[]])
  const tools = fc.constantFrom(
    (item: string) => call('search', { query: item }),
    (item: string) => call('grep', { pattern: item, path: 'src' }),
    (item: string) => call('bash', { command: `grep -rn ${item} src` }),
    (item: string) => call('get_record', { id: item }),
    (item: string) => call('list_mails', { from: item }),
    (item: string) => call('sql', { query: `select * from ${item}` }),
    (item: string) => call('lookup', { what: item }),
  )
  const BLAME = /\b(?:fail(?:s|ed|ure|ures|ing)?|errors?)\b/i
  const QUOTES_NOTHING = /: *$|""|''/m

  it('is never called a failure, and nothing empty is quoted', () => {
    fc.assert(
      fc.property(
        empty,
        tools,
        subjects(30),
        fc.integer({ min: 1, max: 30 }),
        fc.boolean(),
        (output, tool, items, different, isSpoken) => {
          const looks = items.flatMap((_, at) => [
            ...(isSpoken ? [text(`Let me try ${subject(at * 3)} instead.`)] : []),
            tool(items[at % different] as string),
            result(output),
          ])
          const { details } = play(looks)
          expect(
            details.filter((detail) => BLAME.test(detail) || QUOTES_NOTHING.test(detail)),
          ).toEqual([])
        },
      ),
      runs(120),
    )
  })
})

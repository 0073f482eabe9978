import type {
  Evidence,
  LoopReport,
  Part,
  Place,
  RunReport,
  ScanReport,
  Spent,
} from '../src/scan/run-report.js'
import { groupsOf, totalsOf } from '../src/scan/totals.js'
import { LOOPS, type MadeUpLoop } from './made-up-loops.js'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-16T15:30:00Z')

interface Agent {
  program: string
  /** dollars for a million tokens, mostly read from a cache */
  models: [name: string, dollars: number | undefined][]
  tools: string[]
}

const CLAUDE: Agent = {
  program: 'claude-code',
  models: [
    ['claude-opus-4-6', 1.9],
    ['claude-sonnet-4-6', 0.7],
    ['claude-haiku-4-5', 0.2],
  ],
  tools: ['Read', 'Edit', 'Bash', 'Grep', 'TodoWrite', 'WebFetch'],
}
const CODEX: Agent = {
  program: 'codex',
  models: [
    ['gpt-5.4', 0.6],
    ['gpt-5.4-mini', 0.1],
  ],
  tools: ['shell', 'apply_patch', 'write_stdin', 'update_plan'],
}
const GEMINI: Agent = {
  program: 'gemini-cli',
  models: [['gemini-3-pro', 0.8]],
  tools: ['read_file', 'replace', 'run_shell_command', 'search_file_content'],
}
const OPENCODE: Agent = {
  program: 'opencode',
  models: [['our-own-finetune', undefined]],
  tools: ['read', 'edit', 'bash', 'grep'],
}
const AGENTS = [CLAUDE, CLAUDE, CLAUDE, CLAUDE, CODEX, CODEX, GEMINI, OPENCODE]

const PROJECTS = [
  'storefront',
  'storefront',
  'storefront',
  'billing-api',
  'billing-api',
  'mobile-app',
  'search-index',
  'docs-site',
  'infra',
  'design-system',
]

/** A report of so many runs in 30 days that looks like one of a busy machine; the same every time. */
export function madeUpReport(count: number, stuckEvery = 50): ScanReport {
  const random = createRandom(count)
  const runs = Array.from({ length: count }, (_, n) =>
    toRun(
      n,
      random,
      n % stuckEvery === stuckEvery - 7
        ? LOOPS[Math.floor(n / stuckEvery) % LOOPS.length]
        : undefined,
    ),
  ).sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0))
  return {
    schemaVersion: 2,
    scannedAt: new Date(NOW).toISOString(),
    since: new Date(NOW - 30 * DAY).toISOString(),
    prices: { date: '2026-08', source: 'public price pages of the providers' },
    interrupted: false,
    files: [],
    runs,
    totals: totalsOf(runs),
    by: groupsOf(runs),
  }
}

type Random = () => number

function toRun(n: number, random: Random, shape: MadeUpLoop | undefined): RunReport {
  const agent = shape
    ? (AGENTS.find(({ program }) => program === shape.program) ?? CLAUDE)
    : pick(AGENTS, random)
  // fewer on weekends
  let at = NOW - Math.floor(random() * 29.6 * DAY)
  if ([0, 6].includes(new Date(at).getUTCDay()) && random() < 0.75) at -= 2 * DAY
  const project = shape?.project ?? pick(PROJECTS, random)
  const turns = 8 + Math.floor(random() ** 3 * 260)
  const events = turns * 4
  const share = shape?.ended === 'in-loop' ? 1 : 0.4
  const loop = shape && toLoop(shape, at, Math.floor(turns * share) * 4)
  const parts = toParts(agent, at, turns, random, loop)
  const spent: Spent = {
    ...sum(parts, 'tokens', 'cost'),
    events: events + (loop?.wasted.events ?? 0),
    ms: turns * 21_000 + (loop?.wasted.ms ?? 0),
  }
  const wasted: Spent =
    loop?.certainty === 'certain' ? { ...loop.wasted } : { events: 0, tokens: 0 }
  const calls = parts.reduce((all, part) => all + part.calls, 0)
  const output = Math.round(spent.tokens * 0.02)
  return {
    path: `~/.${agent.program}/sessions/${project}/${id(n)}.jsonl`,
    format: agent.program,
    program: agent.program,
    unit: 'line',
    project: `~/code/${project}`,
    session: id(n),
    model: parts[0]?.model ?? agent.models[0]?.[0] ?? '',
    startedAt: at,
    endedAt: at + (spent.ms ?? 0),
    ended: loop ? shape.ended : random() < 0.08 ? 'aborted' : 'finished',
    counts: {
      turns,
      calls,
      results: calls,
      errors: parts.reduce((all, part) => all + part.errors, 0),
    },
    tokens: {
      input: spent.tokens - output,
      cached: Math.round(spent.tokens * 0.9),
      cacheWrite: Math.round(spent.tokens * 0.05),
      cacheWriteHour: 0,
      output,
    },
    spent,
    wasted,
    pricing: spent.cost === undefined ? 'none' : 'list',
    unpricedTokens: spent.cost === undefined ? spent.tokens : 0,
    ...(n % 97 === 5 && {
      copied: { events: 120, tokens: 2_400_000, ...(spent.cost !== undefined && { cost: 1.7 }) },
    }),
    parts,
    timeline: toTimeline(spent.events, loop, random),
    loops: loop ? [loop] : [],
    faults: [],
    skipped: 0,
  }
}

function toLoop(shape: MadeUpLoop, at: number, event: number): LoopReport {
  const place = (lap: number): Place => ({
    event: event + lap * shape.lap.length * 2,
    line: event + lap * shape.lap.length * 2 + 3,
    at: at + event * 5000 + lap * shape.lapMs,
  })
  const laps = shape.count
  const evidence = Array.from(
    { length: Math.min(laps, Math.floor(16 / (shape.lap.length * 2))) },
    (_, lap) =>
      shape.lap.flatMap(([tool, call, answer], slot): Evidence[] => {
        const line = place(lap).line + slot * 2
        const when = { at: place(lap).at ?? 0, tool }
        const fill = (text: string) => text.replaceAll('%', `${lap + 1}`)
        return [
          { line, kind: 'call', text: `calls ${tool}(${fill(call)})`, ...when },
          {
            line: line + 1,
            kind: /^error: /.test(answer) ? 'error' : 'answer',
            text: fill(answer),
            ...when,
          },
        ]
      }),
  ).flat()
  const spent = (from: number): Spent => ({
    events: (laps - from) * shape.lap.length * 2,
    ms: (laps - from) * shape.lapMs,
    tokens: (laps - from) * shape.lapTokens,
  })
  return {
    identity: `${shape.detector}:${at}`,
    certainty: shape.certainty,
    detector: shape.detector,
    kind: shape.detector,
    detail: shape.detail,
    sample: shape.lap[0]?.[1] ?? '',
    ...(shape.tool !== undefined && { tool: shape.tool }),
    count: laps,
    period: shape.lap.length,
    began: place(0),
    evident: place(3),
    ...(shape.certainty === 'certain' && laps > 5 && { stopped: place(5) }),
    last: place(laps),
    wasted: spent(0),
    avoidable: spent(3),
    evidence,
    advice: shape.advice,
    steps: [
      {
        kind: 'hook',
        text: `Install the guard for ${shape.program}: it would have stopped it.`,
        command: `unloop init ${shape.program}`,
      },
      { kind: 'advice', text: `Tell the agent: ${shape.advice}` },
      ...(shape.tool === undefined
        ? []
        : [
            {
              kind: 'setting',
              text: `If it was honest work, set "tools": { "${shape.tool}": { "allow": "always" } } in unloop.config.json.`,
            } as const,
          ]),
    ],
  }
}

function toParts(
  agent: Agent,
  at: number,
  turns: number,
  random: Random,
  loop: LoopReport | undefined,
): Part[] {
  const chosen = Math.floor(random() ** 2 * agent.models.length)
  const [model, dollars] = agent.models[loop ? 0 : chosen] ?? ['', undefined]
  const tools = [undefined, ...agent.tools].filter(() => random() < 0.7).concat(agent.tools[0])
  const share = Math.ceil(turns / Math.max(1, tools.length))
  const days = [day(at), ...(turns > 120 ? [day(Math.min(NOW, at + DAY / 2))] : [])]
  const parts = days.flatMap((today) =>
    tools.map((tool, index): Part => {
      const tokens = Math.round((share * 170_000 * (0.4 + random())) / (index + 1) / days.length)
      return {
        day: today,
        model,
        ...(tool !== undefined && { tool }),
        calls: tool === undefined ? 0 : share,
        errors: Math.floor(random() * share * 0.1),
        tokens,
        ...costOf(tokens, dollars),
        wastedTokens: 0,
      }
    }),
  )
  if (loop?.certainty !== 'certain') return parts
  const { tokens } = loop.wasted
  if (dollars !== undefined) {
    loop.wasted.cost = (tokens * dollars) / 1e6
    loop.avoidable.cost = (loop.avoidable.tokens * dollars) / 1e6
  }
  const cost = costOf(tokens, dollars).cost
  return [
    ...parts,
    {
      day: day(at),
      model,
      ...(loop.tool !== undefined && { tool: loop.tool }),
      calls: loop.count * loop.period,
      errors: 0,
      tokens,
      ...(cost !== undefined && { cost, wastedCost: cost }),
      wastedTokens: tokens,
    },
  ]
}

const costOf = (tokens: number, dollars: number | undefined): { cost?: number } =>
  dollars === undefined ? {} : { cost: (tokens * dollars) / 1e6 }

function sum(
  parts: readonly Part[],
  tokens: 'tokens' | 'wastedTokens',
  cost: 'cost' | 'wastedCost',
): Spent {
  const known = parts.filter((part) => part[cost] !== undefined)
  return {
    events: 0,
    tokens: parts.reduce((all, part) => all + part[tokens], 0),
    ...(known.length > 0 && { cost: known.reduce((all, part) => all + (part[cost] ?? 0), 0) }),
  }
}

function toTimeline(
  events: number,
  loop: LoopReport | undefined,
  random: Random,
): RunReport['timeline'] {
  const size = 2 ** Math.max(0, Math.ceil(Math.log2(events / 240)))
  const inLoop = (event: number) => loop && event >= loop.began.event && event <= loop.last.event
  const marks = Array.from({ length: Math.ceil(events / size) }, (_, letter) => {
    if (letter === 0) return 'p'
    if (inLoop(letter * size))
      return letter % 2 === 0 ? 'c' : loop?.detector === 'failing' ? 'e' : 'a'
    const chance = random()
    return chance < 0.02
      ? 'p'
      : chance < 0.08
        ? 'e'
        : chance < 0.2
          ? 't'
          : chance < 0.3
            ? 'r'
            : chance < 0.65
              ? 'c'
              : 'a'
  })
  return { size, marks: marks.join('') }
}

const day = (at: number) => new Date(at).toISOString().slice(0, 10)

const id = (n: number) => `${((n + 1) * 2_654_435_761) % 4_294_967_296}`.padStart(10, '0')

const pick = <T>(all: readonly T[], random: Random): T =>
  all[Math.floor(random() * all.length)] as T

/** Numbers between 0 and 1, the same for the same seed (mulberry32). */
function createRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

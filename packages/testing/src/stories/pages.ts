import { PEOPLE, SYMBOLS } from './names.js'
import { call, noise, pick, type Step, type Story, times } from './story.js'

const LINES = 40
const rows = (page: number, line: (at: number) => string) =>
  Array.from({ length: LINES }, (_, at) => line(page * LINES + at)).join('\n')

const two = (value: number) => `${value}`.padStart(2, '0')
const clock = (at: number) =>
  `${two(9 + Math.floor(at / 3600))}:${two(Math.floor(at / 60) % 60)}:${two(at % 60)}`

/** Files whose lines differ in numbers only. */
const FILES: [what: string, file: string, line: (at: number) => string][] = [
  [
    'a log of requests',
    'app.log',
    (at) => `2026-03-02T${clock(at)}Z INFO request ${90_000 + at} took ${noise(at, 900)} ms`,
  ],
  [
    'an access log',
    'access.log',
    (at) => `10.0.${noise(at, 250)}.${noise(at + 3, 250)} - GET /basket 200 ${noise(at, 9000)}`,
  ],
  ['measurements', 'sensor.txt', (at) => `t=${at} temp=${noise(at, 40)}.${noise(at, 10)} ok`],
  [
    'positions',
    'track.json',
    (at) => `{"lat": 48.${noise(at, 100_000)}, "lon": 11.${noise(at + 5, 100_000)}}`,
  ],
  [
    'a trace of memory',
    'heap.txt',
    (at) => `[gc] ${at}: ${noise(at, 512)} MB -> ${noise(at, 256)} MB, ${noise(at, 90)} ms`,
  ],
]

const TOOLS: [tool: string, page: (file: string, at: number) => Omit<Step, 'output'>][] = [
  [
    'read_file',
    (path, at) => ({ name: 'read_file', args: { path, offset: at * LINES, limit: LINES } }),
  ],
  [
    'sed',
    (path, at) => ({
      name: 'bash',
      args: { command: `sed -n '${at * LINES + 1},${(at + 1) * LINES}p' ${path}` },
    }),
  ],
]

const logs = FILES.flatMap(([what, file, line]) =>
  TOOLS.flatMap(([tool, page]): Story[] => [
    {
      name: `${what}, page by page, with ${tool}`,
      prompt: 'Read all of it and tell me what is odd.',
      steps: times(40, (at) => ({ ...page(file, at), output: rows(at, line) })),
      expect: 'quiet',
    },
  ]),
)

const [, log, entry] = FILES[0] as (typeof FILES)[number]
const [, readPage] = TOOLS[0] as (typeof TOOLS)[number]
const source = (at: number) =>
  `export const ${pick(SYMBOLS, at)}${at} = ${pick(PEOPLE, at + 3)}(${at})`

export const pages: Story[] = [
  ...logs,
  {
    name: 'a log of requests, the same page again and again',
    steps: times(40, () => ({ ...readPage(log, 3), output: rows(3, entry) })),
    expect: { stoppedWithin: 6 },
  },
  {
    name: 'a log of requests, the same four pages again and again',
    steps: times(60, (at) => ({ ...readPage(log, at % 4), output: rows(at % 4, entry) })),
    expect: { stoppedWithin: 20 },
  },
  {
    name: 'a log of requests, read to its end and from the start again',
    steps: times(80, (at) => ({ ...readPage(log, at % 12), output: rows(at % 12, entry) })),
    expect: { stoppedWithin: 60 },
  },
  {
    name: 'a source of 1,600 lines, page by page',
    steps: times(40, (at) => ({ ...readPage('shop.ts', at), output: rows(at, source) })),
    expect: 'quiet',
  },
  {
    name: 'a source of 400 lines, read to its end and from the start again',
    steps: times(80, (at) => ({ ...readPage('shop.ts', at % 10), output: rows(at % 10, source) })),
    expect: { stoppedWithin: 60 },
  },
  {
    name: 'a part of a source that moves by one line each time',
    steps: times(60, (at) =>
      call(
        'read_file',
        { path: 'shop.ts', offset: 100 + at, limit: 20 },
        Array.from({ length: 20 }, (_, line) => source(100 + at + line)).join('\n'),
      ),
    ),
    expect: { stoppedWithin: 60 },
  },
]

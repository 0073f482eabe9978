import type { Random } from './random.js'

// What answers carry along that has nothing to do with the question.

/** A clock that goes on by some seconds at each look, as ISO text. */
export function ticker(run: Random, least = 2, most = 40) {
  let now = Date.UTC(2026, run.int(0, 8), run.int(1, 28), run.int(5, 20), run.int(0, 59))
  return (seconds = run.int(least, most)) => {
    now += seconds * 1000 + run.int(0, 999)
    return new Date(now).toISOString()
  }
}

export const timeOf = (iso: string) => iso.slice(11, 19)

/** A day of that year. */
export const day = (run: Random, year = 2026) =>
  `${year}-${two(run.int(1, 12))}-${two(run.int(1, 28))}`

export const two = (number: number) => String(number).padStart(2, '0')

/** An amount of money, as a bank prints it. */
export const amount = (run: Random, most = 4000) => run.decimal(3, most)

const LEVELS = ['INFO', 'INFO', 'INFO', 'DEBUG', 'WARN'] as const
const LOGGERS = ['http', 'pool', 'scheduler', 'kafka.consumer', 'auth', 'cache', 'jobs'] as const
const MESSAGES = [
  'request completed',
  'connection returned to pool',
  'heartbeat',
  'cache miss',
  'token refreshed',
  'rebalancing finished',
  'slow query',
  'retrying after timeout',
] as const

/** Lines as services log them. */
export function logLines(run: Random, count: number, clock: () => string) {
  return Array.from(
    { length: count },
    () =>
      `${clock()} ${run.pick(LEVELS)} [${run.pick(LOGGERS)}] ${run.pick(MESSAGES)} id=${run.hex(8)} took=${run.int(1, 900)}ms`,
  )
}

/** What stands above and below the content of a shop. */
export const shopFrame = (run: Random, content: string) =>
  [
    '[Skip to content](#main)',
    '* [New in](/new) * [Women](/w) * [Men](/m) * [Home](/home) * [Sale up to -50%](/sale)',
    `Deal of the hour: ends in ${two(run.int(0, 59))}:${two(run.int(0, 59))}`,
    content,
    `Others looked at: ${run.int(100, 999)} people in the last hour`,
    'Newsletter: 10 % off your first order. [Imprint](/imprint) [Privacy](/privacy) [Returns](/returns)',
    `© 2026, served by edge-${run.hex(4)} in ${run.int(12, 340)} ms`,
  ].join('\n')

const ABOVE = [
  'banner',
  'link "Home"',
  'link "Contact"',
  'combobox "Language"',
  'searchbox "Search"',
]
const BELOW = ['contentinfo', 'link "Imprint"', 'link "Privacy"', 'link "Accessibility"']

/** A page as a browser tool hands it over, with all that stands around the part that matters. */
export const pageState = (run: Random, url: string, title: string, body: readonly string[]) =>
  [
    '### Page state',
    `- Page URL: ${url}`,
    `- Page Title: ${title}`,
    '- Page Snapshot:',
    '```yaml',
    ...[...ABOVE, ...body, ...BELOW].map((line, index) => `- ${line} [ref=e${index + 2}]`),
    `- text: Session ${run.hex(12)}, ${run.int(2, 90)} ms`,
    '```',
  ].join('\n')

/** The reference of a line of the body. */
export const bodyRef = (index: number) => `e${index + ABOVE.length + 2}`

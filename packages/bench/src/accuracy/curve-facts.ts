import type { Rows } from './tables.js'

type Worse = 'lower' | 'higher'

/** Columns of a curve: what their numbers count, and which way is worse. */
const MEASURES: Record<string, readonly [name: string, worse: Worse][]> = {
  'advice: precision / recall': [
    ['precision of advice', 'lower'],
    ['recall of advice', 'lower'],
  ],
  'stops: precision / recall of wanted': [
    ['precision of stops', 'lower'],
    ['recall of wanted stops', 'lower'],
  ],
  'delay: advice / stops': [
    ['delay of advice', 'higher'],
    ['delay of stops', 'higher'],
  ],
  'native flagged / stopped': [
    ['native sessions flagged', 'higher'],
    ['native sessions stopped', 'higher'],
  ],
  'successful flagged / stopped': [
    ['successful runs flagged', 'higher'],
    ['successful runs stopped', 'higher'],
  ],
  'ordinary texts flagged': [['ordinary texts flagged', 'higher']],
  'degenerate found': [['degenerate texts found', 'lower']],
  'generated loops advised / stopped': [
    ['generated loops advised', 'lower'],
    ['generated loops stopped', 'lower'],
  ],
  'loops on time': [['generated loops told on time', 'lower']],
  'chants found': [['generated chants found', 'lower']],
  'chants on time': [['generated chants told on time', 'lower']],
  'look-alikes flagged / stopped': [
    ['look-alikes flagged', 'higher'],
    ['look-alikes stopped', 'higher'],
  ],
  'invented loops stopped': [['invented loops stopped', 'lower']],
  'invented honest flagged / stopped': [
    ['invented honest runs flagged', 'higher'],
    ['invented honest runs stopped', 'higher'],
  ],
}

/** What a curve shows, in words: the nearest value on either side of the default that changes anything. */
export function curveFacts([heading = [], ...rows]: Rows): { text: string; isFlat: boolean } {
  const middle = rows.findIndex(([name = '']) => name.includes('default'))
  const base = rows[middle] ?? []
  const numberOf = (row: readonly string[] = []) => Number.parseFloat(row[0] ?? '')
  const [below, above] = [rows.slice(0, middle).reverse(), rows.slice(middle + 1)]
  const sides = [below, above].map((side) => {
    const found = side.find((row) => row.slice(1).some((cell) => cell !== '·'))
    return found && `At ${numberOf(found)}, ${describe(heading, found, base)}.`
  })
  const [least, most] = [numberOf(rows[0]), numberOf(rows.at(-1))]
  if (sides.every((side) => side === undefined))
    return { isFlat: true, text: `Nothing we have tells ${least} from ${most}.` }
  const text = [
    sides[0] ?? (below.length > 0 ? `Down to ${least} nothing changes.` : ''),
    sides[1] ?? (above.length > 0 ? `Up to ${most} nothing changes.` : ''),
  ]
  return { isFlat: false, text: text.filter(Boolean).join(' ') }
}

function describe(heading: readonly string[], row: readonly string[], base: readonly string[]) {
  const changes = heading.flatMap((column, index) => {
    const [now = '·', before = ''] = [row[index], base[index]]
    return index === 0 || now === '·' ? [] : compare(MEASURES[column] ?? [], now, before)
  })
  const of = (isWorse: boolean) =>
    changes.filter((change) => change.isWorse === isWorse).map(({ words }) => words)
  const parts = [
    ['worse', of(true)],
    ['better', of(false)],
  ] as const
  return parts
    .filter(([, words]) => words.length > 0)
    .map(([which, words]) => `${which}: ${list(words)}`)
    .join('; ')
}

function compare(measures: readonly [string, Worse][], now: string, before: string) {
  const [after, earlier] = [now.split(' / '), before.split(' / ')]
  return measures.flatMap(([name, worse], index) => {
    const [to, from] = [after[index] ?? '', earlier[index] ?? '']
    const difference = Number.parseFloat(to) - Number.parseFloat(from)
    if (!difference) return []
    return [{ isWorse: difference > 0 === (worse === 'higher'), words: `${name} ${from} → ${to}` }]
  })
}

function list(words: readonly string[]): string {
  const shown = words.slice(0, 3).join(', ')
  return words.length > 3 ? `${shown}, and ${words.length - 3} more` : shown
}

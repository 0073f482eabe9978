import { plural, showCost, showCount, showMs, showTokens } from 'unloop/words'
import { showDollars } from '../../../answer.js'
import type { Place, RunReport, Spent } from '../../../run-report.js'

export type Measure = 'cost' | 'tokens'

/** An amount of what is measured: `$310`, `4.1M tokens`. */
export const showAmount = (amount: number, measure: Measure): string =>
  measure === 'cost' ? showDollars(amount) : `${showTokens(amount)} tokens`

/** What something took: dollars if they are known, else tokens, else time, else events. */
export function showMain({ cost, tokens, ms = 0, events }: Spent): string {
  if (cost !== undefined && cost > 0) return showCost(cost)
  if (tokens > 0) return `${showTokens(tokens)} tokens`
  return ms > 0 ? showMs(ms) : plural(events, 'event')
}

/** All that is known about what something took. */
export function showAll({ cost, tokens, ms = 0, events }: Spent): string {
  const parts = [
    cost !== undefined && cost > 0 && showCost(cost),
    tokens > 0 && `${showTokens(tokens)} tokens`,
    ms >= 1000 && showMs(ms),
  ].filter(Boolean)
  return parts.join(', ') || plural(events, 'event')
}

/** A share of a whole, so that little is not nothing. */
export function showShare(part: number, whole: number): string {
  if (!(whole > 0) || part <= 0) return '0%'
  const percent = (part / whole) * 100
  return percent < 0.1 ? '< 0.1%' : `${showCount(Math.round(percent * 10) / 10)}%`
}

const dateTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const longDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })
const shortDate = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })

/** `Nov 12, 2026, 9:14 AM`; nothing for what no calendar has. */
export const showTime = (at: number | undefined): string =>
  at === undefined || Number.isNaN(new Date(at).getTime()) ? '' : dateTime.format(at)

export const showLongDay = (day: string): string => inWords(day, longDate)
export const showShortDay = (day: string): string => inWords(day, shortDate)

/** Noon is on the same day everywhere. */
function inWords(day: string, format: Intl.DateTimeFormat): string {
  const at = Date.parse(`${day}T12:00:00`)
  return Number.isNaN(at) ? day : format.format(at)
}

export function showPlace(unit: string, { line, at, file }: Place): string {
  return [file, `${unit} ${showCount(line)}`, showTime(at)].filter(Boolean).join(', ')
}

/** How a run ended, with the program's own word for it. */
export function showEnding({ ended, status, loops }: RunReport): string {
  const words = ended === 'finished' && loops.length > 0 ? 'recovered and finished' : ENDINGS[ended]
  return status === undefined ? words : `${words} (${status})`
}

const ENDINGS: Record<RunReport['ended'], string> = {
  finished: 'finished',
  'in-loop': 'ended in the loop',
  'broke-off': 'broke off',
  failed: 'failed',
  aborted: 'was aborted',
  limit: 'hit a limit',
}

/** What looped in a run, each thing once: `repeated-call: write_stdin × 5`. */
export function showLoops({ loops }: Pick<RunReport, 'loops'>): string {
  const counts = new Map<string, number>()
  for (const { detector, tool } of loops) {
    const name = tool === undefined ? detector : `${detector}: ${tool}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} × ${count}`)).join(', ')
}

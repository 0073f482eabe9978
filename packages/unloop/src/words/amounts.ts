// How amounts are written, in the terminal, in reports and in the editor alike.

// made when the first number is shown: that takes longer than to load all the rest
let plain: Intl.NumberFormat | undefined
let dollar: Intl.NumberFormat | undefined

/** `12,345`; at most two decimals */
export function showCount(value: number): string {
  plain ??= new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
  return plain.format(value)
}

/** `1 event`, `12,345 events` */
export const plural = (count: number, noun: string): string =>
  `${showCount(count)} ${noun}${count === 1 ? '' : 's'}`

/** `12 s`, `4 min`, `2 h 10 min` */
export function showMs(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 100) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 100) return `${minutes} min`
  const hours = `${showCount(Math.floor(minutes / 60))} h`
  return minutes % 60 === 0 ? hours : `${hours} ${minutes % 60} min`
}

/** `950`, `12.3k`, `4.5M`, `2.5B` */
export const showTokens = (tokens: number): string => scale(tokens, ['', 'k', 'M', 'B'])

/** `512 B`, `1.5 KB`, `20 MB` */
export const showBytes = (bytes: number): string => scale(bytes, [' B', ' KB', ' MB', ' GB'])

/** `< $0.01`, `$0.04`, `$1,234.50` */
export function showCost(dollars: number): string {
  dollar ??= new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })
  return dollars > 0 && dollars < 0.005 ? '< $0.01' : dollar.format(dollars)
}

/** `85%` of a share between 0 and 1 */
export const showPercent = (share: number): string => `${Math.round(share * 100)}%`

/** The value in the largest unit in which it does not round to 0, where a unit is 1,000 of the one before. */
function scale(value: number, units: readonly string[]): string {
  let at = 0
  let scaled = value
  while (scaled >= 999.5 && at < units.length - 1) {
    scaled /= 1000
    at++
  }
  return `${at === 0 ? showCount(Math.round(value)) : brief(scaled)}${units[at]}`
}

/** Three digits at most, or all in front of the point. */
const brief = (value: number) =>
  showCount(value < 100 ? Math.round(value * 10) / 10 : Math.round(value))

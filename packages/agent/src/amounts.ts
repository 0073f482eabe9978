/** How amounts are written, in the terminal, in reports and in the editor alike. */
export interface Amounts {
  /** `12,345`; at most two decimals */
  showCount(value: number): string
  /** `1 event`, `12,345 events` */
  plural(count: number, noun: string): string
  /** `12 s`, `4 min`, `2 h 10 min` */
  showMs(ms: number): string
  /** `950`, `12.3k`, `4.5M` */
  showTokens(tokens: number): string
  /** `512 B`, `1.5 KB`, `20 MB` */
  showBytes(bytes: number): string
  /** `< $0.01`, `$0.04`, `$1,234.50` */
  showCost(dollars: number): string
  /** `85%` of a share between 0 and 1 */
  showPercent(share: number): string
}

/** Uses nothing outside itself: the HTML report carries its source. */
export function createAmounts(): Amounts {
  const plain = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
  const dollar = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })
  const showCount = (value: number) => plain.format(value)
  /** Three digits at most, or all in front of the point. */
  const brief = (value: number) =>
    showCount(value < 100 ? Math.round(value * 10) / 10 : Math.round(value))
  /** The value in the largest unit in which it does not round to 0, where a unit is 1,000 of the one before. */
  const scale = (value: number, units: readonly string[]) => {
    let at = 0
    let scaled = value
    while (scaled >= 999.5 && at < units.length - 1) {
      scaled /= 1000
      at++
    }
    return `${at === 0 ? showCount(Math.round(value)) : brief(scaled)}${units[at]}`
  }
  return {
    showCount,
    plural: (count, noun) => `${showCount(count)} ${noun}${count === 1 ? '' : 's'}`,
    showMs(ms) {
      const seconds = Math.round(ms / 1000)
      if (seconds < 100) return `${seconds} s`
      const minutes = Math.round(seconds / 60)
      if (minutes < 100) return `${minutes} min`
      const hours = `${showCount(Math.floor(minutes / 60))} h`
      return minutes % 60 === 0 ? hours : `${hours} ${minutes % 60} min`
    },
    showTokens: (tokens) => scale(tokens, ['', 'k', 'M']),
    showBytes: (bytes) => scale(bytes, [' B', ' KB', ' MB', ' GB']),
    showCost: (dollars) => (dollars > 0 && dollars < 0.005 ? '< $0.01' : dollar.format(dollars)),
    showPercent: (share) => `${Math.round(share * 100)}%`,
  }
}

export const { showCount, plural, showMs, showTokens, showBytes, showCost, showPercent } =
  createAmounts()

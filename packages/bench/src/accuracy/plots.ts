import type { Outcome, Rate } from './metrics.js'

/** A row of a plot of shares: a dot with its interval. */
export interface ShareRow {
  name: string
  rate: Rate
  /** ours is highlighted, the others are for comparison */
  strong: boolean
}

const rowHeight = 26
const labelWidth = 210
const plotWidth = 300

/** Shares from 0 to 1 as dots, each with the interval in which the true share lies. */
export function sharePlot(title: string, rows: readonly ShareRow[]): string {
  const height = rows.length * rowHeight + 44
  const x = (share: number) => labelWidth + share * plotWidth
  const marks = rows.map(({ name, rate, strong }, index) => {
    const y = 34 + index * rowHeight
    const text = Number.isNaN(rate.rate) ? 'none' : `${rate.hits} of ${rate.of}`
    const dot = Number.isNaN(rate.rate)
      ? ''
      : `<line x1="${x(rate.low)}" x2="${x(rate.high)}" y1="${y}" y2="${y}" class="interval"/>` +
        `<circle cx="${x(rate.rate)}" cy="${y}" r="5"/>`
    return (
      `<g class="${strong ? 'ours' : 'other'}"><text x="${labelWidth - 12}" y="${y + 4}" class="name">${escapeHtml(name)}</text>` +
      `${dot}<text x="${labelWidth + plotWidth + 12}" y="${y + 4}">${text}</text></g>`
    )
  })
  return figure(title, labelWidth + plotWidth + 90, height, [grid(x, height), ...marks])
}

/** The share of loops that each contender had found a number of events after they were evident. */
export function delayPlot(
  title: string,
  contenders: readonly { name: string; outcomes: readonly Outcome[]; strong: boolean }[],
): string {
  const [width, height, most] = [480, 260, 40]
  const x = (delay: number) => 44 + (Math.min(delay, most) / most) * width
  const y = (share: number) => 20 + (1 - share) * height
  const lines = contenders.map(({ name, outcomes, strong }) => {
    const loops = outcomes.filter(({ loop }) => loop)
    const found = (delay: number) =>
      loops.filter(({ advice }) => advice.found && (advice.delay ?? 0) <= delay).length /
      loops.length
    const points = Array.from({ length: most + 1 }, (_, delay) => `${x(delay)},${y(found(delay))}`)
    return { name, strong, end: found(most), points: points.join(' ') }
  })
  const labels = spread(lines.map(({ end }) => y(end)))
  const marks = lines.map(
    ({ name, strong, points }, index) =>
      `<g class="${strong ? 'ours' : 'other'}"><polyline points="${points}"/>` +
      `<text x="${x(most) + 8}" y="${(labels[index] ?? 0) + 4}">${escapeHtml(name)}</text></g>`,
  )
  const ticks = [0, 10, 20, 30, 40].map(
    (delay) => `<text x="${x(delay)}" y="${height + 40}" class="tick">${delay}</text>`,
  )
  const shares = [0, 0.5, 1].map(
    (share) =>
      `<line x1="44" x2="${x(most)}" y1="${y(share)}" y2="${y(share)}" class="grid"/>` +
      `<text x="36" y="${y(share) + 4}" class="name">${share * 100} %</text>`,
  )
  return figure(title, width + 280, height + 54, [...shares, ...ticks, ...marks])
}

/** A small plot of precision and recall over the values of one option. */
export function curvePlot(
  title: string,
  points: readonly { value: number; isDefault: boolean; precision: number; recall: number }[],
): string {
  const [width, height] = [190, 110]
  const values = points.map(({ value }) => value)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const x = (value: number) => 34 + ((value - least) / (most - least || 1)) * width
  const y = (share: number) => 12 + (1 - share) * height
  const line = (kind: 'precision' | 'recall') =>
    `<polyline class="${kind}" points="${points
      .filter((point) => !Number.isNaN(point[kind]))
      .map((point) => `${x(point.value)},${y(point[kind])}`)
      .join(' ')}"/>`
  const marks = points.map(
    ({ value, isDefault }) =>
      `<text x="${x(value)}" y="${height + 30}" class="tick${isDefault ? ' default' : ''}">${Number(value.toPrecision(3))}</text>` +
      (isDefault
        ? `<line x1="${x(value)}" x2="${x(value)}" y1="${y(0)}" y2="${y(1)}" class="default"/>`
        : ''),
  )
  const frame = [0, 0.5, 1].map(
    (share) =>
      `<line x1="34" x2="${34 + width}" y1="${y(share)}" y2="${y(share)}" class="grid"/>` +
      `<text x="28" y="${y(share) + 4}" class="name">${share}</text>`,
  )
  return figure(title, width + 60, height + 40, [
    ...frame,
    ...marks,
    line('precision'),
    line('recall'),
  ])
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function figure(title: string, width: number, height: number, parts: readonly string[]): string {
  return `<figure><figcaption>${escapeHtml(title)}</figcaption><svg viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="${escapeHtml(title).replaceAll('"', '&quot;')}">${parts.join('')}</svg></figure>`
}

function grid(x: (share: number) => number, height: number): string {
  return [0, 0.25, 0.5, 0.75, 1]
    .map(
      (share) =>
        `<line x1="${x(share)}" x2="${x(share)}" y1="20" y2="${height - 14}" class="grid"/>` +
        `<text x="${x(share)}" y="12" class="tick">${share}</text>`,
    )
    .join('')
}

/** Moves labels apart so that none overlap. */
function spread(places: readonly number[]): number[] {
  const order = places.map((place, index) => ({ place, index })).sort((a, b) => a.place - b.place)
  const moved: number[] = []
  let last = Number.NEGATIVE_INFINITY
  for (const { place, index } of order) {
    last = Math.max(place, last + 15)
    moved[index] = last
  }
  return moved
}

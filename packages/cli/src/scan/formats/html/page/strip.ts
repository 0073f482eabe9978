import type { RunReport } from '../../../run-report.js'
import { element, shape } from './dom.js'

const KINDS = [
  ['p', 'request'],
  ['c', 'call'],
  ['a', 'answer'],
  ['e', 'error'],
  ['t', 'text'],
  ['r', 'thought'],
  ['x', 'compaction'],
] as const

const LINES = {
  began: 'the loop began',
  evident: 'it was evident',
  stopped: 'a guard would have ended it',
}

const HEIGHT = 20

/** The course of a run: a box for every few events, the loops behind them, and lines where something happened. */
export function toStrip(
  { timeline: { marks, size }, loops }: RunReport,
  label?: string,
): SVGElement {
  const width = Math.max(1, marks.length)
  const svg = shape('svg', {
    class: 'strip',
    viewBox: `0 0 ${width} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    ...(label === undefined ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': label }),
  })
  for (const { certainty, began, last } of loops) {
    const length = Math.max(0.5, (last.event - began.event + 1) / size)
    svg.append(
      shape('rect', {
        class: `loop ${certainty}`,
        x: began.event / size,
        y: 0,
        height: HEIGHT,
        width: length,
      }),
    )
  }
  for (const [mark] of KINDS) {
    const path = pathOf(marks, mark)
    if (path !== '') svg.append(shape('path', { class: `mark-${mark}`, d: path }))
  }
  for (const loop of loops) {
    for (const name of ['began', 'evident', 'stopped'] as const) {
      const place = loop[name]
      if (!place) continue
      const x = (place.event + 0.5) / size
      svg.append(
        shape(
          'line',
          { class: name, x1: x, x2: x, y1: 0, y2: HEIGHT, 'vector-effect': 'non-scaling-stroke' },
          shape('title', {}, LINES[name]),
        ),
      )
    }
  }
  return svg
}

/** All boxes of one colour are one shape: thousands of runs have many boxes. */
function pathOf(marks: string, mark: string): string {
  let path = ''
  for (let from = marks.indexOf(mark); from >= 0; ) {
    let to = from + 1
    while (marks[to] === mark) to++
    path += `M${from} 4h${to - from}v12h${from - to}z`
    from = marks.indexOf(mark, to)
  }
  return path
}

/** What the colours and lines of timelines mean. */
export function toLegend(): HTMLElement {
  const item = (name: string, drawn: SVGElement) => {
    const box = shape('svg', { viewBox: '0 0 12 12', 'aria-hidden': 'true' }, drawn)
    return element('li', {}, box, name)
  }
  return element(
    'ul',
    { class: 'legend', 'aria-label': 'Colors of the timelines' },
    ...KINDS.map(([mark, name]) =>
      item(name, shape('path', { class: `mark-${mark}`, d: 'M0 2h12v8h-12z' })),
    ),
    item('stuck', shape('rect', { class: 'loop certain', width: 12, height: 12 })),
    item('struggling', shape('rect', { class: 'loop likely', width: 12, height: 12 })),
    ...Object.entries(LINES).map(([line, name]) =>
      item(name, shape('line', { class: line, x1: 6, x2: 6, y1: 0, y2: 12 })),
    ),
  )
}

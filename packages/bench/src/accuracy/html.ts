import { ours } from './contenders.js'
import type { Curve } from './curves.js'
import { type ContenderResult, knownOutcomes, summariseSection } from './measure.js'
import { summarise } from './metrics.js'
import { curvePlot, delayPlot, escapeHtml, sharePlot } from './plots.js'
import { type Section, sections } from './sources.js'
import { stylesheet } from './stylesheet.js'
import type { Table } from './tables.js'

export interface Report {
  heading: string
  results: readonly ContenderResult[]
  tables: readonly Table[]
  curves: readonly Curve[]
}

/** The whole report as one self-contained page. */
export function makeHtml({ heading, results, tables, curves }: Report): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>LoopBench</title>
<style>${stylesheet}</style>
</head>
<body>
<h1>LoopBench</h1>
<p>${escapeHtml(heading)} Dots are what was measured, lines the range in which the true share lies (Wilson, 95 %).
An alarm on honest work, or before the second repeat of a generated loop began, is a false alarm.</p>
${plots(results)}
${curves.length > 0 ? `<h2>What moving a threshold does</h2><p><span class="key recall">recall</span> <span class="key precision">precision</span>, over everything measured; the default is marked.</p><div class="row">${curves.map(drawCurve).join('\n')}</div>` : ''}
<h2>Tables</h2>
${tables.map(drawTable).join('\n')}
</body>
</html>
`
}

function plots(results: readonly ContenderResult[]): string {
  const present = (Object.keys(sections) as Section[]).filter(
    (section) => section !== 'other' && results.some(({ outcomes }) => outcomes[section]),
  )
  return present
    .map((section) => {
      const summaries = results.map((result) => ({
        name: result.name,
        strong: result.name === ours,
        summary: summariseSection(result, section),
      }))
      const rows = (pick: 'recall' | 'precision' | 'falseAlarms') =>
        summaries.map(({ name, strong, summary }) => ({ name, strong, rate: summary[pick] }))
      const hasLoops = summaries.some(({ summary }) => summary.recall.of > 0)
      const hasHonest = summaries.some(({ summary }) => summary.falseAlarms.of > 0)
      const isTimed = section === 'calls' || section === 'labelled'
      const figures = [
        hasLoops ? sharePlot('loops found', rows('recall')) : '',
        hasHonest ? sharePlot('honest work flagged', rows('falseAlarms')) : '',
        hasLoops && isTimed
          ? delayPlot('loops found so many events after they were evident', lines(results, section))
          : '',
      ]
      return `<h2>${escapeHtml(sections[section])}</h2><div class="row">${figures.join('')}</div>`
    })
    .join('\n')
}

function lines(results: readonly ContenderResult[], section: Section) {
  return results.map(({ name, outcomes }) => ({
    name,
    outcomes: outcomes[section] ?? [],
    strong: name === ours,
  }))
}

function drawCurve({ detector, option, points }: Curve): string {
  const total = points.map(({ value, isDefault, result }) => {
    const { precision, recall } = summarise(knownOutcomes(result))
    return { value, isDefault, precision: precision.rate, recall: recall.rate }
  })
  return curvePlot(`${detector}: ${option}`, total)
}

function drawTable({ title, rows: [heading = [], ...body] }: Table): string {
  const cells = (row: readonly string[], tag: 'th' | 'td') =>
    `<tr>${row.map((cell) => `<${tag}${cellClass(cell)}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  return `<h3>${escapeHtml(title)}</h3><div class="scroll"><table><thead>${cells(heading, 'th')}</thead><tbody>${body
    .map((row) => cells(row, 'td'))
    .join('')}</tbody></table></div>`
}

/** Makes full and empty counts stand out in the table of kinds. */
function cellClass(cell: string): string {
  const [hits, of] = cell.split('/').map(Number)
  if (of === undefined || Number.isNaN(of) || Number.isNaN(hits)) return ''
  return hits === 0 ? ' class="none"' : hits === of ? ' class="all"' : ' class="some"'
}

// Writes what LoopBench measured into the pages that quote it, from the tables that `bench:accuracy --save`
// left in packages/bench: three numbers in README.md, the short table in docs/results.md, all tables in
// packages/bench/README.md, and packages/bench/CURVES.md, with what each curve shows in words and the reasons in
// packages/bench/reasons.json.
//   --check    writes nothing; fails when a page is old, or when an option has no curve, another default, or a flat curve
//              and no reason
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { defaultDetectors } from 'unloop'

const root = new URL('..', import.meta.url)
const bench = new URL('packages/bench/', root)
const [begin, end] = ['<!-- results -->', '<!-- /results -->']

const [run, ...tables] = readLines('results.jsonl')
const [curvesRun, ...curves] = readLines('curves.jsonl')
const reasons = JSON.parse(readFileSync(new URL('reasons.json', bench), 'utf8'))

const old = [
  update('README.md', (page) => between(page, threeNumbers())),
  update('docs/results.md', (page) => between(page, shortTable())),
  update('packages/bench/README.md', (page) => between(page, allTables())),
  update('packages/bench/CURVES.md', () => curvesPage()),
].filter(Boolean)
const problems = optionProblems()
for (const problem of problems) console.error(problem)
if (process.argv.includes('--check')) {
  for (const page of old) console.error(`${page} is old; run: npm run generate`)
  if (old.length + problems.length === 0) console.log('the pages quote what was measured')
} else for (const page of old) console.log(`wrote ${page}`)
process.exitCode =
  problems.length > 0 || (process.argv.includes('--check') && old.length > 0) ? 1 : 0

/** What it finds, what it disturbs, and where it is wrong; with limits that were chosen on other sources. */
function threeNumbers() {
  const held = 'unloop, limits chosen on other sources'
  const labelled = tableOf('labelled runs (')
  const [, loops] = /\((\d+) loops/.exec(labelled.title)
  const found = rowOf(labelled, held)
  const native = tableOf('native sessions (')
  const [, sessions] = /\((\d+)\)/.exec(native.title)
  const disturbed = rowOf(native, held)
  const invented = tableOf('invented runs (')
  const [, honest] = /(\d+) honest/.exec(invented.title)
  const wrong = rowOf(invented, 'unloop')
  return [
    `- **Of ${loops} recorded loops, ${percent(found('recall'))} get advice** and ${percent(found('stops: recall'))} are stopped. ${percent(found('advice: precision'))} of all advice is right.`,
    `- **Of ${sessions} ordinary coding sessions, ${disturbed('flagged')} get advice** and ${disturbed('stopped')} are stopped.`,
    `- **Of ${honest} honest runs that we invented to fool it, ${wrong('honest stopped')} are stopped.** Start with \`mode: 'observe'\`.`,
  ].join('\n')
}

function rowOf({ rows: [heading, ...rows] }, name) {
  const row = rows.find(([first]) => first === name)
  // two columns are called recall: the first is about advice
  const columns = heading.map((name, at) =>
    name === 'recall' && at > heading.indexOf('recall') ? 'stops: recall' : name,
  )
  return (column) => row[columns.indexOf(column)]
}

function tableOf(start) {
  return tables.find(({ title }) => title.startsWith(start))
}

function percent(share) {
  return `${Math.round(Number.parseFloat(share) * 100)}%`
}

/** The table for a reader in a hurry: our presets are the rules of others, whose own rows are there. */
function shortTable() {
  const [summary] = tables
  const rows = summary.rows.filter(([name]) => !name.startsWith('unloop, preset'))
  const made = rows.some(([name]) => name.includes('other sources'))
    ? 'First row: the limits were chosen on all sources but one and measured on that one, for each source in turn. Second row: the defaults, which were chosen with all sources in sight. In brackets: the 95 % confidence interval (Wilson).'
    : 'In brackets: the 95 % confidence interval (Wilson).'
  return `${draw(rows)}\n\n${made} Measured ${run.date}; [how](../packages/bench/README.md#accuracy), and [by source](../packages/bench/README.md#results).`
}

function allTables() {
  const made = `Measured ${run.date} by\n\n\`\`\`sh\n${run.command}\n\`\`\``
  const parts = tables.map(({ title, rows }) => {
    const long = rows.length > 40
    const table = long
      ? `<details>\n<summary>all kinds</summary>\n\n${draw(rows)}\n\n</details>`
      : draw(rows)
    return `### ${title}\n\n${table}`
  })
  return [made, ...parts].join('\n\n')
}

function curvesPage() {
  const detectors = [...new Set(curves.map(({ detector }) => detector))]
  const parts = detectors.map((detector) => {
    const options = curves
      .filter((curve) => curve.detector === detector)
      .map((curve) => `### ${curve.option}\n\n${sentences(curve)}\n\n${draw(curve.rows)}`)
    return [`## ${detector}`, ...options].join('\n\n')
  })
  const heading = `# What moving a threshold does

One option is moved, and everything else stays at its default. A dot means the same as with the default; counts are out of
the totals in the [results](README.md#results). Advice is any finding, a stop ends the run or asks. "On time" is at most four
events after it was evident; for chants, in the same delta. Generated by \`npm run generate\`; measured ${curvesRun.date} by

\`\`\`sh
${curvesRun.command} --only-ours --curves --save packages/bench
\`\`\`

The sentence describes the nearest value on each side that changes anything. If nothing changes, none of our runs and texts
separates the values, and it says where the number comes from instead. The rows of the defaults may differ from the results by a run or two if the code changed after the
curves were measured; a changed default fails \`npm run check:generated\`.`
  return `${[heading, ...parts].join('\n\n')}\n`
}

/** What the curve shows, and why this number where that does not say it. */
function sentences(curve) {
  const reason = reasons[curve.detector]?.[curve.option]
  return [curve.facts, reason].filter(Boolean).join(' ')
}

/** Every number of every detector that is on by default has its curve, at this default, and its sentence. */
function optionProblems() {
  return defaultDetectors().flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, value]) => {
      if (typeof value !== 'number') return []
      const curve = curves.find((each) => each.detector === name && each.option === option)
      if (!curve) return [`${name}.${option} has no curve; run bench:accuracy --curves --save`]
      if (curve.default !== value) {
        return [`${name}.${option} is ${value}, its curve was measured around ${curve.default}`]
      }
      if (!curve.isFlat || reasons[name]?.[option]) return []
      return [
        `the curve of ${name}.${option} is flat, and reasons.json does not say why this number`,
      ]
    }),
  )
}

function draw([heading, ...body]) {
  const rule = heading.map((_, column) => (column === 0 ? '---' : '---:'))
  return [heading, rule, ...body].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** The name of the page if it was not what it should be. */
function update(name, make) {
  const file = new URL(name, root)
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const after = make(before)
  if (after === before) return
  if (!process.argv.includes('--check')) writeFileSync(file, after)
  return name
}

function between(page, text) {
  const [head, rest = ''] = page.split(begin)
  const [, tail] = rest.split(end)
  if (tail === undefined) throw new Error(`a page needs the marks ${begin} and ${end}`)
  return `${head}${begin}\n${text}\n${end}${tail}`
}

function readLines(name) {
  const lines = readFileSync(new URL(name, bench), 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

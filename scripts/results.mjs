// Writes what LoopBench measured into the pages that quote it, from the tables that `bench:accuracy --save`
// left in packages/bench: three numbers in README.md, the short tables in docs/results.md, all tables in
// packages/bench/README.md, and packages/bench/CURVES.md, with what each curve shows in words and the reasons in
// packages/bench/reasons.json.
//   --check    writes nothing; fails when a page is old, when an option has no curve, another default, or a flat curve
//              and no reason, or when there is a reason for an option that is gone
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { defaultDetectors } from 'unloop'

const root = new URL('..', import.meta.url)
const bench = new URL('packages/bench/', root)
const [begin, end] = ['<!-- results -->', '<!-- /results -->']

// the rows of the tables that are about the default guard
const [held, own] = ['unloop, limits chosen on other sources', 'unloop']

// what the readers of recorded runs meant by each kind, and the share below which a kind counts as weak:
// the goals of advice and of stops
const KINDS = {
  'error-retry': 'the same error, whatever is tried',
  'identical-call': 'the same call again',
  'no-progress-semantic': 'calls that differ and tell nothing new',
  cycle: 'several calls in turn, over and over',
  'no-progress': 'an orchestrator that asks again in new words',
  'thought-repeat': 'the same thought or plan, turn after turn',
  chanting: 'one text that repeats itself',
}
const KIND_TITLE = 'by kind of labeled loop'
const [ADVISED, STOPPED] = [0.9, 0.8]

const [run, ...tables] = readLines('results.jsonl')
const [curvesRun, ...curves] = readLines('curves.jsonl')
const reasons = JSON.parse(readFileSync(new URL('reasons.json', bench), 'utf8'))

const old = [
  update('README.md', (page) => between(page, threeNumbers())),
  update('docs/results.md', (page) =>
    between(page, [shortTable(), kindTables(), sourceTables(), goalTable()].join('\n\n')),
  ),
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
  const labelled = tableOf('labeled runs (')
  const [, loops] = /\((\d+) loops/.exec(labelled.title)
  const found = rowOf(labelled, held)
  const [kinds] = bothOf(KIND_TITLE)
  const [, wanted] = rowOf(kinds, 'all')('stopped of wanted').split(' of ')
  const native = tableOf('native sessions (')
  const [, sessions] = /\((\d+)\)/.exec(native.title)
  const disturbed = rowOf(native, held)
  const invented = tableOf('invented runs (')
  const [, honest] = /(\d+) honest/.exec(invented.title)
  const wrong = rowOf(invented, own)
  return [
    `- **Of ${loops} recorded loops, ${percent(found('recall'))} get advice.** ${percent(found('advice: precision'))} of all advice is right. Of the ${wanted} loops that no label says to leave running, ${percent(found('recall of wanted'))} are stopped.`,
    `- **Of ${sessions} ordinary coding sessions, ${withVerb(disturbed('flagged'), 'gets', 'get')} advice** and ${withVerb(disturbed('stopped'), 'is', 'are')} stopped.`,
    `- **Of ${honest} honest runs that we invented to fool it, ${withVerb(wrong('honest stopped'), 'is', 'are')} stopped.** Start with \`mode: 'observe'\`.`,
  ].join('\n')
}

/** A number with its verb. */
function withVerb(number, one, many) {
  return `${number === '0' ? 'none' : number} ${number === '1' ? one : many}`
}

function rowOf({ rows: [heading, ...rows] }, name) {
  const row = rows.find(([first]) => first === name)
  return (column) => row[heading.indexOf(column)]
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
  return `${draw(rows)}\n\n${made} Measured ${run.date} by\n\n\`\`\`sh\n${run.command}\n\`\`\`\n\n[How](../packages/bench/README.md#accuracy), and [all tables](../packages/bench/README.md#results).`
}

/** Each kind of loop with the source left out and with the defaults, and the weak ones in words. */
function kindTables() {
  const rows = beside(KIND_TITLE, ['recall', 'delay', 'recall of wanted'], ['loops'])
  const named = rows.map(([kind, ...cells]) => [
    KINDS[kind] ? `${KINDS[kind]} (\`${kind}\`)` : kind,
    ...cells,
  ])
  const heading = ['kind', 'loops', 'advice: recall', 'delay', 'stops: recall of wanted']
  const [first] = bothOf(KIND_TITLE)
  const weak = (column, count, least) => {
    const kinds = first.rows.slice(1, -1).map(([kind]) => ({ kind, cell: rowOf(first, kind) }))
    const missed = kinds.filter(({ cell }) => Number.parseFloat(cell(column)) < least)
    return missed.map(({ kind, cell }) => `${KINDS[kind] ?? kind} (${count(cell)})`).join('; ')
  }
  const found = weak('recall', (cell) => `${cell('found')} of ${cell('loops')}`, ADVISED)
  const stopped = weak('recall of wanted', (cell) => cell('stopped of wanted'), STOPPED)
  const how = bothOf(KIND_TITLE).length > 1 ? ', with the source left out' : ''
  return `## By kind of loop\n\n${slash(KIND_TITLE)}\n\n${draw([heading, ...named])}\n
- Kinds in which fewer than ${percent(ADVISED)} of the loops get advice${how}: ${found || 'none'}.
- Kinds in which fewer than ${percent(STOPPED)} of the wanted stops are made${how}: ${stopped || 'none'}.`
}

function sourceTables() {
  const columns = ['advice: precision', 'recall', 'stops: precision', 'recall of wanted', 'delay']
  const heading = ['', 'loops / honest', 'advice: precision', 'recall', ...columns.slice(2)]
  const table = (title) => draw([heading, ...beside(title, columns, ['loops / honest'])])
  const [agents, source] = [
    'agents that talk before they act, others, and orchestrators',
    'by source',
  ]
  return `## By agent and source\n\n${slash(source)}\n\n${table(agents)}\n\n${table(source)}`
}

function goalTable() {
  const { title, rows } = tableOf('What unloop has to reach')
  return `## What it has to reach\n\nCounted: ${title.split(': ')[1]}; everything else with the defaults.\n\n${draw(rows)}`
}

/** The tables with this title: with the source left out, if that was measured, and with the defaults. */
function bothOf(title) {
  return [held, own].flatMap(
    (name) => tables.find((table) => table.title === `${name}: ${title}`) ?? [],
  )
}

function slash(title) {
  return bothOf(title).length > 1
    ? 'Before the slash: with the source left out. After it: with the defaults.'
    : 'With the defaults.'
}

/** The rows of both tables as one, the numbers of the second after a slash. */
function beside(title, columns, common) {
  const [first, ...others] = bothOf(title)
  // what is no rate, as a confidence interval, has no row with the same cells
  const rows = first.rows.slice(1).filter(([name]) => name !== '95 %')
  return rows.map(([name]) => [
    name,
    ...common.map((column) => rowOf(first, name)(column)),
    ...columns.map((column) => {
      const cells = [first, ...others].map((table) => rowOf(table, name)(column))
      // nothing beside nothing is nothing
      return cells.every((cell) => cell === cells[0] && !/\d/.test(cell))
        ? cells[0]
        : cells.join(' / ')
    }),
  ])
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
  return [...reasonsOfNothing(), ...defaultDetectors().flatMap(missingCurves)]
}

function reasonsOfNothing() {
  const known = new Map(defaultDetectors().map(({ name, options }) => [name, options]))
  return Object.entries(reasons).flatMap(([name, options]) =>
    Object.keys(options)
      .filter((option) => !(option in (known.get(name) ?? {})))
      .map((option) => `reasons.json has a reason for ${name}.${option}, which is no option`),
  )
}

function missingCurves({ name, options }) {
  return Object.entries(options).flatMap(([option, value]) => {
    if (typeof value !== 'number') return []
    const curve = curves.find((each) => each.detector === name && each.option === option)
    if (!curve) return [`${name}.${option} has no curve; run bench:accuracy --curves --save`]
    if (curve.default !== value) {
      return [`${name}.${option} is ${value}, its curve was measured around ${curve.default}`]
    }
    if (!curve.isFlat || reasons[name]?.[option]) return []
    return [`the curve of ${name}.${option} is flat, and reasons.json does not say why this number`]
  })
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

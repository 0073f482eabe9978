import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ablationTable } from './accuracy/ablation.js'
import { createContenders } from './accuracy/contenders.js'
import { type Curve, curveTable, measureCurves } from './accuracy/curves.js'
import { checkGoals } from './accuracy/goals.js'
import { makeHtml } from './accuracy/html.js'
import { measureAccuracy } from './accuracy/measure.js'
import { listMistakes } from './accuracy/mistakes.js'
import { saveCurves, saveTables } from './accuracy/save.js'
import { readSources, type SourceRun, type Sources } from './accuracy/sources.js'
import { summaryTable } from './accuracy/summary.js'
import { detectorTable, kindTable, makeTables } from './accuracy/tables.js'
import { goalRows, isMissed } from './goal.js'
import { loadPeers } from './published/load.js'
import { markdownTable, textTable } from './table.js'

const usage = `bench:accuracy [--data FILE…] [--labels FILE] [--texts FILE…] [--degenerate FILE…]
  [--seed N] [--cases N] [--only-ours] [--no-peers] [--verbose] [--kinds]
  [--ablation] [--curves] [--detector NAME] [--markdown] [--json FILE] [--html FILE]
  [--save FOLDER] [--check]`

const { values, positionals } = readArguments()
const sources = toSources()
if (values.help) {
  console.log(usage)
} else {
  await main()
}

async function main() {
  const { peers, missing } =
    values['no-peers'] || values['only-ours'] ? { peers: [], missing: [] } : await loadPeers()
  if (missing.length > 0) {
    console.error(
      `Not installed, so left out: ${missing.join(', ')}. \`npm run bench:peers\` installs them.`,
    )
  }
  const contenders = createContenders(peers, values['only-ours'])
  const started = Date.now()
  const results = await measureAccuracy(contenders, readSources(sources), (done) => {
    if (process.stderr.isTTY && done % 50 === 0) process.stderr.write(`\r${done} runs`)
  })
  if (process.stderr.isTTY) process.stderr.write('\r')
  const heading = `LoopBench, accuracy. Seed ${sources.seed}, ${sources.perKind} cases of each kind.`

  const own = results.slice(0, 1)
  const goals = own.flatMap(checkGoals)
  const tables = [
    summaryTable(results),
    { title: 'What unloop has to reach', rows: goalRows(goals) },
    ...makeTables(results),
    ...own.map(detectorTable),
  ]
  if (values.ablation) tables.push(await ablationTable(await collectRuns()))
  if (values.kinds || values.html) tables.push(kindTable(results))
  const draw = values.markdown ? markdownTable : textTable
  const title = (text: string) => (values.markdown ? `### ${text}` : text)
  console.log(`${heading}\n`)
  for (const table of tables) console.log(`${title(table.title)}\n\n${draw(table.rows)}\n`)
  if (values.verbose) for (const result of results) console.log(`${listMistakes(result)}\n`)

  const curves = values.curves
    ? await measureCurves(await collectRuns(), values.detector, (curve) => {
        if (process.stderr.isTTY) process.stderr.write(`\r${curve.padEnd(40)}\r`)
      })
    : []
  for (const curve of curves) {
    const name = `${curve.detector}, ${curve.option} (a dot: as with the default)`
    console.log(`${title(name)}\n\n${draw(curveTable(curve))}\n`)
  }

  if (values.json)
    await writeFile(
      fromCaller(values.json),
      JSON.stringify({ ...sources, results, curves: curves.map(plainCurve) }, null, 1),
    )
  if (values.html)
    await writeFile(fromCaller(values.html), makeHtml({ heading, results, tables, curves }))
  if (values.save !== undefined) {
    const folder = fromCaller(values.save)
    if (!values['only-ours']) await saveTables(folder, sources, tables)
    if (values.curves) await saveCurves(folder, sources, curves)
  }
  if (values.check && isMissed(goals)) process.exitCode = 1
  console.error(`${((Date.now() - started) / 1000).toFixed(1)} s`)
}

const plainCurve = (curve: Curve) => ({
  detector: curve.detector,
  option: curve.option,
  rows: curveTable(curve),
})

/** Runs that are watched many times are kept; those without a label teach nothing there. */
async function collectRuns(): Promise<SourceRun[]> {
  const runs: SourceRun[] = []
  for await (const run of readSources(sources)) if (!run.sections.includes('other')) runs.push(run)
  return runs
}

function readArguments() {
  return parseArgs({
    allowPositionals: true,
    options: {
      data: { type: 'string', multiple: true, default: [] },
      labels: { type: 'string' },
      texts: { type: 'string', multiple: true, default: [] },
      degenerate: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string' },
      cases: { type: 'string', default: '5' },
      'no-peers': { type: 'boolean', default: false },
      'only-ours': { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      kinds: { type: 'boolean', default: false },
      curves: { type: 'boolean', default: false },
      ablation: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      detector: { type: 'string' },
      markdown: { type: 'boolean', default: false },
      json: { type: 'string' },
      html: { type: 'string' },
      save: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
}

function toSources(): Sources {
  if (positionals.length > 0)
    throw new RangeError(`every file follows an option, got ${positionals.join(' ')}\n${usage}`)
  return {
    seed: values.seed === undefined ? Date.now() % 1_000_000 : wholeNumber('--seed', values.seed),
    perKind: wholeNumber('--cases', values.cases),
    data: values.data.map(fromCaller),
    labels: values.labels === undefined ? undefined : fromCaller(values.labels),
    texts: values.texts.map(fromCaller),
    degenerate: values.degenerate.map(fromCaller),
  }
}

/** npm starts a workspace's script in its folder; the person who typed a path meant their own. */
function fromCaller(path: string): string {
  return resolve(process.env.INIT_CWD ?? '.', path)
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0)
    throw new RangeError(`${name} wants a whole number, got ${text}`)
  return value
}

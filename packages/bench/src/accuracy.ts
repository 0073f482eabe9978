import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ablationTable } from './accuracy/ablation.js'
import { recordedKindTable } from './accuracy/by-kind.js'
import { agentTable, chosenTable, sourceTable } from './accuracy/by-source.js'
import { createContenders } from './accuracy/contenders.js'
import { filesIn } from './accuracy/corpus.js'
import { coverageTable } from './accuracy/coverage.js'
import { type Curve, curveTable, measureCurves } from './accuracy/curves.js'
import { checkGoals } from './accuracy/goals.js'
import { makeHtml } from './accuracy/html.js'
import { leftOutResult, measureLeftOut } from './accuracy/leave-out-run.js'
import { measureAccuracy } from './accuracy/measure.js'
import { listMistakes } from './accuracy/mistakes.js'
import { saveCurves, saveTables } from './accuracy/save.js'
import { readSources, type SourceRun, type Sources } from './accuracy/sources.js'
import { summaryTable, writtenTable } from './accuracy/summary.js'
import { detectorTable, kindTable, makeTables, type Table } from './accuracy/tables.js'
import { goalRows, isMissed } from './goal.js'
import { loadPeers } from './published/load.js'
import { markdownTable, textTable } from './table.js'

const usage = `bench:accuracy [--corpus FOLDER] [--data FILE…] [--labels FILE] [--native FILE…]
  [--sessions PLACE…] [--texts FILE…] [--degenerate FILE…]
  [--seed N] [--cases N] [--only-ours] [--no-peers] [--verbose] [--kinds]
  [--leave-out] [--ablation] [--curves] [--detector NAME] [--markdown] [--json FILE] [--html FILE]
  [--save FOLDER] [--check]`

const { values, positionals } = readArguments()
if (values.help) {
  console.log(usage)
} else {
  await main(toSources())
}

async function main(sources: Sources) {
  const started = Date.now()
  const { peers, missing } =
    values['no-peers'] || values['only-ours'] ? { peers: [], missing: [] } : await loadPeers()
  if (missing.length > 0) {
    console.error(
      `Not installed, so left out: ${missing.join(', ')}. \`npm run bench:peers\` installs them.`,
    )
  }
  const contenders = createContenders(peers, values['only-ours'])
  const results = await measureAccuracy(contenders, readSources(sources), (done) => {
    if (process.stderr.isTTY && done % 50 === 0) process.stderr.write(`\r${done} runs`)
  })
  if (process.stderr.isTTY) process.stderr.write('\r')
  const left = values['leave-out'] ? await measureLeftOut(sources) : []
  const heading = `LoopBench, accuracy. Seed ${sources.seed}, ${sources.perKind} cases of each kind.`

  const [own, ...others] = results
  if (!own) return
  const held = left.length > 0 ? leftOutResult(left) : own
  const goals = checkGoals(own, held)
  const shown = held === own ? results : [held, own, ...others]
  const tables: Table[] = [
    ...[summaryTable(shown), writtenTable(results)].filter(({ rows }) => rows.length > 1),
    {
      title: `What unloop has to reach: labeled runs ${heldHow(left.length)}`,
      rows: goalRows(goals),
    },
    ...[...new Set([held, own])]
      .filter(({ outcomes }) => outcomes.labelled)
      .flatMap((result) => [
        recordedKindTable(result),
        sourceTable(result, `${result.name}: by source`),
        agentTable(result),
      ]),
    ...(left.length > 0 ? [chosenTable(left)] : []),
    ...makeTables(shown),
    detectorTable(own),
  ]
  if (values.ablation) tables.push(await ablationTable(await collectRuns(sources)))
  if (values.kinds) tables.push(coverageTable(await collectRuns(sources)))
  if (values.kinds || values.html) tables.push(kindTable(results))
  const draw = values.markdown ? markdownTable : textTable
  const title = (text: string) => (values.markdown ? `### ${text}` : text)
  console.log(`${heading}\n`)
  for (const table of tables) console.log(`${title(table.title)}\n\n${draw(table.rows)}\n`)
  if (values.verbose) for (const result of results) console.log(`${listMistakes(result)}\n`)

  const curves = values.curves ? await measureCurves(sources, values.detector) : []
  for (const curve of curves) {
    const name = `${curve.detector}, ${curve.option} (a dot: as with the default)`
    console.log(`${title(name)}\n\n${draw(curveTable(curve))}\n`)
  }

  if (values.json)
    await writeFile(
      fromCaller(values.json),
      JSON.stringify({ ...sources, results, left, curves: curves.map(plainCurve) }, null, 1),
    )
  if (values.html)
    await writeFile(fromCaller(values.html), makeHtml({ heading, results, tables, curves }))
  if (values.save !== undefined) {
    const folder = fromCaller(values.save)
    const flags = (['kinds', 'leave-out', 'ablation'] as const).filter((flag) => values[flag])
    if (!values['only-ours']) await saveTables(folder, sources, tables, flags)
    if (values.curves) await saveCurves(folder, sources, curves)
  }
  if (values.check && isMissed(goals)) process.exitCode = 1
  console.error(`${((Date.now() - started) / 1000).toFixed(1)} s`)
}

function heldHow(sources: number): string {
  return sources > 0 ? 'and native sessions with their source left out' : 'with the defaults'
}

function plainCurve(curve: Curve) {
  return { detector: curve.detector, option: curve.option, rows: curveTable(curve) }
}

/** Runs that are watched many times are kept in memory; those without a label are not needed there. */
async function collectRuns(sources: Sources): Promise<SourceRun[]> {
  const runs: SourceRun[] = []
  for await (const run of readSources(sources)) {
    const isKnown = run.sections.some(
      (section) => section !== 'other' && section !== 'native' && section !== 'sessions',
    )
    if (isKnown) runs.push(run)
  }
  return runs
}

function readArguments() {
  const files = { type: 'string', multiple: true, default: [] as string[] } as const
  return parseArgs({
    allowPositionals: true,
    options: {
      corpus: { type: 'string' },
      data: files,
      labels: { type: 'string' },
      native: files,
      sessions: files,
      texts: files,
      degenerate: files,
      seed: { type: 'string' },
      cases: { type: 'string', default: '5' },
      'no-peers': { type: 'boolean', default: false },
      'only-ours': { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      kinds: { type: 'boolean', default: false },
      'leave-out': { type: 'boolean', default: false },
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
  const corpus = values.corpus === undefined ? undefined : filesIn(fromCaller(values.corpus))
  const files = (name: 'data' | 'native' | 'sessions' | 'texts' | 'degenerate') => [
    ...(corpus?.[name] ?? []),
    ...values[name].map(fromCaller),
  ]
  return {
    seed: values.seed === undefined ? Date.now() % 1_000_000 : wholeNumber('--seed', values.seed),
    perKind: wholeNumber('--cases', values.cases),
    data: files('data'),
    labels: values.labels === undefined ? corpus?.labels : fromCaller(values.labels),
    native: files('native'),
    sessions: files('sessions'),
    texts: files('texts'),
    degenerate: files('degenerate'),
  }
}

/** npm starts a workspace's script in the workspace, but paths are relative to the person's own folder. */
function fromCaller(path: string): string {
  return resolve(process.env.INIT_CWD ?? '.', path)
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0)
    throw new RangeError(`${name} wants a whole number, got ${text}`)
  return value
}

import { type Goal, goalRows } from '../goal.js'
import { textTable } from '../table.js'
import { limitName } from './contenders.js'
import type { SpeedResults } from './measure.js'
import type { Timing } from './stopwatch.js'
import { slowSlice, type TextSpeed } from './text-speed.js'

/** The results as text for a terminal. */
export function printSpeed(results: SpeedResults, budgets: readonly Goal[]): string {
  const { texts, calls, state } = results
  return [
    `LoopBench, speed. Seed ${results.seed}, Node ${results.node}, medians of interleaved rounds.`,
    ...texts.map(
      (row) =>
        `Text: ${row.characters / 1e6} MB of prose in deltas of ${row.deltaSize}${slowNote(row)}\n\n` +
        textTable([
          ['', 'characters/s', 'ns each', '× gemini-cli-core', '× the limit'],
          ...row.timings.map((timing) =>
            textRow(timing, row.timings, referenceFor(row.deltaSize, texts)),
          ),
        ]),
    ),
    ...calls.map(
      (row) =>
        `Tool call, ${size(row.argumentBytes)} of arguments${
          row.answerBytes > 0 ? ` and ${size(row.answerBytes)} of answer` : ', call alone'
        }\n\n${textTable([
          ['', 'µs each', 'fastest', 'slowest'],
          ...row.timings.map((timing) => callRow(timing)),
        ])}`,
    ),
    `State of one session: ${size(state.liveBytes)} live, ${size(state.snapshotBytes)} as a snapshot`,
    `Budgets\n\n${textTable(goalRows(budgets))}`,
  ].join('\n\n\n')
}

/** The published class is timed on the shorter text only; its cost per character does not depend on the length. */
function referenceFor(deltaSize: number, texts: readonly TextSpeed[]): Timing | undefined {
  return texts
    .filter((row) => row.deltaSize === deltaSize)
    .flatMap((row) => row.timings)
    .find(({ name }) => name.startsWith('gemini-cli-core'))
}

function textRow(timing: Timing, all: readonly Timing[], reference?: Timing): string[] {
  const cost = timing.nanosecondsPerUnit
  const limit = all.find(({ name }) => name === limitName)
  return [
    timing.name,
    rate(1e9 / cost),
    number(cost),
    reference ? number(reference.nanosecondsPerUnit / cost) : '–',
    limit ? number(limit.nanosecondsPerUnit / cost) : '–',
  ]
}

function callRow({ name, nanosecondsPerUnit, spread }: Timing): string[] {
  const label = name === limitName ? 'JSON.stringify of the arguments' : name
  return [label, ...[nanosecondsPerUnit, ...spread].map((cost) => number(cost / 1000))]
}

function slowNote({ timings, deltaSize }: { timings: Timing[]; deltaSize: number }): string {
  if (!timings.some(({ name }) => /-core /.test(name))) return ''
  return ` (published packages: ${slowSlice(deltaSize)} characters of it, after their history is full)`
}

function rate(perSecond: number): string {
  return perSecond >= 1e6 ? `${number(perSecond / 1e6)} M` : `${number(perSecond / 1e3)} k`
}

function number(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}

function size(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`
}

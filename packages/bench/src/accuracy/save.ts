import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { curveFacts } from './curve-facts.js'
import { type Curve, curveTable } from './curves.js'
import type { Sources } from './sources.js'
import type { Table } from './tables.js'

/**
 * Saves the results for the generated pages (`npm run generate`): only tables, one per line, and
 * nothing from the runs themselves.
 */
export async function saveTables(
  folder: string,
  sources: Sources,
  tables: readonly Table[],
  flags: readonly string[],
): Promise<void> {
  await writeLines(join(folder, 'results.jsonl'), [conditions(sources, flags), ...tables])
}

export async function saveCurves(
  folder: string,
  sources: Sources,
  curves: readonly Curve[],
): Promise<void> {
  const lines = curves.map((curve) => {
    const rows = curveTable(curve)
    const { text: facts, isFlat } = curveFacts(rows)
    const usual = curve.points.find(({ isDefault }) => isDefault)?.value
    return { detector: curve.detector, option: curve.option, default: usual, facts, isFlat, rows }
  })
  await writeLines(join(folder, 'curves.jsonl'), [conditions(sources), ...lines])
}

const conditions = ({ seed, perKind, data }: Sources, flags: readonly string[] = []) => ({
  date: new Date().toISOString().slice(0, 10),
  seed,
  cases: perKind,
  command: [
    'npm run bench:accuracy --',
    ...(data.length > 0 ? ['--corpus FOLDER'] : []),
    `--seed ${seed} --cases ${perKind}`,
    ...flags.map((flag) => `--${flag}`),
  ].join(' '),
})

const writeLines = (file: string, lines: readonly unknown[]) =>
  writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))

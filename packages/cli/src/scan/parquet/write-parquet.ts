import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SchemaElement } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { type RunReport, runName, type ScanReport } from '../run-report.js'
import {
  type Column,
  type ColumnType,
  FINDING_COLUMNS,
  PART_COLUMNS,
  RUN_COLUMNS,
  type Value,
} from './columns.js'

/** Writes `runs.parquet`, `findings.parquet` and `parts.parquet` into a folder, and gives their paths. */
export async function writeParquet(folder: string, { runs }: ScanReport): Promise<string[]> {
  const rows = runs.map((run) => ({ run, id: idOf(run) }))
  const findings = rows.flatMap((row) => row.run.loops.map((loop) => ({ ...row, loop })))
  const parts = rows.flatMap(({ id, run }) => run.parts.map((part) => ({ id, part })))
  await mkdir(folder, { recursive: true })
  return Promise.all([
    writeTable(join(folder, 'runs.parquet'), RUN_COLUMNS, rows),
    writeTable(join(folder, 'findings.parquet'), FINDING_COLUMNS, findings),
    writeTable(join(folder, 'parts.parquet'), PART_COLUMNS, parts),
  ])
}

/** The same for the same run in every export. */
const idOf = (run: RunReport) =>
  createHash('sha256').update(runName(run)).digest('hex').slice(0, 24)

async function writeTable<T>(path: string, columns: readonly Column<T>[], rows: readonly T[]) {
  const buffer = parquetWriteBuffer({
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, type }): SchemaElement => ({ name, ...ELEMENTS[type] })),
    ],
    columnData: columns.map(({ name, type, pick }) => ({
      name,
      data: rows.map((row) => CELLS[type](pick(row))),
    })),
  })
  // it quotes what was said and read
  await writeFile(path, new Uint8Array(buffer), { mode: 0o600 })
  return path
}

const OPTIONAL = { repetition_type: 'OPTIONAL' } as const

const ELEMENTS: Record<ColumnType, Omit<SchemaElement, 'name'>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', ...OPTIONAL },
  number: { type: 'INT64', ...OPTIONAL },
  dollars: { type: 'DOUBLE', ...OPTIONAL },
  moment: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    ...OPTIONAL,
  },
  day: { type: 'INT32', converted_type: 'DATE', ...OPTIONAL },
  'yes-no': { type: 'BOOLEAN', ...OPTIONAL },
}

const CELLS: Record<
  ColumnType,
  (value: Value) => string | number | bigint | boolean | Date | null
> = {
  text: (value) => (typeof value === 'string' ? value : null),
  // transcripts may say anything, and a column of numbers has 64 bits
  number: (value) => (Number.isSafeInteger(value) ? BigInt(value as number) : null),
  dollars: (value) => (Number.isFinite(value) ? (value as number) : null),
  moment: (value) => (typeof value === 'number' ? new Date(value) : null),
  day: (value) => (typeof value === 'string' ? new Date(value) : null),
  'yes-no': (value) => value === true,
}

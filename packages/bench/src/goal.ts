/** Something that has to hold, and whether it does. */
export interface Goal {
  what: string
  measured: string
  wanted: string
  /** undefined: not measured in this run */
  held: boolean | undefined
}

export function atLeast(what: string, value: number, limit: number, unit = ''): Goal {
  return makeGoal(what, value, `≥ ${limit}`, unit, value >= limit)
}

export function atMost(what: string, value: number, limit: number, unit = ''): Goal {
  return makeGoal(what, value, `≤ ${limit}`, unit, value <= limit)
}

/** Rows for a table, the verdict last. */
export function goalRows(goals: readonly Goal[]): string[][] {
  const rows = goals.map(({ what, measured, wanted, held }) => [
    what,
    measured,
    wanted,
    held === undefined ? '–' : held ? 'pass' : 'FAIL',
  ])
  return [['', 'measured', 'wanted', ''], ...rows]
}

export const isMissed = (goals: readonly Goal[]) => goals.some(({ held }) => held === false)

function makeGoal(what: string, value: number, wanted: string, unit: string, held: boolean): Goal {
  const tail = unit === '' ? '' : ` ${unit}`
  if (Number.isNaN(value))
    return { what, measured: 'not measured', wanted: wanted + tail, held: undefined }
  return { what, measured: readable(value) + tail, wanted: wanted + tail, held }
}

function readable(value: number): string {
  if (Number.isInteger(value)) return String(value)
  return value.toFixed(value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0)
}

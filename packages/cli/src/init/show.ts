import type { Output } from '../host.js'
import { createPaint } from '../paint.js'
import type { Change } from './change.js'
import { type DiffLine, diffLines } from './diff.js'
import type { Plan } from './plan.js'

/** Shows what a plan would write, line by line. */
export function showPlan(out: Output, plan: Plan): void {
  const paint = createPaint(out.isColoured)
  const { agent, action, reason, changes } = plan
  const rest = action === 'install' || action === 'update' || action === 'remove' ? action : reason
  out.write(`${paint('bold', agent.title)}: ${rest}\n`)
  for (const change of changes) showChange(out, change)
}

/** Shows files that come with unloop, by their size. */
export function showFiles(out: Output, changes: readonly Change[]): void {
  for (const change of changes) {
    const kilobytes = Math.ceil((change.to?.length ?? 0) / 1024)
    out.line(`  ${kindOf(change)} ${change.path} (${kilobytes} KB)`)
  }
}

function showChange(out: Output, change: Change): void {
  const paint = createPaint(out.isColoured)
  out.line(`  ${kindOf(change)} ${change.path}`)
  for (const { mark, text } of linesOf(change)) {
    const line = `    ${mark} ${text}`.trimEnd()
    if (mark === '+') out.write(`${paint('green', line)}\n`)
    else if (mark === '-') out.write(`${paint('red', line)}\n`)
    else out.write(`${paint('dim', line)}\n`)
  }
}

/** The plan as JSON. */
export const toRecord = ({ agent, action, reason, changes }: Plan, isWritten: boolean) => ({
  agent: agent.name,
  action,
  ...(reason !== undefined && { reason }),
  written: isWritten && changes.length > 0,
  files: changes.map((change) => ({
    path: change.path,
    change: kindOf(change),
    lines: linesOf(change)
      .filter(({ mark }) => mark === '+' || mark === '-')
      .map(({ mark, text }) => mark + text),
  })),
})

const kindOf = ({ from, to }: Change) => (from ? (to ? 'edit' : 'delete') : 'create')

function linesOf({ from, to }: Change): DiffLine[] {
  return to ? diffLines(from?.toString('utf8') ?? '', to.toString('utf8')) : []
}

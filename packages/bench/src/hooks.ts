// `npm run bench:hooks`: how long `unloop hook` takes for one event of an agent, as a multiple of a Node that does nothing.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atMost, goalRows, isMissed } from './goal.js'
import { textTable } from './table.js'

const ROUNDS = 101
const BUDGET = 2
const SESSIONS = [10, 5000]
// a person says something after about 25 calls
const PROMPT_EVERY = 50

const command = fileURLToPath(import.meta.resolve('@unloop/cli/package.json')).replace(
  'package.json',
  'bin/unloop.js',
)
const bundle = command.replace('bin/unloop.js', 'dist/hook.cjs')
const home = mkdtempSync(join(tmpdir(), 'unloop-bench-hooks-'))
process.env.UNLOOP_HOME = home

const rows = [['median ms of one process', 'node -e 0', 'unloop hook', 'ratio']]
const goals = []
try {
  for (const events of SESSIONS) {
    console.error(`a session of ${events} events …`)
    fill(`of-${events}`, events)
    const { bare, hook } = measure(`of-${events}`, events)
    const ratio = hook / bare
    rows.push([`${events} events`, bare.toFixed(1), hook.toFixed(1), ratio.toFixed(2)])
    goals.push(atMost(`with ${events} events in the session`, ratio, BUDGET, '× node -e 0'))
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}
console.log(`Medians of ${ROUNDS} processes each, in turns\n`)
console.log(`${textTable(rows)}\n\n${textTable(goalRows(goals))}`)
process.exitCode = isMissed(goals) ? 1 : 0

/** The n-th event of a session: a prompt now and then, and calls with answers that differ, as in honest work. */
function eventOf(session: string, n: number): string {
  const base = { session_id: session, cwd: home }
  if (n % PROMPT_EVERY === 0) {
    return JSON.stringify({ ...base, hook_event_name: 'UserPromptSubmit', prompt: `Do part ${n}` })
  }
  const call = n >> 1
  const tool = {
    ...base,
    tool_name: 'Bash',
    tool_use_id: `call-${call}`,
    tool_input: { command: `sed -n ${call},${call + 40}p src/part-${call}.ts` },
  }
  if (n % 2 === 0) return JSON.stringify({ ...tool, hook_event_name: 'PreToolUse' })
  const lines = Array.from({ length: 12 }, (_, i) => `export const value${call * 12 + i} = ${i}`)
  const stdout = lines.join('\n')
  return JSON.stringify({ ...tool, hook_event_name: 'PostToolUse', tool_response: { stdout } })
}

/** Tells all those events in one process, so that it does not take minutes. */
function fill(session: string, events: number): void {
  const script = `
    const { hook } = await import(${JSON.stringify(bundle.replace('hook.cjs', 'hook/hook.js'))})
    let input = ''
    for await (const piece of process.stdin) input += piece
    for (const line of input.split('\\n')) hook(process, 'claude-code', line)`
  const input = Array.from({ length: events }, (_, n) => eventOf(session, n)).join('\n')
  const done = spawnSync(process.execPath, ['--input-type=module', '-e', script], { input })
  if (done.status !== 0) throw new Error(`the session could not be made: ${done.stderr}`)
}

function measure(session: string, events: number) {
  const bare: number[] = []
  const hook: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(timeOf(['-e', '0'], ''))
    hook.push(timeOf([command, 'hook', 'claude-code'], eventOf(session, events + round)))
  }
  return { bare: median(bare), hook: median(hook) }
}

function timeOf(args: string[], input: string): number {
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { input })
  if (status !== 0) throw new Error(`the process failed: ${stderr}`)
  return performance.now() - start
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

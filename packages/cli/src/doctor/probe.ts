import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOOK_LIMIT } from '../coding-agents/install.js'
import type { Host } from '../host.js'
import { MISSING } from '../init/launcher.js'
import { syntheticLoop } from './synthetic.js'

/** What came of a loop that was played to an installed command. */
export interface Probe {
  /** the call that was refused, from 1; nothing if none was */
  refusedAt: number | undefined
  /** the median of the times */
  milliseconds: number
  /** what went wrong, in words */
  problem: string | undefined
}

// the guard refuses the fourth or fifth; more would be another kind of loop
const CALLS = 8

// as shells say it
const NOT_FOUND = 127
// as long as the agents wait
const LIMIT_MS = HOOK_LIMIT * 1000

/** Plays a loop to an installed command as the agent would, with a state of its own. */
export function probe(host: Host, agent: string, command: string): Probe {
  const folder = mkdtempSync(join(tmpdir(), 'unloop-doctor-'))
  const times: number[] = []
  const run = (payload: object): string => {
    const began = performance.now()
    const done = spawnSync(command, {
      cwd: folder,
      env: { ...host.env, UNLOOP_HOME: join(folder, 'state'), [MISSING]: `${NOT_FOUND}` },
      input: JSON.stringify(payload),
      encoding: 'utf8',
      shell: true,
      timeout: LIMIT_MS,
    })
    times.push(performance.now() - began)
    const problem = problemOf(done, agent)
    if (problem !== undefined) throw new Error(problem)
    return done.stdout
  }
  const result = (rest: Partial<Probe>): Probe => ({
    refusedAt: undefined,
    problem: undefined,
    milliseconds: median(times),
    ...rest,
  })
  try {
    const loop = syntheticLoop(agent, 'doctor', folder)
    run(loop.prompt)
    for (let call = 1; call <= CALLS; call++) {
      if (isRefusal(run(loop.before(`call-${call}`)))) return result({ refusedAt: call })
      run(loop.after(`call-${call}`))
      if (loop.next) run(loop.next)
    }
    return result({ problem: `none of ${CALLS} identical failing calls was refused` })
  } catch (error) {
    return result({ problem: (error as Error).message })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function problemOf(done: ReturnType<typeof spawnSync>, agent: string): string | undefined {
  const code = (done.error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'ETIMEDOUT') return `it did not answer within ${LIMIT_MS / 1000} seconds`
  if (done.status === NOT_FOUND) return 'the command was not found'
  // one that does not read its input is judged by what it answers
  if (done.error && code !== 'EPIPE') return done.error.message
  // Copilot reads what a hook of a failed tool says if it exits with 2
  if (done.status === 0 || (done.status === 2 && agent === 'copilot')) return
  return `it exited with code ${done.status}`
}

/** Whether an answer refuses the call, in any of the dialects. */
function isRefusal(stdout: string): boolean {
  try {
    const answer = JSON.parse(stdout)
    return (
      answer.continue === false ||
      answer.cancel === true ||
      answer.review === true ||
      typeof answer.deny === 'string' ||
      [
        answer.decision,
        answer.permission,
        answer.permissionDecision,
        answer.hookSpecificOutput?.permissionDecision,
      ].some((decision) => decision === 'deny' || decision === 'ask' || decision === 'block')
    )
  } catch {
    return false
  }
}

function median(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)
}

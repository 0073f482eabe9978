import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.js'
import type { Session } from './session.js'

/**
 * A file in a session's folder that says: whatever is called next, the guard would let it run. The launcher then starts no process for
 * that call, but writes its event into the file, and the next hook that runs reads it there. Only an empty file says so, so it holds for
 * one call; whoever reads it takes it away.
 *
 * Nothing depends on it: a call that is lost here is told again by the end of its round.
 */
export const CALM = 'calm'

/** Whether no call can be refused before its round is over: the first finding about a loop is advice. */
export const isCalm = (session: Session, config: Config): boolean =>
  session.isCalm && !FIRM.some((name) => config[name] !== undefined)

// settings with which the first finding may be a refusal
const FIRM = ['ladder', 'preset', 'budget'] as const satisfies (keyof Config)[]

/** Lets the next call run without a process. */
export function letPass(folder: string): void {
  writeFileSync(join(folder, CALM), '', { mode: 0o600 })
}

/** The events of calls that ran without a process, and when they began. From now on, each call has a process again. */
export function takePassed(folder: string): { inputs: string[]; at: number } {
  const taken = join(folder, `${CALM}.${process.pid}`)
  try {
    renameSync(join(folder, CALM), taken)
    const at = Math.round(statSync(taken).mtimeMs)
    const inputs = readFileSync(taken, 'utf8').split('\n').filter(Boolean)
    rmSync(taken, { force: true })
    return { inputs, at }
  } catch {
    // most often, there is none
    return { inputs: [], at: 0 }
  }
}

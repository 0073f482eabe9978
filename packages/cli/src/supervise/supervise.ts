import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { GuardOptions } from 'unloop'
import { toAnnotation } from '../annotation.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { homeOf } from '../home-of.js'
import { type Host, toOutput } from '../host.js'
import { toJson } from '../printable.js'
import { type Cleaner, createCleaner } from '../scan/redact.js'
import { type Ending, startChild } from './child.js'
import { passThrough } from './pass-through.js'
import { problemsOf, type RunReport, toLoop, toReport } from './report.js'
import { dieOf, onSignals } from './signals.js'
import { createWatch, type Watch } from './watch.js'
import { loopLine, nextStep, stopLines, unknownLines } from './words.js'

/** How a command is to be supervised. */
export interface Supervision {
  command: readonly string[]
  guard: GuardOptions
  /** nobody looks at it */
  isOff: boolean
  /** how long a command that is stopped has to end by itself */
  graceMs: number
  /** the file for the report */
  report: string | undefined
}

/** Runs a command, passes its output on, and ends it if it is stuck. Gives the exit code. */
export async function supervise(host: Host, supervision: Supervision): Promise<ExitCode> {
  const { command } = supervision
  const err = toOutput(host.stderr, host.env)
  const clean = createCleaner(homeOf(host))
  const tell = (line: string) => err.line(`unloop: ${line}`)
  const startedAt = Date.now()
  const child = await startChild(host, command)
  if ('reason' in child) {
    tell(child.reason)
    return child.code
  }
  let isSignalled = false
  const watch = createWatch(supervision.guard, {
    onLoop: (seen) => tell(loopLine(toLoop(seen, clean))),
    onStop(seen) {
      tell(`stopping ${nameOf(command)} after line ${seen.line} of its output`)
      child.end(supervision.graceMs)
    },
    onUnknown() {
      if (watch.watched.summary.problem?.code === 'empty') return
      for (const line of unknownLines(command)) tell(line)
    },
  })
  const ignore = onSignals(host, (name) => {
    isSignalled = true
    child.signal(name)
  })
  // whatever happens to us, nobody is left behind
  host.on('exit', child.kill)
  const output = passThrough(child.stdout, host.stdout, (chunk) => {
    if (!supervision.isOff) watch.take(chunk)
  })
  const ending = await child.ended
  if (watch.watched.stop || isSignalled || 'signal' in ending) child.sweep()
  output.finish()
  await output.done
  if (!supervision.isOff) watch.end()
  // the last line may be the one that shows it
  if (watch.watched.stop) child.sweep()
  host.off('exit', child.kill)
  ignore()
  return conclude(host, supervision, watch, clean, { startedAt, ending })
}

function conclude(
  host: Host,
  { command, report: path, isOff }: Supervision,
  { watched }: Watch,
  clean: Cleaner,
  { startedAt, ending }: { startedAt: number; ending: Ending },
): ExitCode | Promise<ExitCode> {
  const err = toOutput(host.stderr, host.env)
  const unwatched = isOff
    ? 'the configuration says "mode": "off"'
    : watched.summary.problem?.message
  const facts = { command, startedAt, endedAt: Date.now(), ending, unwatched }
  const report = toReport(watched, facts, clean)
  for (const line of problemsOf(watched)) err.line(`unloop: ${line}`)
  const written = path === undefined || write(host, path, report) ? path : undefined
  if (!report.stop) return 'code' in ending ? ending.code : dieOf(host, ending.signal)
  err.line(`unloop: stopped ${nameOf(command)}: ${loopLine(report.stop)}`)
  for (const line of stopLines(report.stop, written)) err.line(line)
  if (host.env.GITHUB_ACTIONS === 'true') {
    const { detail } = report.stop
    err.write(
      `${toAnnotation('error', `${detail}\n${nextStep(report.stop)}`, { title: `unloop stopped ${nameOf(command)}` })}\n`,
    )
  }
  return EXIT.stoppedByLoop
}

const nameOf = ([file = '']: readonly string[]) => basename(file)

/** Writes the report; says so if it cannot. */
function write(host: Host, path: string, report: RunReport): boolean {
  try {
    writeFileSync(path, `${toJson(report, 2)}\n`)
    return true
  } catch (error) {
    const err = toOutput(host.stderr, host.env)
    err.line(`unloop: the report cannot be written: ${(error as Error).message}`)
    return false
  }
}

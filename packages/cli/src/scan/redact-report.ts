import { redact } from './redact.js'
import type { LoopReport, RunReport } from './run-report.js'

/** The run with secrets, addresses and home folders taken out of what is quoted; its path stays, to be found. */
export function redactRun(run: RunReport, home: string): RunReport {
  const clean = (text: string) => redact(text, home)
  return {
    ...run,
    ...(run.project !== undefined && { project: clean(run.project) }),
    loops: run.loops.map((loop) => redactLoop(loop, clean)),
  }
}

const redactLoop = (loop: LoopReport, clean: (text: string) => string): LoopReport => ({
  ...loop,
  // it names the call or the text, as the sample does
  identity: clean(loop.identity),
  detail: clean(loop.detail),
  sample: clean(loop.sample),
  evidence: loop.evidence.map(({ line, text }) => ({ line, text: clean(text) })),
})

import { type Run, readTranscript, type Summary } from '@unloop/transcripts'
import { createGuard, type Finding, type Guard } from 'unloop'

/** Reads a transcript with a guard for each run; returns what was read and what was found. */
export async function guardAll(path: string): Promise<{ summary: Summary; findings: Finding[] }> {
  const transcript = readTranscript(path)
  const guards = new WeakMap<Run, Guard>()
  const findings: Finding[] = []
  let last: Run | undefined
  let guard = createGuard()
  for await (const items of transcript) {
    for (const { event, run } of items) {
      if (run !== last) {
        guard = guards.get(run) ?? createGuard()
        guards.set(run, guard)
        last = run
      }
      const finding = guard.observe(event)
      if (finding) findings.push(finding)
    }
  }
  return { summary: transcript.summary, findings }
}

import type { RunReport, ScanReport } from '../src/scan/run-report.js'
import { madeUpReport } from './made-up-report.js'

export const MARKUP = `"><img src=x id=pwned onerror="window.pwned=1">`

const TEXTS = [
  `</script><script>window.pwned=1</script><!-- ${MARKUP}`,
  '\u202egnp.exe\u2066',
  `${'very-long-'.repeat(400)}javascript:pwned()`,
]
const NAMES = ['__proto__', 'constructor', MARKUP]

/** Three runs whose every text is an attack, or longer than a screen. */
export function hostileReport(): ScanReport {
  const report = madeUpReport(412, 66)
  const stuck = report.runs.filter(({ loops }) => loops.length > 0)
  const runs = TEXTS.map((text, index) =>
    poison(stuck[index] as RunReport, text, NAMES[index] ?? ''),
  )
  return {
    ...report,
    prices: { date: MARKUP, source: TEXTS[0] ?? '' },
    runs,
    files: TEXTS.map((path) => ({
      path,
      records: 1,
      used: 0,
      skipped: 0,
      bad: 1,
      badRecords: [{ line: 1, reason: path }],
      events: 0,
      runs: 0,
      problem: { code: 'unreadable', message: `${path} ${MARKUP}` },
    })),
  }
}

function poison(run: RunReport, text: string, name: string): RunReport {
  return {
    ...run,
    path: text,
    program: text,
    project: `${text} ${MARKUP}`,
    session: text,
    model: name,
    status: text,
    parts: [...run.parts.slice(1), ...run.parts.slice(-1)].map((part) => ({
      ...part,
      tool: name,
      model: name,
    })),
    faults: [{ part: text, message: text }],
    skipped: 3,
    loops: run.loops.map((loop) => ({
      ...loop,
      detector: name,
      kind: text,
      detail: `${text} ${MARKUP}`,
      sample: text,
      tool: text,
      agent: text,
      advice: text,
      steps: [{ kind: 'hook', text, command: text }],
      evidence: loop.evidence.map((one) => ({
        ...one,
        file: text,
        tool: text,
        text: `${text} ${one.line}`,
      })),
    })),
  }
}

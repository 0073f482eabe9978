import { detectors } from 'unloop'
import { toJson } from '../../printable.js'
import { ADVICE, troubleLines } from '../../troubles.js'
import { STATES } from '../../words.js'
import { showSpent } from '../amounts.js'
import { isNoTranscript, whyNotAll } from '../problem.js'
import type { FileReport, LoopReport, RunReport, ScanReport } from '../run-report.js'

/** SARIF 2.1.0, which code hosts show beside the lines: a rule a detector, a result a loop. */
export function toSarif({ runs, files, interrupted }: ScanReport): string {
  const used = new Set(runs.flatMap(({ loops }) => loops.map(({ detector }) => detector)))
  const rules = detectors
    .filter(({ name }) => used.has(name))
    .map(({ name, finds, advice }) => ({
      id: name,
      shortDescription: { text: finds },
      help: { text: advice },
    }))
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'unloop', rules } },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: !interrupted,
            toolExecutionNotifications: [
              ...files.flatMap(toFileNotifications),
              ...runs.flatMap(toNotifications),
            ],
          },
        ],
        results: runs.flatMap((run) => run.loops.map((loop) => toResult(run, loop))),
      },
    ],
  }
  return `${toJson(log, 2)}\n`
}

/** What could not be read, so that loops may be missing. */
function toFileNotifications(file: FileReport) {
  const why = whyNotAll(file)
  if (why === undefined || isNoTranscript(file)) return []
  return [
    {
      descriptor: { id: file.problem?.code ?? 'bad-records' },
      level: file.problem ? 'error' : 'warning',
      message: { text: why },
      locations: [{ physicalLocation: { artifactLocation: artifact(file.path) } }],
    },
  ]
}

/** What went wrong in the guard, beside what it found. */
const toNotifications = (run: RunReport) =>
  troubleLines(run).map((text) => ({
    level: 'error',
    message: { text: `${text}. ${ADVICE}` },
    locations: [{ physicalLocation: { artifactLocation: artifact(run.path) } }],
  }))

function toResult(run: RunReport, loop: LoopReport) {
  return {
    ruleId: loop.detector,
    level: levelOf(loop),
    message: { text: `${STATES[loop.certainty]}: ${loop.detail} (${showSpent(loop.wasted)})` },
    locations: [toLocation(run, loop.evident)],
    relatedLocations: [{ ...toLocation(run, loop.began), message: { text: 'it began here' } }],
    codeFlows: [
      {
        threadFlows: [
          {
            locations: loop.evidence.map((one) => ({
              location: { ...toLocation(run, one), message: { text: one.text } },
            })),
          },
        ],
      },
    ],
    properties: { certainty: loop.certainty },
    ...(loop.fingerprint !== undefined && {
      partialFingerprints: { 'unloop/v2': loop.fingerprint },
    }),
    ...(loop.known && {
      suppressions: [{ kind: 'external', justification: 'in the baseline' }],
    }),
  }
}

/** A note is shown and breaks no build. */
function levelOf({ certainty, stopped }: LoopReport): 'note' | 'warning' | 'error' {
  if (certainty === 'likely') return 'note'
  return stopped ? 'error' : 'warning'
}

const toLocation = ({ path, unit }: RunReport, { line, file = path }: Where) => ({
  physicalLocation: {
    artifactLocation: artifact(file),
    ...(unit === 'line' && { region: { startLine: Math.max(1, line) } }),
  },
})

/** An address for a path of this machine or, in a merged report, of another. */
function artifact(path: string) {
  const parts = path.split(/^[A-Za-z]:\\|^\\\\/.test(path) ? /[\\/]/ : '/')
  const [first = '', ...rest] = parts.map(encodeURIComponent)
  const root = /^[A-Za-z]%3A$/.test(first) ? `/${first.replace('%3A', ':')}` : first
  return { uri: `file://${[root, ...rest].join('/')}` }
}

interface Where {
  line: number
  file?: string
}

import {
  type AgentEvent,
  createGuard,
  type Detector,
  type DetectorReport,
  defaultDetectors,
} from 'unloop'
import type { Move } from './moves.js'

/**
 * The moves that change what their detector reports in a run; with any other, a guard behaves as with its
 * defaults. One guard watches with all variants at once, each of them silent, so that shared work is done
 * once: moving thirty options costs as much as a few runs, not a hundred and sixty.
 */
export function touchingMoves(events: readonly AgentEvent[], moves: readonly Move[]): Move[] {
  const seen = new Set(events.map(({ type }) => type))
  const usual = defaultDetectors().filter(({ on }) =>
    SUBJECTS.some((type) => on.includes(type) && seen.has(type)),
  )
  const listeners = usual.map((detector) => listen(detector, detector.name))
  const variants = moves.flatMap((move) => {
    const detector = usual.find(({ name }) => name === move.detector)
    if (!detector) return []
    const options = { ...detector.options, [move.option]: move.value }
    const name = `${move.detector}.${move.option} = ${move.value}`
    return [{ move, ...listen({ ...detector, options }, name) }]
  })
  const guard = createGuard({
    detectors: [...listeners, ...variants].map(({ silent }) => silent),
    onFault: ({ part, error }) => console.error(`${part} failed`, error),
  })
  for (const event of events) guard.observe(event)
  return variants
    .filter(({ move, heard }) => {
      const before = listeners.find(({ name }) => name === move.detector)
      return heard.join('\n') !== before?.heard.join('\n')
    })
    .map(({ move }) => move)
}

// without any thought, text, call or handoff, a detector has nothing to find
const SUBJECTS = ['reasoning', 'text', 'tool-call', 'handoff'] as const

/** A detector that records its reports instead of reporting them. */
function listen(detector: Detector, name: string) {
  const heard: string[] = []
  const silent: Detector = {
    ...detector,
    name,
    observe(state, event, context) {
      const report = detector.observe(state, event, context)
      if (report) heard.push(`${context.number} ${keyOf(report)}`)
      return undefined
    },
  }
  return { name, heard, silent }
}

/** What matters for a finding; the words do not. */
const keyOf = ({ identity, firstEvent, plane, keys, ...rest }: DetectorReport) =>
  JSON.stringify([identity, firstEvent, plane, keys, 'certainty' in rest ? rest.certainty : ''])

import { type AgentEvent, createGuard, defaultDetectors } from 'unloop'
import type { SourceRun } from './sources.js'
import type { Table } from './tables.js'

/** Where each default detector has something to say: the sources and families of loops it reports by itself. */
export function coverageOf(
  runs: Iterable<Pick<SourceRun, 'family' | 'loop' | 'events'>>,
): Map<string, Set<string>> {
  const places = new Map(defaultDetectors().map(({ name }) => [name, new Set<string>()]))
  for (const { family, loop, events } of runs) {
    if (!loop) continue
    for (const name of reporters(events)) places.get(name)?.add(family)
  }
  return places
}

/** One generator may not be the only test of the detector it was written for. */
export function coverageTable(runs: Iterable<SourceRun>): Table {
  const rows = [...coverageOf(runs)].map(([detector, places]) => [
    detector,
    `${places.size}`,
    [...places].sort().join(', '),
  ])
  return {
    title: 'Where each detector sees loops by itself, whoever is first to tell',
    rows: [['detector', 'places', 'sources, domains and families'], ...rows],
  }
}

function reporters(events: readonly AgentEvent[]): Set<string> {
  const heard = new Set<string>()
  const guard = createGuard({
    detectors: defaultDetectors().map((detector) => ({
      ...detector,
      observe(state, event, context) {
        if (detector.observe(state, event, context)) heard.add(detector.name)
        return undefined
      },
    })),
  })
  for (const event of events) guard.observe(event)
  return heard
}

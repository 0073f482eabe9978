import type { AgentEvent } from 'unloop'
import { textFamilies } from '../cases/families.js'
import { generateCases } from '../cases/generate.js'
import { cutEvenly } from '../cut.js'
import type { Files } from './corpus.js'
import { inventedRuns } from './invented-runs.js'
import type { KnownRun } from './judge-run.js'
import { readLines } from './lines.js'
import { readSessions } from './sessions.js'

/** What is measured together. */
export const sections = {
  labelled: 'labeled runs',
  successful: 'successful runs',
  native: 'native sessions',
  sessions: 'raw sessions',
  other: 'unlabeled runs',
  ordinary: 'ordinary texts',
  degenerate: 'degenerate outputs',
  invented: 'invented runs',
  calls: 'generated runs',
  texts: 'generated texts',
} as const

export type Section = keyof typeof sections

/**
 * Recorded sources in which one agent directs others: its instruction is a call named after the agent that it
 * addresses, and that agent's answer is the result. Their loops are requests asked again in new words.
 */
export const orchestratorSources: ReadonlySet<string> = new Set(['mast-magentic', 'who-when'])

/** A run and the sections it counts in. */
export interface SourceRun extends KnownRun {
  sections: Section[]
}

export interface Sources extends Files {
  seed: number
  /** generated cases of each kind */
  perKind: number
}

export async function* readSources(sources: Sources): AsyncGenerator<SourceRun> {
  yield* generatedRuns(sources)
  // each seed words a scenario differently; three show whether the words matter
  yield* inventedRuns(sources.seed, Math.min(3, sources.perKind))
  const labels = await readLabels(sources.labels)
  for (const file of sources.data) {
    for await (const line of readLines(file)) yield recordedRun(line, labels.get(String(line.id)))
  }
  for (const file of sources.native) {
    for await (const { id, source, events } of readLines(file))
      yield unlabelledRun(String(id), String(source), events as AgentEvent[], 'native')
  }
  for (const place of sources.sessions) {
    for await (const { id, source, events } of readSessions(place))
      yield unlabelledRun(id, source, events, 'sessions')
  }
  for (const file of sources.texts) {
    for await (const line of readLines(file)) yield textRun(line, false)
  }
  for (const file of sources.degenerate) {
    for await (const line of readLines(file)) yield textRun(line, true)
  }
}

function* generatedRuns({ seed, perKind }: Sources): Generator<SourceRun> {
  for (const run of generateCases(seed, perKind)) {
    const isText = textFamilies.has(run.family)
    yield { ...run, isText, sections: [isText ? 'texts' : 'calls'] }
  }
}

interface Label {
  loop: boolean
  kind: string
  unsure: boolean
  evidentAt?: number
  stopWanted?: boolean
}

async function readLabels(file: string | undefined): Promise<Map<string, Label>> {
  const labels = new Map<string, Label>()
  if (file === undefined) return labels
  for await (const { id, loop, kind, evident_at: evidentAt, unsure, stop } of readLines(file)) {
    labels.set(String(id), {
      loop: loop === true,
      kind: String(kind),
      unsure: unsure === true,
      ...(typeof evidentAt === 'number' ? { evidentAt } : {}),
      ...(typeof stop === 'boolean' ? { stopWanted: stop } : {}),
    })
  }
  return labels
}

function recordedRun(line: Record<string, unknown>, label: Label | undefined): SourceRun {
  const belongs: Section[] = []
  if (label && !label.unsure) belongs.push('labelled')
  if (isSuccess(line.outcome) && !label?.loop) belongs.push('successful')
  if (belongs.length === 0) belongs.push('other')
  return {
    id: String(line.id),
    kind: label?.kind ?? String(line.source),
    family: String(line.source),
    loop: label?.loop === true && !label.unsure,
    ...(label?.evidentAt === undefined ? {} : { evidentAt: label.evidentAt }),
    ...(label?.stopWanted === undefined ? {} : { stopWanted: label.stopWanted }),
    events: line.events as AgentEvent[],
    sections: belongs,
  }
}

function unlabelledRun(
  id: string,
  source: string,
  events: readonly AgentEvent[],
  section: Section,
): SourceRun {
  return { id, kind: source, family: source, loop: false, events, sections: [section] }
}

const isSuccess = (outcome: unknown) =>
  outcome === true ||
  outcome === 1 ||
  /^(success|resolved|solved|pass(ed)?)$/i.test(String(outcome))

/** A text as a model would stream it: about twenty characters per delta. */
function textRun(line: Record<string, unknown>, loop: boolean): SourceRun {
  const kind = String(line.category ?? line.grade ?? 'text')
  return {
    id: String(line.id),
    kind,
    family: String(line.source ?? line.model ?? 'text'),
    loop,
    isText: true,
    events: [
      { type: 'prompt' },
      { type: 'turn-start' },
      ...cutEvenly(String(line.text), 20).map((text): AgentEvent => ({ type: 'text', text })),
      { type: 'turn-end' },
    ],
    sections: [loop ? 'degenerate' : 'ordinary'],
  }
}

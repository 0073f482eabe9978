import type { AgentEvent } from 'unloop'
import { textFamilies } from '../cases/families.js'
import { generateCases } from '../cases/generate.js'
import { cutEvenly } from '../cut.js'
import type { KnownRun } from './judge-run.js'
import { readLines } from './lines.js'

/** What is measured together. */
export const sections = {
  calls: 'generated runs',
  texts: 'generated texts',
  labelled: 'labelled runs',
  successful: 'successful runs',
  other: 'unlabelled runs',
  ordinary: 'ordinary texts',
  degenerate: 'degenerate outputs',
} as const

export type Section = keyof typeof sections

/** A run and the sections it counts in. */
export interface SourceRun extends KnownRun {
  sections: Section[]
}

export interface Sources {
  seed: number
  perKind: number
  data: readonly string[]
  labels?: string | undefined
  texts: readonly string[]
  degenerate: readonly string[]
}

export async function* readSources(sources: Sources): AsyncGenerator<SourceRun> {
  for (const run of generateCases(sources.seed, sources.perKind)) {
    const isText = textFamilies.has(run.family)
    yield { ...run, isText, sections: [isText ? 'texts' : 'calls'] }
  }
  const labels = await readLabels(sources.labels)
  for (const file of sources.data) {
    for await (const line of readLines(file)) yield recordedRun(line, labels.get(String(line.id)))
  }
  for (const file of sources.texts) {
    for await (const line of readLines(file)) yield textRun(line, false)
  }
  for (const file of sources.degenerate) {
    for await (const line of readLines(file)) yield textRun(line, true)
  }
}

interface Label {
  loop: boolean
  kind: string
  unsure: boolean
  evidentAt?: number
}

async function readLabels(file: string | undefined): Promise<Map<string, Label>> {
  const labels = new Map<string, Label>()
  if (file === undefined) return labels
  for await (const { id, loop, kind, evident_at: evidentAt, unsure } of readLines(file)) {
    labels.set(String(id), {
      loop: loop === true,
      kind: String(kind),
      unsure: unsure === true,
      ...(typeof evidentAt === 'number' ? { evidentAt } : {}),
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
    events: line.events as AgentEvent[],
    sections: belongs,
  }
}

const isSuccess = (outcome: unknown) =>
  outcome === true ||
  outcome === 1 ||
  /^(success|resolved|solved|pass(ed)?)$/i.test(String(outcome))

/** A text as a model would stream it: some twenty characters a delta. */
function textRun(line: Record<string, unknown>, loop: boolean): SourceRun {
  const kind = String(line.category ?? line.grade ?? 'text')
  return {
    id: String(line.id),
    kind,
    family: String(line.source ?? line.model ?? 'text'),
    loop,
    events: [
      { type: 'prompt' },
      { type: 'turn-start' },
      ...cutEvenly(String(line.text), 20).map((text): AgentEvent => ({ type: 'text', text })),
      { type: 'turn-end' },
    ],
    sections: [loop ? 'degenerate' : 'ordinary'],
  }
}

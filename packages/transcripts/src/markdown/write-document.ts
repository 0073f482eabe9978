import { plural } from 'unloop/words'
import { programTitle } from '../program-title.js'
import type { Problem, Run } from '../transcript.js'
import type { Clean } from './entry.js'
import type { Extract } from './extract.js'
import { code, fence } from './safe.js'

/** A loop, which is pointed out where it stands. */
export interface Mark {
  /** lines of the source, as in `TranscriptItem` */
  firstLine: number
  lastLine: number
  /** what is said about it */
  note?: string
}

/** Where an entry stands, in the source and in the document. */
export interface Place {
  sourceLine: number
  line: number
}

export interface DocumentFacts {
  path: string | undefined
  marks: readonly Mark[]
  problem: Problem | undefined
  clean: Clean
}

/** Writes the head, the entries and the notes about loops; remembers where each entry stands. */
export function writeDocument(extracted: Extract, facts: DocumentFacts) {
  const { entries, before, after } = extracted
  const parts: string[] = []
  const places: Place[] = []
  let line = 1
  const add = (text: string) => {
    parts.push(text)
    // an empty line stands behind it
    line += text.split('\n').length + 1
  }
  const toStart = [...facts.marks].sort((a, b) => a.firstLine - b.firstLine)
  const toEnd: Mark[] = []
  let run = entries[0]?.run

  add(headOf(extracted, facts))
  if (before > 0) add(`*${plural(before, 'earlier event')} left out.*`)
  for (const entry of entries) {
    while (toEnd[0] && toEnd[0].lastLine < entry.line) add(endOf(toEnd.shift() as Mark))
    if (entry.run !== run) add(sessionOf(entry.run))
    run = entry.run
    while (toStart[0] && toStart[0].firstLine <= entry.line) {
      const mark = toStart.shift() as Mark
      if (mark.lastLine < entry.line) continue
      add(startOf(mark, facts.clean))
      toEnd.push(mark)
      toEnd.sort((a, b) => a.lastLine - b.lastLine)
    }
    places.push({ sourceLine: entry.line, line })
    add(entry.text)
  }
  if (after === 0) for (const mark of toEnd) add(endOf(mark))
  if (after > 0) add(`*${plural(after, 'later event')} left out.*`)
  return { text: `${parts.join('\n\n')}\n`, places }
}

function headOf(extracted: Extract, { path, marks, problem }: DocumentFacts): string {
  const { entries, startedAt, endedAt } = extracted
  const run = entries[0]?.run
  const times = [startedAt, endedAt].filter((at) => at !== undefined).map(dateOf)
  const rows = [
    ...(run ? factsOf(run) : []),
    ...(times.length > 0 ? [`Time: ${[...new Set(times)].join(' to ')} (UTC)`] : []),
    ...(path === undefined ? [] : [`Source: ${code(path)}`]),
    ...(marks.length > 0 ? [`Loops: ${marks.map(linesOf).join('; ')}`] : []),
  ]
  return [
    `# ${run ? `Session of ${nameOf(run)}` : 'Nothing to show'}`,
    ...(rows.length > 0 ? ['', ...rows.map((row) => `- ${row}`)] : []),
    ...(problem
      ? ['', 'Not everything could be read:', '', ...fence(problem.message, 'text')]
      : []),
  ].join('\n')
}

const sessionOf = (run: Run): string =>
  [`## Session of ${nameOf(run)}`, '', ...factsOf(run).map((row) => `- ${row}`)]
    .join('\n')
    .trimEnd()

const factsOf = ({ session, model, project }: Run): string[] => [
  ...(session === undefined ? [] : [`Session: ${code(session)}`]),
  ...(model === undefined ? [] : [`Model: ${code(model)}`]),
  ...(project === undefined ? [] : [`Project: ${code(project)}`]),
]

/** The name of a known program is ours; others call themselves what they like. */
function nameOf(run: Run): string {
  const title = programTitle(run)
  return title === (run.program ?? run.format) ? code(title) : title
}

const startOf = (mark: Mark, clean: Clean): string =>
  [
    `## Loop: ${linesOf(mark)}`,
    ...(mark.note === undefined ? [] : ['', ...fence(clean(mark.note), 'text')]),
  ].join('\n')

const endOf = (mark: Mark): string => `## End of the loop: ${linesOf(mark)}`

const linesOf = ({ firstLine, lastLine }: Mark): string =>
  firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine} to ${lastLine}`

/** `2026-11-18 08:12:09` */
const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

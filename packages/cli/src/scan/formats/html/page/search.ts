import { STATES } from '../../../../words.js'
import type { PageRun } from '../page-data.js'

/** Finds runs by words, all of which must occur. */
export function createSearch(
  runs: readonly PageRun[],
): (text: string) => (run: PageRun) => boolean {
  // most people never search
  let texts: Map<PageRun, string> | undefined
  return (text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    if (words.length === 0) return () => true
    texts ??= new Map(runs.map((run) => [run, textOf(run)]))
    const known = texts
    return (run) => words.every((word) => known.get(run)?.includes(word))
  }
}

function textOf({ program, format, project, session, model, path, parts, loops }: PageRun): string {
  const names = parts.flatMap((part) => [part.model, part.tool])
  const said = loops.flatMap(({ certainty, detector, detail, sample, tool }) => [
    STATES[certainty],
    detector,
    detail,
    sample,
    tool,
  ])
  return [...new Set([program, format, project, session, model, path, ...names, ...said])]
    .join('\n')
    .toLowerCase()
}

import type { Finding } from 'unloop'
import { callsWith, hasFound, isReport, requestsOf, showResult } from 'unloop/wire'
import type { Lane } from './lane.js'
import { withPictures } from './pictures.js'
import type { ModelRequest } from './read-request.js'

/** How a request goes on from its lane. */
export type Way =
  /** after the last answer */
  | 'on'
  /** nothing was known of it */
  | 'new'
  /** it is the last request once more */
  | 'again'
  /** the history was shortened meanwhile */
  | 'compacted'

/** Shows a lane what a request says; true if the person said something new. */
export function showRequest(lane: Lane, request: ModelRequest, way: Way): boolean {
  const { run, guard } = lane
  if (way === 'compacted') run.decide({ type: 'compaction' })
  if (way === 'again' && !lane.isRefused) {
    run.decide({ type: 'retry' })
    lane.since = lane.sinceBefore
  }
  const calls = callsWith(
    run,
    request.results.map(({ id }) => id),
  )
  for (const [at, { id, part }] of request.results.entries()) {
    const call = calls[at]
    // what this lane has not called is the past of another
    if (!call || call.answer) continue
    const given = 'output' in part ? part.output : part.content
    const output = withPictures(given, request.pictures.get(id))
    showResult(run, { type: 'tool-result', id, output, isError: part.is_error === true }, call)
  }
  const prompt = promptOf(lane, request, way)
  if (prompt === undefined) return false
  const { events } = guard
  const requests = requestsOf(run)
  run.decide({ type: 'prompt', text: prompt, model: request.model })
  const isRequest = requestsOf(run) > requests
  if (isRequest) lane.since = events
  else {
    const fresh = freshFindings(lane).filter(({ lastEvent }) => lastEvent < events)
    if (fresh.every(isReport)) lane.since = events
  }
  lane.isRefused &&= !isRequest
  return isRequest
}

/** The findings that the model has not been told of. */
export const freshFindings = ({ guard, since }: Lane): Finding[] =>
  guard.findings.filter(({ lastEvent }) => lastEvent >= since)

/** What the person newly asks for. */
function promptOf(lane: Lane, request: ModelRequest, way: Way): string | undefined {
  const { said, interjection } = request
  // whether a program will repeat them shows later
  const { prompt = hasFound(lane.run) ? interjection : undefined } = request
  // words of a person in a request that was refused stay in the history, beside the answers of tools
  if (lane.isRefused) return said !== '' && said !== lane.said ? said : undefined
  if (way === 'again') return
  // a summary has the person's role, but is none of their words
  return way === 'compacted' && lane.hasCalls ? undefined : prompt
}

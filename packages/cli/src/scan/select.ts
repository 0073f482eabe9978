import { stat } from 'node:fs/promises'
import { detectFormat, findTranscripts, listFolder, transcriptLocations } from '@unloop/transcripts'
import { UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import { suggestion } from '../nearest.js'

/** A transcript to be scanned. */
export interface Selected {
  path: string
  /** the program in whose place it was found */
  program?: string
  bytes: number
  modifiedAt: number
}

export interface SelectOptions {
  since?: number
  agents?: readonly string[]
  /** Called for what cannot be read. */
  onProblem(problem: { path: string; message: string }): void
  /** Called for a folder in which all are older than `since`; without a path, for this machine. */
  onOld?(count: number, path?: string): void
}

/** The transcripts that were asked for, newest first: those in the paths, or all there are on this machine. */
export async function selectTranscripts(
  host: Host,
  paths: readonly string[],
  { since = 0, agents, onProblem, onOld }: SelectOptions,
): Promise<Selected[]> {
  const options = {
    env: host.env,
    platform: host.platform,
    ...(host.env.HOME !== undefined && { home: host.env.HOME }),
    ...(agents && { programs: agents }),
    onProblem,
  }
  const selected = new Map<string, Selected>()
  const add = ({ path, program, bytes, modifiedAt }: Selected) =>
    selected.set(path, { path, ...(program && { program }), bytes, modifiedAt })
  /** Takes what is new enough; gives the number of all. */
  async function addNew(found: AsyncIterable<Selected>, path?: string): Promise<number> {
    let count = 0
    let old = 0
    for await (const one of found) {
      count++
      if (one.modifiedAt < since) old++
      else add(one)
    }
    if (count > 0 && old === count) onOld?.(old, path)
    return count
  }
  if (paths.length === 0) await addNew(findTranscripts(options))
  for (const path of paths) {
    const about = await stat(path).catch((error: NodeJS.ErrnoException) => {
      onProblem({
        path,
        message: error.code === 'ENOENT' ? 'no such file' : error.message,
      })
    })
    if (!about) continue
    if (about.isDirectory() && !(await isTranscript(path))) {
      const count = await addNew(listFolder(path, options), path)
      if (count === 0) onProblem({ path, message: 'no transcripts in it' })
    } else add({ path, bytes: about.size, modifiedAt: about.mtimeMs })
  }
  return [...selected.values()].sort((a, b) => b.modifiedAt - a.modifiedAt)
}

/** Refuses the name of an agent that records nothing in any place we know, and is none of the others. */
export function checkAgents(
  { env, platform }: Host,
  agents: readonly string[],
  others: Iterable<string> = [],
): void {
  const locations = transcriptLocations(env, platform, env.HOME ?? '')
  const known = [...new Set([...locations.map(({ program }) => program), ...others])]
  const unknown = agents.find((agent) => !known.includes(agent))
  if (unknown === undefined) return
  throw new UsageError(
    `--agent does not know ${unknown}${suggestion(unknown, known)} (known: ${known.join(', ')})`,
  )
}

const isTranscript = async (folder: string) => (await detectFormat(folder)).format !== undefined

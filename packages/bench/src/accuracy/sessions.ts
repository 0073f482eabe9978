import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { type Run, readTranscript } from '@unloop/transcripts'
import type { AgentEvent } from 'unloop'

/** One run of a recorded session, as the program wrote it. */
export interface Session {
  id: string
  /** the program that recorded it */
  source: string
  events: AgentEvent[]
}

/** The runs of all transcripts in a folder or in a `.tar.gz` of one. */
export async function* readSessions(place: string): AsyncGenerator<Session> {
  if ((await stat(place)).isDirectory()) return yield* readFolder(place)
  const folder = await mkdtemp(join(tmpdir(), 'loopbench-sessions-'))
  try {
    await promisify(execFile)('tar', ['-xzf', place, '-C', folder])
    yield* readFolder(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function* readFolder(folder: string): AsyncGenerator<Session> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  for (const path of paths.sort()) {
    const runs = new Map<Run, AgentEvent[]>()
    for await (const items of readTranscript(path)) {
      for (const { run, event } of items) {
        const events = runs.get(run) ?? []
        runs.set(run, events)
        events.push(event)
      }
    }
    for (const [number, [run, events]] of [...runs].entries()) {
      const id = `${relative(folder, path)}${number > 0 ? `#${number}` : ''}`
      yield { id, source: run.program ?? run.format, events }
    }
  }
}

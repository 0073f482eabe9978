import { brief } from '../brief.js'
import { formats } from '../formats.js'
import { programTitle } from '../program-title.js'
import type { Run, TranscriptItem } from '../transcript.js'

/** A session that is watched. */
export interface Watched {
  path: string
  /** name of the program, such as `claude-code` */
  program: string
  /** the program as people write its name */
  title: string
  session: string | undefined
  project: string | undefined
  /** when the watching of it started, in milliseconds since the epoch */
  since: number
  /** when it was last written to */
  lastAt: number
  /** how many events it has */
  events: number
}

/** How far a run was told: how many events, and the time of the latest. */
export interface Told {
  events: number
  lastAt: number
}

/** The sessions of one transcript. */
export interface Sessions {
  /** Takes the next event of a run; gives how far the run was told before. */
  add(item: TranscriptItem): Told
  /** Those that were not silent since a time. */
  list(modifiedAt: number, silentSince: number): Watched[]
  /** how far each run was told, by name, so that the transcript can be let go and read again */
  told: ReadonlyMap<string, Told>
}

interface Session {
  /** a copy, for a run is forgotten when it is silent, and what others keep for it as well */
  run: Run
  since: number
  events: number
}

export function createSessions(path: string, before: ReadonlyMap<string, Told>): Sessions {
  const sessions = new Map<string, Session>()
  const names = new WeakMap<Run, string>()
  const told = new Map(before)

  function nameOf({ run, line }: TranscriptItem): string {
    // without a name of its own it is known by where it begins
    const name = names.get(run) ?? brief(`${run.session ?? `line ${line}`} ${run.agent ?? ''}`)
    names.set(run, name)
    return name
  }

  return {
    add(item) {
      const { run, event, number } = item
      const name = nameOf(item)
      const since = sessions.get(name)?.since ?? Date.now()
      sessions.set(name, { run: { ...run }, since, events: number + 1 })
      const before = told.get(name) ?? { events: 0, lastAt: 0 }
      told.set(name, {
        events: Math.max(before.events, number + 1),
        lastAt: Math.max(before.lastAt, event.at ?? 0),
      })
      return before
    },
    list: (modifiedAt, silentSince) =>
      [...sessions]
        .map(([name, { run, since, events }]) => ({
          ...{ path, program: run.program ?? run.format, title: programTitle(run) },
          ...{ session: run.session, project: run.project, since, events },
          // a database is written to for any of its sessions
          lastAt: (isInDatabase(run) && told.get(name)?.lastAt) || modifiedAt,
        }))
        .filter((session) => session.lastAt >= silentSince),
    told,
  }
}

/** Whether a run is one of many that one file keeps. */
export const isInDatabase = ({ format }: Run): boolean =>
  formats.find(({ name }) => name === format)?.container === 'database'

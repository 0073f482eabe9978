import { isAbsolute, join } from 'node:path'

/** For every project of the person, or for everybody who works in one project. */
export type Scope = 'user' | 'project'

/** What decides where files of an agent are. */
export interface Place {
  /** the person's home folder */
  home: string
  /** the folder of the project */
  project: string
  env: NodeJS.ProcessEnv
}

/** One file that a hook is installed in. */
export type InstalledFile =
  /** entries in lists of a JSON file that others write to as well */
  | {
      type: 'entries'
      path: string
      /** the entry for each event, in the list `hooks.EVENT` */
      events: Record<string, object>
      /** what else the file must say */
      top?: Record<string, unknown>
    }
  /** a file of our own */
  | { type: 'script'; path: string; content: string }
  /** a file of our own, from the templates of this package, with the command filled in */
  | { type: 'template'; path: string; template: string; command: string }

/** How the hook of an agent is installed. */
export interface Install {
  /** the folder that is there if the agent was used here */
  home(place: Place): string
  /** the command for calls that are announced may be another one */
  files(scope: Scope, place: Place, command: string, beforeCall?: string): InstalledFile[]
  /** what the person has to do before the hook works */
  next?: string
  /** calls have no ids: with two hooks, each call would count twice */
  isOnce?: true
}

/**
 * How long an agent waits for a hook, in seconds. It takes a tenth of one, and on a machine that is very busy one or two; an agent waits
 * as long for each event if the hook hangs, and then continues without it.
 */
export const HOOK_LIMIT = 5

/** The folder that a variable names, or the usual one in the home folder. */
export const folderFrom = (place: Place, name: string, usual: string): string => {
  const named = place.env[name]
  return named && isAbsolute(named) ? named : join(place.home, usual)
}

/** The same entry for each of these events. */
export const forEach = (events: readonly string[], entry: object): Record<string, object> =>
  Object.fromEntries(events.map((event) => [event, entry]))

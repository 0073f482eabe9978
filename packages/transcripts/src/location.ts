import { posix, win32 } from 'node:path'

/** Where a program keeps its transcripts. */
export interface TranscriptLocation {
  program: string
  /** a folder to search, or a file */
  path: string
  /** which files in it are transcripts, by their path within it, with `/` on every system */
  files: RegExp
  /** how many folders deep they are at most */
  depth: number
  /** the transcript is the folder that holds such a file */
  isFolder?: true
  /** the path is that of a file that lists transcripts; gives their paths, of the content of the file */
  listed?(content: string): string[]
}

/** A location as a format declares it; the program is the format's name unless it says otherwise. */
export type FormatLocation = Omit<TranscriptLocation, 'program'> & { program?: string }

export type Environment = Readonly<Record<string, string | undefined>>

/** What a format needs to know about a machine to say where its program keeps transcripts. */
export interface Machine {
  env: Environment
  platform: string
  home: string
  /** joins parts of a path the way this platform does */
  join(...parts: string[]): string
  /** `~/.local/share`, or where XDG says */
  data: string
  /** `~/.config`, or where XDG says */
  config: string
  /** `%APPDATA%` on Windows */
  roaming: string
}

export function toMachine(env: Environment, platform: string, home: string): Machine {
  const { join } = platform === 'win32' ? win32 : posix
  return {
    ...{ env, platform, home, join },
    data: env.XDG_DATA_HOME || join(home, '.local', 'share'),
    config: env.XDG_CONFIG_HOME || join(home, '.config'),
    roaming: env.APPDATA || join(home, 'AppData', 'Roaming'),
  }
}

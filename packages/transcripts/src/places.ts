import { posix, win32 } from 'node:path'

/** Where a program keeps its transcripts. */
export interface Place {
  program: string
  /** a folder to look through, or a file */
  path: string
  /** which files in it are transcripts, by their path within it, with `/` on every system */
  files: RegExp
  /** how many folders deep they are at most */
  depth: number
  /** a transcript is the folder that holds such a file */
  isFolder?: true
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The usual places of transcripts on this system, whether or not they are there.
 *
 * @example
 * transcriptPlaces(process.env, process.platform, homedir())
 */
export function transcriptPlaces(env: Environment, platform: string, home: string): Place[] {
  const { join } = platform === 'win32' ? win32 : posix
  const data = env.XDG_DATA_HOME || join(home, '.local', 'share')
  const config = env.XDG_CONFIG_HOME || join(home, '.config')
  const from = (name: string, otherwise: string) => env[name] || otherwise
  const codex = from('CODEX_HOME', join(home, '.codex'))
  const qwen = env.QWEN_RUNTIME_DIR || env.QWEN_HOME || join(home, '.qwen')
  const openhands = from('OPENHANDS_PERSISTENCE_DIR', join(home, '.openhands'))
  const copilot = from('COPILOT_HOME', join(home, '.copilot'))

  const places: Place[] = [
    ...claudeFolders(env, home, config, join).map((folder) => ({
      program: 'claude-code',
      path: join(folder, 'projects'),
      files: /\.jsonl$/,
      depth: 4,
    })),
    { program: 'codex', path: join(codex, 'sessions'), files: ROLLOUT, depth: 4 },
    { program: 'codex', path: join(codex, 'archived_sessions'), files: ROLLOUT, depth: 4 },
    {
      program: 'gemini-cli',
      path: join(from('GEMINI_CLI_HOME', home), '.gemini', 'tmp'),
      files: CHATS,
      depth: 4,
    },
    { program: 'qwen-code', path: join(qwen, 'projects'), files: CHATS, depth: 4 },
    { program: 'qwen-code', path: join(qwen, 'tmp'), files: CHATS, depth: 4 },
    { program: 'opencode', path: join(data, 'opencode'), files: /^opencode.*\.db$/, depth: 0 },
    {
      program: 'opencode',
      path: join(data, 'opencode', 'storage', 'session'),
      files: /\.json$/,
      depth: 1,
    },
    {
      program: 'openhands',
      path: from('OPENHANDS_CONVERSATIONS_DIR', join(openhands, 'conversations')),
      files: /\/base_state\.json$/,
      depth: 2,
      isFolder: true,
    },
    ...clineFolders(env, platform, home, config, join).map((folder) => ({
      program: 'cline',
      path: join(folder, 'tasks'),
      files: /\/api_conversation_history\.json$/,
      depth: 1,
    })),
    {
      program: 'mini-swe-agent',
      path: from('MSWEA_GLOBAL_CONFIG_DIR', join(config, 'mini-swe-agent')),
      files: /\.traj\.json$/,
      depth: 1,
    },
    {
      program: 'copilot-cli',
      path: join(copilot, 'session-state'),
      files: /(?:^|\/)events\.jsonl$/,
      depth: 1,
    },
    { program: 'kilo', path: join(data, 'kilo'), files: /^kilo.*\.db$/, depth: 0 },
    {
      program: 'goose',
      path: gooseFolder(env, platform, home, data, join),
      files: /^sessions\.db$/,
      depth: 0,
    },
  ]
  if (env.OPENCODE_DB) {
    places.push({ program: 'opencode', path: env.OPENCODE_DB, files: /\.db$/, depth: 0 })
  }
  return places
}

/**
 * The transcript that a file in a place belongs to, by its path within the place; undefined if to none. For who
 * is told by the system that a file has changed.
 *
 * @example
 * watch(place.path, { recursive: true }, (_, file) => follow(transcriptAt(place, file)))
 */
export function transcriptAt(
  place: Pick<Place, 'path' | 'files' | 'isFolder'>,
  file: string,
  platform: string = process.platform,
): string | undefined {
  const { join, dirname } = platform === 'win32' ? win32 : posix
  const path = platform === 'win32' ? file.replaceAll('\\', '/') : file
  if (place.isFolder) {
    const own = path.replace(/\/events\/[^/]+\.json$/, '/base_state.json')
    return place.files.test(own) ? join(place.path, dirname(own)) : undefined
  }
  // a database takes in later what is written beside it
  const own = path.replace(/-wal$/, '')
  return place.files.test(own) ? join(place.path, own) : undefined
}

const ROLLOUT = /(?:^|\/)rollout-[^/]*\.jsonl(?:\.zst)?$/
const CHATS = /\.jsonl?$(?<=\/chats\/.*)/

type Join = (...parts: string[]) => string

function claudeFolders(env: Environment, home: string, config: string, join: Join): string[] {
  // several may be given, with commas between them
  const given = (env.CLAUDE_CONFIG_DIR ?? '')
    .split(',')
    .map((path) => path.trim())
    .filter(Boolean)
  return given.length > 0 ? given : [join(home, '.claude'), join(config, 'claude')]
}

const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf']
const EXTENSIONS = ['saoudrizwan.claude-dev', 'rooveterinaryinc.roo-cline', 'kilocode.kilo-code']

function clineFolders(
  env: Environment,
  platform: string,
  home: string,
  config: string,
  join: Join,
): string[] {
  const settings =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? env.APPDATA || join(home, 'AppData', 'Roaming')
        : config
  const users = EDITORS.map((editor) => join(settings, editor, 'User'))
  const servers = ['.vscode-server', '.cursor-server'].map((name) =>
    join(home, name, 'data', 'User'),
  )
  const storages = [...users, ...servers].map((user) => join(user, 'globalStorage'))
  return [
    join(env.CLINE_DIR || join(home, '.cline'), 'data'),
    ...storages.flatMap((storage) => EXTENSIONS.map((name) => join(storage, name))),
  ]
}

function gooseFolder(
  env: Environment,
  platform: string,
  home: string,
  data: string,
  join: Join,
): string {
  if (env.GOOSE_PATH_ROOT) return join(env.GOOSE_PATH_ROOT, 'data', 'sessions')
  if (platform !== 'win32') return join(data, 'goose', 'sessions')
  const roaming = env.APPDATA || join(home, 'AppData', 'Roaming')
  return join(roaming, 'Block', 'goose', 'data', 'sessions')
}

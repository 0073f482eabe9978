import type { Machine } from './location.js'

const VSCODE = ['Code', 'Code - Insiders', 'VSCodium']
const FORKS = ['Cursor', 'Windsurf']
const VSCODE_SERVERS = ['.vscode-server', '.vscode-server-insiders', '.vscodium-server']
const FORK_SERVERS = ['.cursor-server', '.windsurf-server']

/** Where each edition of VS Code keeps what belongs to the person. */
export const vscodeFolders = (machine: Machine): string[] =>
  foldersOf(machine, VSCODE, VSCODE_SERVERS)

/** Where each editor that runs extensions of VS Code keeps what belongs to the person. */
export const editorFolders = (machine: Machine): string[] =>
  foldersOf(machine, [...VSCODE, ...FORKS], [...VSCODE_SERVERS, ...FORK_SERVERS])

function foldersOf(
  { env, platform, home, config, data, roaming, join }: Machine,
  editors: readonly string[],
  servers: readonly string[],
): string[] {
  const mac = join(home, 'Library', 'Application Support')
  const settings = platform === 'darwin' ? mac : platform === 'win32' ? roaming : config
  return [
    ...(env.VSCODE_PORTABLE ? [join(env.VSCODE_PORTABLE, 'user-data', 'User')] : []),
    ...editors.map((editor) => join(settings, editor, 'User')),
    ...servers.map((server) => join(home, server, 'data', 'User')),
    join(data, 'code-server', 'User'),
  ]
}

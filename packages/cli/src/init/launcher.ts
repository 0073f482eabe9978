import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CodingAgent } from '../coding-agents/coding-agent.js'
import { codingAgents } from '../coding-agents/index.js'
import type { Scope } from '../coding-agents/install.js'
import { UsageError } from '../exit-code.js'
import { CALM } from '../hook/calm.js'
import { sessionsFolder } from '../hook/folders.js'
import type { Host } from '../host.js'
import type { Change } from './change.js'
import { findProgram } from './find-program.js'
import { findInstalled } from './installed.js'
import { BEFORE, launcherCommand, launcherPaths, plainCommand } from './ours.js'
import { readTarget } from './target.js'

/** How hooks are run: the commands for an agent, and what has to be written for them to work. */
export interface Launch {
  commands(agent: string): [command: string, beforeCall?: string]
  changes: Change[]
  /** how the person runs unloop */
  program: string
  /** what the person should know about it */
  note: string | undefined
}

/** The command that hooks run. It stays the same when unloop is upgraded. */
export function launchFor(host: Host, scope: Scope): Launch {
  const found = findProgram(host, 'unloop', isLasting)
  const isUsable = found !== undefined && knowsHooks(host, found)
  const isWindows = host.platform === 'win32'
  if (scope === 'project' || (isUsable && isWindows)) {
    const commands = (agent: string): [string] => [plainCommand(agent)]
    const rest = isUsable ? { program: 'unloop', note: undefined } : { program: NPX, note: NEEDED }
    return { commands, changes: [], ...rest }
  }
  const commands = (agent: string): [string, string?] => {
    const command = launcherCommand(host, agent)
    return isWindows ? [command] : [command, command + BEFORE]
  }
  if (isUsable) {
    const changes = launcherChanges(host, toShOfPath(sessionsFolder(host), found))
    return { commands, changes, program: 'unloop', note: undefined }
  }
  return {
    commands,
    changes: copyChanges(host),
    program: NPX,
    note: found ? `${found} is too old to run hooks. ${COPIED}` : COPIED,
  }
}

/** How the person runs unloop here. */
export const programFor = (host: Host): string =>
  findProgram(host, 'unloop', isLasting) ? 'unloop' : NPX

/** The copy, if no hook runs it any more. */
export function launcherRemoval(host: Host): Change[] {
  const { launcher, bundle, folder } = launcherPaths(host)
  if (codingAgents.some((agent) => mayUse(host, agent))) return []
  return [launcher, bundle].flatMap((path) => {
    const { bytes: from } = readTarget(path)
    const rest = { to: undefined, mode: 0o755, backup: undefined, emptied: [folder] }
    return from ? [{ path, from, ...rest }] : []
  })
}

/** Folders that npm puts on the PATH for one command, as npx does, are gone when the agent runs. */
const isLasting = (folder: string) => !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder)

function mayUse(host: Host, agent: CodingAgent): boolean {
  try {
    const launcher = launcherCommand(host, agent.name)
    return findInstalled(host, agent, 'user').some(({ command }) => command.startsWith(launcher))
  } catch {
    // a file that cannot be read may name it
    return true
  }
}

const NPX = 'npx @unloop/cli'

const COPIED =
  'The hooks run a copy of unloop, because `unloop` is not on the PATH. To update the copy, run init again.'

const NEEDED =
  '`unloop` is not on the PATH here. Everybody who works in this project needs it: npm install --global @unloop/cli. Without it, agents run unguarded.'

function copyChanges(host: Host): Change[] {
  const { bundle } = launcherPaths(host)
  const source = fileURLToPath(new URL('../../dist/hook.cjs', import.meta.url))
  const text =
    host.platform === 'win32'
      ? toCmd(process.execPath)
      : toSh(bundle, process.execPath, sessionsFolder(host))
  return [
    ...changeTo({ path: bundle, to: readBundle(source), mode: 0o600 }),
    ...launcherChanges(host, text),
  ]
}

const launcherChanges = (host: Host, text: string): Change[] =>
  changeTo({ path: launcherPaths(host).launcher, to: Buffer.from(text), mode: 0o700 })

function changeTo(file: Pick<Change, 'path' | 'mode'> & { to: Buffer }): Change[] {
  const { bytes: from } = readTarget(file.path)
  return from?.equals(file.to) ? [] : [{ ...file, from, backup: undefined, emptied: [] }]
}

function readBundle(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    throw new UsageError(`${path} is missing; reinstall @unloop/cli, or run: npm run build`)
  }
}

/** A script that runs the copy of the hook, with Node.js from the PATH, or with the one that was there at first. */
export const toSh = (bundle: string, node: string, sessions: string): string =>
  script(
    sessions,
    `hook=${single(bundle)}
node=${single(node)}
[ -f "$hook" ] || exit "\${${MISSING}:-0}"
export UNLOOP_LAUNCHER=1
if command -v node >/dev/null 2>&1; then set -- node "$hook" "$@"
elif [ -x "$node" ]; then set -- "$node" "$hook" "$@"
else exit "\${${MISSING}:-0}"; fi`,
  )

/** A script that runs the unloop on the PATH, or the one that was there at first. When it is gone, the agent reads no errors. */
export const toShOfPath = (sessions: string, program: string): string =>
  script(
    sessions,
    `program=${single(program)}
if command -v unloop >/dev/null 2>&1; then set -- unloop "$@"
elif [ -x "$program" ]; then set -- "$program" "$@"
else exit "\${${MISSING}:-0}"; fi`,
  )

/**
 * The start of Node.js is most of what a hook costs. So a call before which the guard would say nothing has none: its event waits in a
 * file, see hook/calm.ts. Calls that could change the guard, and long ones, are always told.
 */
const script = (sessions: string, find: string): string => `#!/bin/sh
# Written by \`unloop init\`. Without Node.js or the hook, the agent runs unguarded.
before=$3
${find}
[ "$before" = --before ] || exec "$@"
sessions=${single(sessions)}
event=$(cat)
id=\${event#*\\"session_id\\":\\"}
id=\${id%%\\"*}
calm=$sessions/$id/${CALM}
case $id in
  '' | *[!A-Za-z0-9_-]*) ;;
  *)
    if [ -f "$calm" ] && [ ! -s "$calm" ] && [ "\${#event}" -lt ${MAX_PASSED} ]; then
      case "\${event#*\\"tool_input\\":}" in
        *[uU][nN][lL][oO][oO][pP]* | *settings* | *hooks* | *.local*) ;;
        *)
          case $event in
            *"\${sessions%/*}"*) ;;
            *) printf '%s\\n' "$event" >>"$calm" && exit 0 ;;
          esac
          ;;
      esac
    fi
    ;;
esac
exec "$@" <<END_OF_EVENT
$event
END_OF_EVENT
`

/** The variable by which `unloop doctor` learns that there is nothing to run: the exit code for it. */
export const MISSING = 'UNLOOP_MISSING'

// what a shell adds to a file by one write
const MAX_PASSED = 4000

/** The same for Windows, where a bare name is looked up in the project's folder first unless the variable is set. */
export const toCmd = (node: string): string =>
  [
    '@echo off',
    'rem Written by `unloop init`. Without Node.js or the hook, the agent runs unguarded.',
    'if not exist "%~dp0hook.cjs" exit /b 0',
    'setlocal',
    'set NoDefaultCurrentDirectoryInExePath=1',
    'set UNLOOP_LAUNCHER=1',
    `if exist "${node}" (`,
    `  "${node}" "%~dp0hook.cjs" %*`,
    '  exit /b',
    ')',
    'for %%i in (node.exe) do if not "%%~$PATH:i"=="" (',
    '  "%%~$PATH:i" "%~dp0hook.cjs" %*',
    '  exit /b',
    ')',
    'exit /b 0',
    '',
  ].join('\r\n')

const single = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Whether this program takes hooks. One that does not would refuse every call of an agent. */
function knowsHooks({ env, platform }: Host, program: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'unloop-'))
  try {
    const { status } = spawnSync(program, ['hook', 'claude-code'], {
      env: { ...env, UNLOOP_HOME: folder },
      input: '',
      shell: platform === 'win32',
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: 10_000,
    })
    return status === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

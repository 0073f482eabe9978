import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CodingAgent } from '../coding-agents/coding-agent.js'
import { codingAgents } from '../coding-agents/index.js'
import type { Scope } from '../coding-agents/install.js'
import { UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import type { Change } from './change.js'
import { findProgram } from './find-program.js'
import { findInstalled } from './installed.js'
import { launcherCommand, launcherPaths, plainCommand } from './ours.js'
import { readTarget } from './target.js'

/** How hooks are run: the command for an agent, and what has to be written for it to work. */
export interface Launch {
  command(agent: string): string
  changes: Change[]
  /** how the person runs unloop */
  program: string
  /** what the person should know about it */
  note: string | undefined
}

/** The command that hooks run. It stays the same when unloop is upgraded. */
export function launchFor(host: Host, scope: Scope): Launch {
  const command = plainCommand
  const found = findProgram(host, 'unloop', isLasting)
  const isUsable = found !== undefined && knowsHooks(host, found)
  if (isUsable) return { command, changes: [], program: 'unloop', note: undefined }
  if (scope === 'project') return { command, changes: [], program: NPX, note: NEEDED }
  return {
    command: (agent) => launcherCommand(host, agent),
    changes: launcherChanges(host),
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

function launcherChanges(host: Host): Change[] {
  const { launcher, bundle } = launcherPaths(host)
  const source = fileURLToPath(new URL('../../dist/hook.cjs', import.meta.url))
  const text = host.platform === 'win32' ? toCmd(process.execPath) : toSh(bundle, process.execPath)
  return [
    { path: bundle, to: readBundle(source), mode: 0o600 },
    { path: launcher, to: Buffer.from(text), mode: 0o700 },
  ].flatMap((file) => {
    const { bytes: from } = readTarget(file.path)
    return from?.equals(file.to) ? [] : [{ ...file, from, backup: undefined, emptied: [] }]
  })
}

function readBundle(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    throw new UsageError(`${path} is missing; reinstall @unloop/cli, or run: npm run build`)
  }
}

/** A script that runs the hook with Node.js from the PATH, or with the one that was there at first. */
export const toSh = (bundle: string, node: string): string => `#!/bin/sh
# Written by \`unloop init\`. Without Node.js or the hook, the agent runs unguarded.
hook=${single(bundle)}
node=${single(node)}
[ -f "$hook" ] || exit 0
export UNLOOP_LAUNCHER=1
if command -v node >/dev/null 2>&1; then exec node "$hook" "$@"; fi
if [ -x "$node" ]; then exec "$node" "$hook" "$@"; fi
exit 0
`

const toCmd = (node: string) =>
  [
    '@echo off',
    'rem Written by `unloop init`. Without Node.js or the hook, the agent runs unguarded.',
    'if not exist "%~dp0hook.cjs" exit /b 0',
    'setlocal',
    'set UNLOOP_LAUNCHER=1',
    'where node >nul 2>nul',
    'if not errorlevel 1 (',
    '  node "%~dp0hook.cjs" %*',
    '  exit /b',
    ')',
    `if exist "${node}" "${node}" "%~dp0hook.cjs" %*`,
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

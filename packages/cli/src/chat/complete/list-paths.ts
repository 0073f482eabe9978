import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

// a larger tree is not searched to its end
const MAX_PATHS = 100_000
const MAX_BYTES = 64 * 2 ** 20
const MAX_MS = 5000

/** Files and folders below a folder, with slashes, folders with one at their end. What git ignores is left out; links are not followed. */
export async function listPaths(folder: string): Promise<string[]> {
  const files = (await listTracked(folder)) ?? (await walk(folder))
  return [...foldersOf(files), ...files]
}

/** The files that git knows or would add; nothing if it is not a repository. */
function listTracked(folder: string): Promise<string[] | undefined> {
  const args = [
    // a repository must not be able to run a program by being looked at
    ...[
      '-c',
      'core.fsmonitor=false',
      '-c',
      'core.hooksPath=/dev/null',
      '-c',
      'safe.bareRepository=explicit',
    ],
    ...['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'],
  ]
  const options = { cwd: folder, maxBuffer: MAX_BYTES, timeout: MAX_MS }
  return new Promise((resolve) => {
    execFile('git', args, options, (error, stdout) => {
      if (error) return resolve(undefined)
      const paths = stdout.split('\0').filter((path) => path !== '' && !isSkipped(path))
      resolve(paths.slice(0, MAX_PATHS))
    })
  })
}

async function walk(folder: string): Promise<string[]> {
  const files: string[] = []
  const waiting = ['']
  const deadline = performance.now() + MAX_MS
  for (let at = 0; at < waiting.length; at++) {
    if (files.length >= MAX_PATHS || performance.now() > deadline) break
    const prefix = waiting[at] ?? ''
    const entries = await readdir(join(folder, prefix), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (SKIPPED.has(entry.name)) continue
      if (entry.isDirectory()) waiting.push(`${prefix}${entry.name}/`)
      if (entry.isFile()) files.push(prefix + entry.name)
    }
  }
  return files.slice(0, MAX_PATHS)
}

const SKIPPED = new Set(['.git', 'node_modules'])

const isSkipped = (path: string) => path.split('/').some((name) => SKIPPED.has(name))

function foldersOf(files: readonly string[]): Set<string> {
  const folders = new Set<string>()
  for (const path of files) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at + 1)
      // what is above it was seen with it
      if (folders.has(folder)) break
      folders.add(folder)
    }
  }
  return folders
}

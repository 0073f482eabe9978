// Installs packages into a cache outside the repository, for end-to-end tests: too large for everybody's install, or for another Node.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Installs each set of packages into a folder of its own, and prints the cache's folder. A second run only looks at the stamps. */
export function fillCache(variable, name, sets) {
  const cache = process.env[variable] || join(homedir(), '.cache', name)
  for (const [folder, packages] of Object.entries(sets)) install(join(cache, folder), packages)
  console.log(cache)
}

function install(folder, packages) {
  const stamp = join(folder, `.complete ${toLabel(packages.join(' '))}`)
  if (existsSync(stamp)) return
  console.error(`installing ${packages.join(', ')} into ${folder} (once, about a minute) …`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const args = ['install', '--save-exact', '--no-audit', '--no-fund', ...packages]
  const done = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (done.status !== 0) {
    console.error(`${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}
this failed: npm ${args.join(' ')} in ${folder}`)
    process.exit(1)
  }
  writeFileSync(stamp, '')
}

/** As a file can be called: names of 255 bytes are the longest. */
const toLabel = (packages) =>
  packages.length > 200
    ? createHash('sha256').update(packages).digest('hex')
    : packages.replaceAll('/', '_')

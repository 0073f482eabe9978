// Makes a fresh clone ready for `npm start` and `npm test`: installs when needed, then builds.
// Uses nothing but Node, because nothing else is there yet.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

if (!isNodeNewEnough()) {
  fail(`unloop needs Node 20.19 or newer, got ${process.version}`)
}
if (!isInstalled()) {
  // stdout belongs to what is started afterwards
  console.error('installing the development tools (once, about half a minute) …')
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--prefer-offline'])
}
run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b'])
run(process.execPath, [join(root, 'scripts/bundle-hook.mjs')])
run(process.execPath, [join(root, 'scripts/bundle-page.mjs')])

function isNodeNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > 20 || (major === 20 && minor >= 19)
}

// npm writes node_modules/.package-lock.json at the end of an install: it is the stamp. We compare
// versions rather than file times, which a checkout or a copy changes without changing anything.
function isInstalled() {
  const installed = packagesIn('node_modules/.package-lock.json')
  if (!installed) return false
  return Object.entries(packagesIn('package-lock.json') ?? {})
    .filter(([path, wanted]) => path.includes('node_modules/') && !wanted.optional)
    .every(([path, wanted]) => installed[path]?.version === wanted.version && path in installed)
}

function packagesIn(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8')).packages
  } catch {
    return undefined
  }
}

function run(command, args) {
  const shell = process.platform === 'win32' && command === 'npm'
  const done = spawnSync(command, args, { cwd: root, encoding: 'utf8', shell })
  if (done.status === 0) return
  fail(`${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}
this failed: ${command} ${args.join(' ')}`)
}

function fail(message) {
  console.error(message.trim())
  process.exit(1)
}

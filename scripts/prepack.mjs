// Runs before `npm pack` and `npm publish` of a package: builds it and copies the license of the repository into it, and for the
// library the README too, so that there is one of each.
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

// what it prints goes to stderr: `npm pack --json` owns stdout
const run = (...args) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] }).status ?? 1
const failed =
  run(join(root, 'node_modules/typescript/bin/tsc'), '-b') ||
  run(join(root, 'scripts/bundle-hook.mjs'))
run(join(root, 'scripts/bundle-page.mjs'))
const folder = process.cwd()
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
if (basename(folder) === 'unloop') {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  writeFileSync(join(folder, 'README.md'), withAddresses(readme))
}
process.exitCode = failed

/** The package does not contain the pages and pictures that the README links to, so they get their address. */
function withAddresses(readme) {
  const { bugs } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const home = bugs.replace('/issues', '')
  return readme.replace(
    /(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)]+)\)/g,
    (_, mark, text, path) => `${mark}${text}(${home}/${mark ? 'raw' : 'blob'}/main/${path})`,
  )
}

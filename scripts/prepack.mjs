// Runs before `npm pack` and `npm publish` of a package: builds it, and gives it the licence of the
// repository, and to the library the README too, so that there is one of each.
import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

// what it prints goes to stderr: `npm pack --json` owns stdout
const built = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b'], {
  cwd: root,
  stdio: ['ignore', 2, 2],
})
const folder = process.cwd()
const shared = basename(folder) === 'unloop' ? ['README.md', 'LICENSE'] : ['LICENSE']
for (const file of shared) copyFileSync(join(root, file), join(folder, file))
process.exitCode = built.status ?? 1

// Runs before `npm pack` and `npm publish` of the library: builds it, and gives it the README and the
// licence of the repository, so that there is one of each.
import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

// what it prints goes to stderr: `npm pack --json` owns stdout
const built = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b'], {
  cwd: root,
  stdio: ['ignore', 2, 2],
})
for (const file of ['README.md', 'LICENSE']) {
  copyFileSync(join(root, file), join(root, 'packages/unloop', file))
}
process.exitCode = built.status ?? 1

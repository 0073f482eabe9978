// Runs before `npm pack` and `npm publish` of the library: builds it, and gives it the README and the
// licence of the repository, so that there is one of each.
import { execFileSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

execFileSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, '-b'], {
  cwd: root,
  stdio: ['ignore', 2, 2],
})
for (const file of ['README.md', 'LICENSE']) {
  copyFileSync(`${root}/${file}`, `${root}/packages/unloop/${file}`)
}

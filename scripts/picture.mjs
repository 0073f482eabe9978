// Draws docs/pictures/dialog.svg anew, from a real terminal with the chat in it.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const vitest = `${root}node_modules/vitest/vitest.mjs`
const test = 'packages/cli/e2e/picture.e2e.ts'
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--config', 'vitest.e2e.config.ts', test],
  { cwd: root, stdio: 'inherit', env: { ...process.env, UNLOOP_PICTURES: '1' } },
)
process.exitCode = status ?? 1

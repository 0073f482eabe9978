// Draws the pictures in docs/pictures: the chat in a real terminal, the report and the card of a scan in a real browser.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const vitest = `${root}node_modules/vitest/vitest.mjs`
const tests = ['packages/cli/e2e/picture.e2e.ts', 'packages/cli/e2e/report-picture.e2e.ts']
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--config', 'vitest.e2e.config.ts', ...tests],
  { cwd: root, stdio: 'inherit', env: { ...process.env, UNLOOP_PICTURES: '1' } },
)
process.exitCode = status ?? 1

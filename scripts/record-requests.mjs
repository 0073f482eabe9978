// Records the requests that real clients make against a scripted provider on this machine, for packages/testing/recordings.
// Arguments choose files or tests, as those of vitest do: `node scripts/record-requests.mjs sdks -t 'a fork'`.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const vitest = `${root}node_modules/vitest/vitest.mjs`
const { status } = spawnSync(
  process.execPath,
  [
    vitest,
    ...['run', '--config', 'vitest.e2e.config.ts', '--mode', 'requests'],
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
)
process.exitCode = status ?? 1

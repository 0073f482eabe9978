// Records the fixtures that the real coding agents make: what they print in a headless run, and what they tell their hooks.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const vitest = `${root}node_modules/vitest/vitest.mjs`
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--config', 'vitest.e2e.config.ts', '--mode', 'record'],
  { cwd: root, stdio: 'inherit' },
)
process.exitCode = status ?? 1

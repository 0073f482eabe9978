// `npm run generate` writes everything that is made from the code: schemas, the settings of VS Code, the table of
// detectors, the results, the output of scan in the README, the API pages. Run it after a change to a detector, an option or a public name.
//   --check    writes nothing and fails when something is out of date
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const generators = [
  'packages/cli/scripts/write-schema.mjs',
  'packages/vscode/scripts/detector-settings.mjs',
  'scripts/detector-table.mjs',
  'scripts/results.mjs',
  'scripts/readme.mjs',
  'scripts/api.mjs',
]
for (const script of generators) {
  const args = [root + script, ...process.argv.slice(2)]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}

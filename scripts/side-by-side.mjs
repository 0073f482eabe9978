// Runs scripts of this folder at the same time and fails if one of them does: they mostly wait for the network.
//   node scripts/side-by-side.mjs setup-sdks setup-agents
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const codes = await Promise.all(process.argv.slice(2).map(run))
process.exitCode = codes.some((code) => code !== 0) ? 1 : 0

/** The exit code of a script. */
function run(name) {
  const path = fileURLToPath(new URL(`${name}.mjs`, import.meta.url))
  const child = spawn(process.execPath, [path], { stdio: ['ignore', 'inherit', 'inherit'] })
  return new Promise((resolve) => {
    child.once('error', () => resolve(1))
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

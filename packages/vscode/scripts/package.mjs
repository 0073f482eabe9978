// Packs the extension as .cache/unloop-vscode.vsix and fails if it is larger than its budget.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const BUDGET = 1_000_000
const folder = fileURLToPath(new URL('..', import.meta.url))
const output = join(folder, '.cache/unloop-vscode.vsix')

mkdirSync(join(folder, '.cache'), { recursive: true })
copyFileSync(join(folder, '../../LICENSE'), join(folder, 'LICENSE'))
const vsce = createRequire(import.meta.url).resolve('@vscode/vsce/vsce')
const done = spawnSync(
  process.execPath,
  [
    vsce,
    'package',
    '--no-dependencies',
    // there is no public address of the repository yet, so links of the README stay as they are
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--out',
    output,
  ],
  { cwd: folder, encoding: 'utf8' },
)
if (done.status !== 0 || /warning/i.test(done.stdout + done.stderr)) {
  console.error(`${done.stdout}${done.stderr}\nthis failed: vsce package`)
  process.exit(1)
}
const { size } = statSync(output)
if (size > BUDGET) {
  console.error(`${output} has ${size} bytes, more than the ${BUDGET} it may have`)
  process.exit(1)
}
console.log(`${output}: ${size} bytes of ${BUDGET}`)

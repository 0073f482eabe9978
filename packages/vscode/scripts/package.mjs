// Packs the extension as .cache/unloop-vscode.vsix. Fails if vsce warns about anything, or if the file exceeds its budget.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const BUDGET = 1_000_000
const folder = fileURLToPath(new URL('..', import.meta.url))
const output = join(folder, '.cache/unloop-vscode.vsix')

mkdirSync(join(folder, '.cache'), { recursive: true })
copyFileSync(join(folder, '../../LICENSE'), join(folder, 'LICENSE'))
const done = spawnSync('npm', ['run', 'vsce'], {
  cwd: folder,
  encoding: 'utf8',
  shell: process.platform === 'win32',
})
if (done.status !== 0 || /^ *(WARNING|ERROR)\b/m.test(done.stdout + done.stderr)) {
  fail(`${done.stdout}${done.stderr}\nthis failed: npm run vsce`)
}
const { size } = statSync(output)
if (size > BUDGET) fail(`${output} has ${size} bytes, more than the ${BUDGET} it may have`)
console.log(`${output}: ${size} bytes of ${BUDGET}`)

function fail(message) {
  console.error(message)
  process.exit(1)
}

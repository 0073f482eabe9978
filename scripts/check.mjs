// `npm run check`: runs every `check:` script of package.json, one line each, and shows the output of
// those that fail.
//   --without tests    leaves one out (CI has run the tests already)
//   --json FILE        also writes { passed, failed } there
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: { without: { type: 'string', multiple: true, default: [] }, json: { type: 'string' } },
})
const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
const checks = Object.keys(scripts).filter((name) => name.startsWith('check:'))
const without = values.without.map((name) => `check:${name}`)

const unknown = without.find((name) => !checks.includes(name))
if (unknown) {
  console.error(`package.json has no script '${unknown}'; it has ${checks.join(', ')}`)
  process.exit(2)
}

const count = { passed: 0, failed: 0 }
for (const check of checks.filter((name) => !without.includes(name))) {
  const started = performance.now()
  // npm has put node_modules/.bin on the PATH of its scripts
  const done = spawnSync(scripts[check], { cwd: root, encoding: 'utf8', shell: true })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const passed = done.status === 0
  count[passed ? 'passed' : 'failed']++
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${check} (${seconds} s)`)
  if (!passed) console.log(`\n${done.stdout}${done.stderr}\nrun it alone: npm run ${check}\n`)
}

if (values.json) writeFileSync(values.json, JSON.stringify(count))
console.log(`\nchecks: ${count.passed} passed, ${count.failed} failed`)
process.exitCode = count.failed ? 1 : 0

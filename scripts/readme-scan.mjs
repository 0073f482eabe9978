// Writes what `unloop scan` prints for the sample sessions into README.md, between its two marks.
//   --check    writes nothing; fails when that is old, or when the README has 1,000 words or more
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const LIMIT = 1000
const root = fileURLToPath(new URL('..', import.meta.url))
const file = `${root}README.md`
const [begin, end] = ['<!-- scan -->', '<!-- /scan -->']

const before = readFileSync(file, 'utf8')
const [head, rest = ''] = before.split(begin)
const [, tail] = rest.split(end)
if (tail === undefined) throw new Error(`README.md needs the marks ${begin} and ${end}`)
const after = `${head}${begin}\n\`\`\`console\n${scan()}\n\`\`\`\n${end}${tail}`

if (!process.argv.includes('--check')) {
  writeFileSync(file, after)
  console.log('wrote the output of scan in README.md')
} else {
  const words = after.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
  if (after !== before) fail('the output of scan in README.md is old; run: npm run generate')
  if (words >= LIMIT) fail(`README.md has ${words} words; it should have fewer than ${LIMIT}`)
  console.log(`README.md has ${words} words`)
}

/** The table and the sum; the evidence below them is too long for a first look. */
function scan() {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [`${root}packages/cli/bin/unloop.js`, 'scan', 'examples/sessions'],
    { cwd: root, encoding: 'utf8', env: { ...process.env, TZ: 'UTC', NO_COLOR: '1' } },
  )
  const [table, sum] = stdout.split('\n\n')
  if (!sum) throw new Error(`unloop scan failed: ${stderr}`)
  return `$ npx @unloop/cli scan\n${table}\n\n${sum}`
}

function fail(message) {
  console.error(message)
  process.exitCode = 1
}

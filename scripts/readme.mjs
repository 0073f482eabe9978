// Writes what `unloop scan` prints for the sample sessions into README.md, between its two marks.
//   --check    writes nothing; fails when that is old, when the README has 1,000 words or more, or when its table of SDKs lacks
//              a subpath or names a function that the subpath does not export
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
  for (const problem of await tableProblems()) fail(problem)
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
  return `$ npx @unloop/cli scan examples/sessions\n${table}\n\n${sum}`
}

async function tableProblems() {
  const { exports } = JSON.parse(readFileSync(`${root}packages/unloop/package.json`, 'utf8'))
  const adapters = Object.entries(exports)
    .filter(([, { import: entry }]) => entry?.default.includes('/adapters/'))
    .map(([path]) => path.replace('.', 'unloop'))
  const problems = adapters.map(async (path) => {
    const row = before.split('\n').find((line) => line.startsWith(`| [\`${path}\`](`))
    if (!row) return `README.md has no row for ${path}`
    const names = Object.keys(await import(path))
    const used = [...row.matchAll(/\b(guard[A-Z]\w*)\(/g)].map(([, name]) => name)
    const unknown = used.find((name) => !names.includes(name))
    return unknown && `README.md calls ${unknown}, which ${path} does not export`
  })
  return (await Promise.all(problems)).filter(Boolean)
}

function fail(message) {
  console.error(message)
  process.exitCode = 1
}

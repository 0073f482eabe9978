// Writes the table of detectors in docs/detectors.md, between its two marks, from the detectors themselves, and compares the
// tables of options on their pages with them.
//   --check    writes nothing and fails when the table is not what it should be
import { readFileSync, writeFileSync } from 'node:fs'
import { defaultDetectors, detectors } from 'unloop'

const file = new URL('../docs/detectors.md', import.meta.url)
const [begin, end] = ['<!-- detectors -->', '<!-- /detectors -->']

const before = readFileSync(file, 'utf8')
const [head, rest = ''] = before.split(begin)
const [, tail] = rest.split(end)
if (tail === undefined) {
  console.error(`docs/detectors.md needs the marks ${begin} and ${end}`)
  process.exit(1)
}

const after = `${head}${begin}\n${table()}\n${end}${tail}`
if (after === before) {
  console.log('the table in docs/detectors.md is up to date')
} else if (process.argv.includes('--check')) {
  console.error('the table in docs/detectors.md is old; run: npm run generate')
  process.exitCode = 1
} else {
  writeFileSync(file, after)
  console.log('wrote the table in docs/detectors.md')
}

for (const problem of detectors.flatMap(pageProblems)) {
  console.error(problem)
  process.exitCode = 1
}

/** Options that a page lacks, or whose default it gives wrongly. */
function pageProblems({ name, options }) {
  const path = `docs/detectors/${name}.md`
  const page = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
  return Object.entries(options).flatMap(([option, value]) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${option}\` |`))
    const told = row?.split('|')[2]?.trim().replaceAll('`', '')
    const wanted = value === '' ? 'none' : Array.isArray(value) ? value.join(', ') : `${value}`
    return told === wanted ? [] : [`${path} says ${option} is ${told}, and it is ${wanted}`]
  })
}

function table() {
  const on = new Set(defaultDetectors().map(({ name }) => name))
  const rows = detectors.map(({ name, finds, stage }) => {
    const link = `[\`${name}\`](detectors/${name}.md)`
    return `| ${link} | ${finds.replaceAll('|', '\\|')} | ${stage} | ${on.has(name) ? 'on' : 'off'} |`
  })
  return ['| detector | finds | stage | by default |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  )
}

// Writes the table of detectors in README.md, between its two marks, from the detectors themselves.
//   --check    writes nothing and fails when the table is not what it should be
import { readFileSync, writeFileSync } from 'node:fs'
import { detectors } from 'unloop'

const file = new URL('../README.md', import.meta.url)
const [begin, end] = ['<!-- detectors -->', '<!-- /detectors -->']

const before = readFileSync(file, 'utf8')
const [head, rest = ''] = before.split(begin)
const [, tail] = rest.split(end)
if (tail === undefined) {
  console.error(`README.md needs the marks ${begin} and ${end}`)
  process.exit(1)
}

const after = `${head}${begin}\n${table()}\n${end}${tail}`
if (after === before) {
  console.log('the table of detectors in README.md is up to date')
} else if (process.argv.includes('--check')) {
  console.error('the table of detectors in README.md is old; run: npm run readme-table')
  process.exitCode = 1
} else {
  writeFileSync(file, after)
  console.log('wrote the table of detectors in README.md')
}

function table() {
  const rows = [...detectors]
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(({ name, finds, stage }) => {
      return `| [\`${name}\`](docs/detectors/${name}.md) | ${finds.replaceAll('|', '\\|')} | ${stage} |`
    })
  return ['| detector | finds | stage |', '| --- | --- | --- |', ...rows].join('\n')
}

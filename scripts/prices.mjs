// Writes the table of `unloop/prices` from a price list in LiteLLM's shape: node scripts/prices.mjs FILE MONTH
// A model whose price another line gives by its name (an edition, another prefix) gets none of its own.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [file, date] = process.argv.slice(2)
if (!file || !date) {
  console.error('usage: node scripts/prices.mjs FILE MONTH')
  process.exit(2)
}
const { findModel, namesOf, toKey } = await import('../packages/unloop/dist/prices/find.js')
const OUT = fileURLToPath(new URL('../packages/unloop/src/prices/table.ts', import.meta.url))
// models that are listed no more, but stand in recorded runs
const RETIRED = {
  'claude-3-5-sonnet': [3, 15, 0.3, 3.75, 6],
  'claude-3-5-haiku': [0.8, 4, 0.08, 1, 1.6],
}

const FIELDS = [
  'input_cost_per_token',
  'output_cost_per_token',
  'cache_read_input_token_cost',
  'cache_creation_input_token_cost',
  'cache_creation_input_token_cost_above_1hr',
  'input_cost_per_token_above_200k_tokens',
  'output_cost_per_token_above_200k_tokens',
]

const rows = Object.entries(JSON.parse(readFileSync(file, 'utf8'))).map(([name, entry]) => [
  name,
  toCells(FIELDS.map((field) => entry[field]).map((rate) => rate && rate * 1e6)),
])
for (const [name, cells] of Object.entries(RETIRED)) rows.push([name, toCells(cells)])
// short names first: they are what editions lead to
rows.sort(([a], [b]) => bare(a).length - bare(b).length || (a < b ? -1 : 1))
const kept = new Map()
const lines = []
for (const [name, cells] of rows) {
  if (findModel(kept, name) === cells) continue
  for (const key of new Set(namesOf(name)))
    if (!kept.has(key) || key === toKey(name)) kept.set(key, cells)
  lines.push(`${name} ${cells}`)
}
lines.sort()
writeFileSync(
  OUT,
  `// Written by scripts/prices.mjs. Dollars for a million tokens: input, output, cache read, cache write, cache write for
// an hour, and input and output of a context above 200,000 tokens; - where there is none.
export const TABLE_DATE = '${date}'
export const TABLE_SOURCE = 'public price pages of the providers'
export const TABLE = \`
${lines.join('\n')}
\`
`,
)
console.log(`wrote ${lines.length} of ${rows.length} models to ${OUT}`)

function bare(name) {
  return name.slice(name.lastIndexOf('/') + 1)
}

function toCells(rates) {
  const cells = rates.map((rate) => (rate === undefined ? '-' : `${Number(rate.toPrecision(12))}`))
  return cells.join(' ').replace(/(?: -)+$/, '')
}

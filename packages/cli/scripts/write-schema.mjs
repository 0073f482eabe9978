// Writes the files in schema/ from the schemas in the code: npm run schema -w packages/cli
import { writeFileSync } from 'node:fs'
import { toJsonSchema } from '../dist/config/schema.js'
import { toReportJsonSchema } from '../dist/scan/report-schema.js'

const schemas = { 'unloop.config': toJsonSchema(), scan: toReportJsonSchema() }
for (const [name, schema] of Object.entries(schemas)) {
  const path = new URL(`../schema/${name}.schema.json`, import.meta.url)
  writeFileSync(path, `${JSON.stringify(schema, null, 2)}\n`)
}

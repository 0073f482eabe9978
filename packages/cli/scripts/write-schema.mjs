// Writes schema/unloop.config.schema.json from the schema in the code: npm run schema -w packages/cli
import { writeFileSync } from 'node:fs'
import { toJsonSchema } from '../dist/config/schema.js'

const path = new URL('../schema/unloop.config.schema.json', import.meta.url)
writeFileSync(path, `${JSON.stringify(toJsonSchema(), null, 2)}\n`)

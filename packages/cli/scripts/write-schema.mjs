// Writes the files in schema/, here and in packages/gateway, from the schemas in the code; part of `npm run generate`.
//   --check    writes nothing and fails when a file is out of date
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { toGatewayJsonSchema } from '../../gateway/dist/config/schema.js'
import { toJsonSchema } from '../dist/config/schema.js'
import { toReportJsonSchema } from '../dist/scan/report-schema.js'
import { toRunJsonSchema } from '../dist/supervise/report-schema.js'

const schemas = {
  'cli/schema/unloop.config': toJsonSchema(),
  'cli/schema/scan': toReportJsonSchema(),
  'cli/schema/run': toRunJsonSchema(),
  'gateway/schema/gateway': toGatewayJsonSchema(),
}
for (const [name, schema] of Object.entries(schemas)) {
  const path = new URL(`../../${name}.schema.json`, import.meta.url)
  const after = JSON.stringify(schema, null, 2)
  // the formatter may write it another way
  const before = existsSync(path) && JSON.parse(readFileSync(path, 'utf8'))
  if (JSON.stringify(before, null, 2) === after) continue
  if (process.argv.includes('--check')) {
    console.error(`packages/${name}.schema.json is out of date; run: npm run generate`)
    process.exitCode = 1
  } else {
    writeFileSync(path, `${after}\n`)
    const biome = fileURLToPath(
      new URL('../../../node_modules/@biomejs/biome/bin/biome', import.meta.url),
    )
    execFileSync(process.execPath, [biome, 'format', '--write', fileURLToPath(path)])
    console.log(`wrote packages/${name}.schema.json`)
  }
}

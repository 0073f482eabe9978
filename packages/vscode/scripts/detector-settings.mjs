// Writes the schema of the setting `unloop.detectors` into package.json, from the detectors themselves, so that no other
// name, option or default can be offered; part of `npm run generate`.
//   --check    writes nothing and fails when package.json is out of date
import { readFileSync, writeFileSync } from 'node:fs'
import { detectors } from 'unloop'
import { presetDetectors } from 'unloop/presets'

const file = new URL('../package.json', import.meta.url)
const before = readFileSync(file, 'utf8')
const manifest = JSON.parse(before)
Object.assign(
  manifest.contributes.configuration.properties['unloop.detectors'],
  schemaOf([...detectors, ...presetDetectors]),
)
const after = `${JSON.stringify(manifest, null, 2)}\n`
if (after !== before && process.argv.includes('--check')) {
  console.error('packages/vscode/package.json is out of date; run: npm run generate')
  process.exitCode = 1
} else if (after !== before) {
  writeFileSync(file, after)
  console.log('wrote the detectors in packages/vscode/package.json')
}

function schemaOf(all) {
  return {
    additionalProperties: false,
    properties: Object.fromEntries(
      all.map(({ name, finds, options }) => [
        name,
        {
          type: ['boolean', 'object'],
          description: finds,
          additionalProperties: false,
          properties: Object.fromEntries(
            Object.entries(options).map(([option, value]) => [option, propertyOf(value)]),
          ),
        },
      ]),
    ),
  }
}

function propertyOf(value) {
  if (Array.isArray(value)) return { type: 'array', items: { type: 'string' }, default: value }
  return { type: typeof value, default: value }
}

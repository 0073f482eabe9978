// Writes the schema of the setting `unloop.detectors` into package.json, from the detectors themselves: a name, a
// threshold or a default that is not theirs cannot be offered. `npm run check` of the tests holds it against them.
import { readFileSync, writeFileSync } from 'node:fs'
import { detectors } from 'unloop'

const file = new URL('../package.json', import.meta.url)
const manifest = JSON.parse(readFileSync(file, 'utf8'))
Object.assign(
  manifest.contributes.configuration.properties['unloop.detectors'],
  schemaOf(detectors),
)
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)

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

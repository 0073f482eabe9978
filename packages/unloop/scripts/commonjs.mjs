// Node can require this package although it is ESM, but TypeScript's node16 and tools that check packages believe that only of
// CommonJS: writes, for each entry, a file that requires the other, and its types. There is still one copy of the code.
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

const root = new URL('..', import.meta.url)
const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

for (const entry of Object.values(exports)) {
  if (!entry.require) continue
  const from = `'./${basename(entry.import.default)}'`
  const own = `import(${from}, { with: { 'resolution-mode': 'import' } })`
  const names = Object.entries(await import(new URL(entry.import.default, root)))
  const types = names.map(([name, value]) => {
    const line = `export declare const ${name}: typeof ${own}.${name}`
    // a class is a type as well
    return /^class\b/.test(value) ? `${line}\nexport type ${name} = ${own}.${name}` : line
  })
  const all = [`export type * from ${from} with { 'resolution-mode': 'import' }`, ...types, '']
  writeFileSync(new URL(entry.require.types, root), all.join('\n'))
  writeFileSync(new URL(entry.require.default, root), `module.exports = require(${from})\n`)
}

// `npm run set-version 0.2.0` gives all packages this version, in their manifests, in what they want of each other, and in
// package-lock.json.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const root = new URL('..', import.meta.url)
const [version = ''] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
  console.error(`a version looks like 0.2.0; got '${version}'`)
  process.exit(2)
}

const folders = ['', ...readdirSync(new URL('packages', root)).map((name) => `packages/${name}`)]
const files = folders.map((folder) => (folder ? `${folder}/package.json` : 'package.json'))
const names = new Set(files.map((file) => read(file).name))

for (const file of files) write(file, withVersion(read(file)))
const lock = read('package-lock.json')
for (const folder of folders) lock.packages[folder] = withVersion(lock.packages[folder])
write('package-lock.json', lock)
console.log(`${names.size} packages are ${version} now; date its section in CHANGELOG.md`)

function withVersion(manifest) {
  const changed = { ...manifest, ...(manifest.version && { version }) }
  for (const field of ['dependencies', 'devDependencies']) {
    if (!manifest[field]) continue
    changed[field] = Object.fromEntries(
      Object.entries(manifest[field]).map(([name, range]) => [
        name,
        names.has(name) ? version : range,
      ]),
    )
  }
  return changed
}

function read(file) {
  return JSON.parse(readFileSync(new URL(file, root), 'utf8'))
}

function write(file, value) {
  writeFileSync(new URL(file, root), `${JSON.stringify(value, null, 2)}\n`)
}

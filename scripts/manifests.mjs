// Every package.json says where the package comes from; npm needs that to attest a build. Versions move together.
import { readdirSync, readFileSync } from 'node:fs'

const HOME = 'https://github.com/unloop-dev/unloop'
const root = new URL('..', import.meta.url)

const folders = ['', ...readdirSync(new URL('packages', root)).map((name) => `packages/${name}`)]
const manifests = folders.map((folder) => ({ folder, ...read(folder) }))
const { version } = manifests.find(({ name }) => name === 'unloop')

const problems = manifests.flatMap((manifest) =>
  wanted(manifest).flatMap(([field, value, got]) =>
    JSON.stringify(got) === JSON.stringify(value)
      ? []
      : [
          `${file(manifest)}: ${field} should be ${JSON.stringify(value)}, got ${JSON.stringify(got)}`,
        ],
  ),
)
for (const problem of problems) console.error(problem)
console.log(`${manifests.length} manifests, ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0

/** The fields that a manifest must have: name, value, and what it has. */
function wanted(manifest) {
  const { folder } = manifest
  const directory = folder ? { directory: folder } : {}
  const homepage = folder ? `${HOME}/tree/main/${folder}#readme` : `${HOME}#readme`
  const fields = [
    ['repository', { type: 'git', url: `git+${HOME}.git`, ...directory }, manifest.repository],
    ['bugs', `${HOME}/issues`, manifest.bugs],
    ['homepage', manifest.name === 'unloop' ? `${HOME}#readme` : homepage, manifest.homepage],
    ['license', 'Apache-2.0', manifest.license],
  ]
  if (folder) fields.push(['version', version, manifest.version])
  if (!manifest.private)
    fields.push(['publishConfig', { access: 'public' }, manifest.publishConfig])
  return [...fields, ...siblings(manifest)]
}

/** A package of this repository is wanted in the version it has. */
function siblings({ dependencies, devDependencies }) {
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name]) => manifests.some((one) => one.name === name))
    .map(([name, range]) => [name, version, range])
}

function read(folder) {
  return JSON.parse(readFileSync(new URL(`${folder || '.'}/package.json`, root), 'utf8'))
}

function file({ folder }) {
  return folder ? `${folder}/package.json` : 'package.json'
}

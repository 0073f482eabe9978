// Adds to package-lock.json the binaries for platforms that the registry in use does not have, so that
// `npm ci` accepts the file everywhere. Nothing to do if they are there.
//   --check    only says whether the file is complete, and names no registry
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const path = fileURLToPath(new URL('../package-lock.json', import.meta.url))
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const lock = JSON.parse(readFileSync(path, 'utf8'))

const missing = missingFrom(lock.packages)
const hosts = Object.entries(lock.packages).filter(([, { resolved }]) => /^https?:/.test(resolved))

if (values.check) {
  for (const [place] of missing) console.error(`package-lock.json lacks ${place}`)
  for (const [place] of hosts) console.error(`package-lock.json names a registry for ${place}`)
  if (missing.length > 0) console.error('add them: node scripts/complete-lock.mjs')
  if (hosts.length > 0)
    console.error('take them out: npm install --omit-lockfile-registry-resolved')
  process.exitCode = missing.length + hosts.length > 0 ? 1 : 0
} else if (missing.length > 0) {
  // npm sorts them like this
  const all = [...Object.entries(lock.packages), ...missing]
  all.sort(([a], [b]) => a.localeCompare(b, 'en'))
  writeFileSync(
    path,
    `${JSON.stringify({ ...lock, packages: Object.fromEntries(all) }, null, 2)}\n`,
  )
  console.log(`added ${missing.length} packages`)
}

/** An entry for each optional dependency that has none, beside the package that wants it. */
function missingFrom(packages) {
  return Object.entries(packages).flatMap(([parent, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isThere(packages, parent, name))
      .map(([name, version]) => [
        `${aboveOf(parent)}node_modules/${name}`,
        entryFor(name, version, dev),
      ]),
  )
}

/** Looks where Node would: below the package, and below each folder above it. */
function isThere(packages, parent, name) {
  for (let folder = `${parent}/`; folder !== ''; folder = aboveOf(folder)) {
    if (`${folder}node_modules/${name}` in packages) return true
  }
  return `node_modules/${name}` in packages
}

function aboveOf(folder) {
  return folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/')))
}

/** An entry without a checksum; what the binary runs on is in its name: `@scope/binding-linux-arm64-musl`. */
function entryFor(name, version, dev) {
  const words = name.slice(name.indexOf('/') + 1).split('-')
  const cpu = words.filter((word) =>
    ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'].includes(word),
  )
  const os = words.filter((word) =>
    ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'].includes(word),
  )
  const libc = words.flatMap((word) =>
    word.startsWith('musl') ? ['musl'] : word.startsWith('gnu') ? ['glibc'] : [],
  )
  if (cpu.length === 0) throw new Error(`the name of ${name} does not say what it runs on`)
  return {
    version,
    cpu,
    ...(dev && { dev }),
    ...(libc.length > 0 && { libc }),
    optional: true,
    ...(os.length > 0 && { os }),
  }
}

// Runs the examples as a user would: in an empty folder, with `unloop` installed from the packed tarball. The SDKs are those of
// this workspace, so nothing is downloaded.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// these need a large SDK, a newer Node or a Redis server: `npm run test:e2e` runs them
const ELSEWHERE = ['claude-agent.mjs', 'mastra.mjs', 'redis.mjs']

const root = fileURLToPath(new URL('..', import.meta.url))
const examples = join(root, 'examples')
const names = readdirSync(examples).filter((name) => name.endsWith('.mjs'))
const folder = mkdtempSync(join(tmpdir(), 'unloop-examples-'))
try {
  install()
  const failed = names.filter((name) => !passes(name))
  console.log(`${names.length} examples, ${failed.length} failed`)
  process.exitCode = failed.length > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Installs the library from its tarball, then lays out the examples and what they import beside it. */
function install() {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  npm(join(root, 'packages/unloop'), 'pack', '--pack-destination', folder)
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  npm(folder, 'install', '--offline', '--no-audit', '--no-fund', `./${tarball}`)
  for (const name of names) copyFileSync(join(examples, name), join(folder, name))
  const wanted = new Set(names.flatMap(packagesOf).filter((name) => name !== 'unloop'))
  for (const name of wanted) {
    const [source, target] = [join(root, 'node_modules', name), join(folder, 'node_modules', name)]
    if (!existsSync(source)) continue
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(source, target, 'junction')
  }
}

function passes(name) {
  const problem = headProblem(name) ?? runProblem(name)
  console.log(problem ? `FAILED ${name}: ${problem}` : `ok     ${name}`)
  return !problem
}

/** An example says how to install what it imports, and imports only what is published. */
function headProblem(name) {
  const packages = packagesOf(name)
  const ours = packages.find((one) => one.startsWith('@unloop/'))
  if (ours) return `${ours} is not on npm`
  const [, listed] = /^\/\/ npm i (.+)$/m.exec(textOf(name)) ?? []
  if (packages.length === 0 || listed === packages.join(' ')) return
  return `its head should say 'npm i ${packages.join(' ')}', got '${listed}'`
}

function runProblem(name) {
  if (ELSEWHERE.includes(name)) return
  const { status, stdout, stderr } = spawnSync(process.execPath, [name], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  })
  return status === 0 ? undefined : `${stdout}${stderr}`
}

/** The packages that an example imports, ours first. */
function packagesOf(name) {
  const specifiers = [...textOf(name).matchAll(/^(?:import|\}).* from '([^'.][^']*)'$/gm)]
  const packages = specifiers
    .map(([, specifier]) => specifier)
    .filter((specifier) => !isBuiltin(specifier))
    .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0])
  const isOurs = (one) => one === 'unloop'
  return [...new Set(packages)].sort((a, b) => isOurs(b) - isOurs(a) || (a < b ? -1 : 1))
}

function textOf(name) {
  return readFileSync(join(examples, name), 'utf8')
}

function npm(cwd, ...args) {
  const shell = process.platform === 'win32'
  const done = spawnSync('npm', args, { cwd, encoding: 'utf8', shell })
  if (done.status !== 0) throw new Error(`npm ${args.join(' ')}\n${done.stdout}${done.stderr}`)
}

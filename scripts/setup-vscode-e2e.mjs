// Puts a VS Code where the end-to-end tests of the extension find it: code-server in a cache outside the repository, and
// Chromium, ripgrep and a font from Debian. Prints the folder as its last line. A second run only looks at the stamp.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

// the last that runs on Node 20; it is VS Code 1.100
const VERSION = '4.100.3'
const cache = process.env.UNLOOP_CACHE || join(homedir(), '.cache', 'unloop-e2e')
const folder = join(cache, `code-server-${VERSION}`)
const stamp = join(folder, '.complete')

installFromDebian()
if (!existsSync(stamp)) installCodeServer()
console.log(folder)

function installFromDebian() {
  const wanted = [
    { name: 'chromium', has: onPath('chromium') || Boolean(process.env.UNLOOP_CHROMIUM) },
    { name: 'ripgrep', has: onPath('rg') },
    {
      name: 'fonts-dejavu-core',
      has: existsSync('/usr/share/fonts/truetype/dejavu') || process.platform !== 'linux',
    },
  ]
  const missing = wanted.filter(({ has }) => !has).map(({ name }) => name)
  if (missing.length === 0) return
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`
  if (!onPath('apt-get') || process.getuid?.() !== 0) {
    fail(`the end-to-end tests of the extension need ${missing.join(', ')}.
On Debian, as root: ${command}
Elsewhere install them, and set UNLOOP_CHROMIUM to the browser if it is not called chromium.`)
  }
  console.error(`installing ${missing.join(', ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const [program, ...rest] = command.split(' ')
  // the lists of a fresh machine are empty, those of another may be old
  if (run(program, rest, { env, mayFail: true })) return
  run('apt-get', ['update'], { env })
  run(program, rest, { env })
}

function installCodeServer() {
  console.error(`installing code-server ${VERSION} into ${folder} (once, about a minute) …`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts']
  // its own install script builds kerberos, which needs headers that are seldom there
  run('npm', ['install', ...quiet, `code-server@${VERSION}`], { cwd: folder })
  run('npm', ['rebuild', 'argon2'], { cwd: folder })
  const vscode = join(folder, 'node_modules/code-server/lib/vscode')
  run('npm', ['install', '--omit=dev', ...quiet], { cwd: vscode })
  run('npm', ['rebuild', '@vscode/spdlog', 'node-pty', 'native-watchdog'], {
    cwd: vscode,
    env: { ...process.env, npm_config_yes: 'true' },
  })
  run('npm', ['install', '--omit=dev', ...quiet], { cwd: join(vscode, 'extensions') })
  link(onPath('rg'), join(vscode, 'node_modules/@vscode/ripgrep/bin'), 'rg')
  link('node_modules', vscode, 'node_modules.asar')
  writeFileSync(stamp, `${new Date().toISOString()}\n`)
}

function link(target, into, name) {
  mkdirSync(into, { recursive: true })
  const path = join(into, name)
  rmSync(path, { force: true })
  symlinkSync(target, path)
}

function onPath(program) {
  const done = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' })
  return done.stdout?.trim() || undefined
}

/** Runs to its end; the output is shown when it fails. */
function run(command, args, { cwd, env = process.env, mayFail = false } = {}) {
  const done = spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 64 << 20 })
  if (done.status === 0) return true
  if (mayFail) return false
  fail(`${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}
this failed: ${command} ${args.join(' ')}${cwd ? ` in ${cwd}` : ''}`)
}

function fail(message) {
  console.error(message.trim())
  process.exit(1)
}

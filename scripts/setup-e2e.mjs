// Makes a machine ready for `npm run test:e2e`, after scripts/setup.mjs has built: installs tmux and Redis when they are missing.
import { spawnSync } from 'node:child_process'

const missing = [
  ...(has('tmux', '-V') ? [] : ['tmux']),
  ...(has('redis-server', '--version') ? [] : ['redis-server']),
]
if (missing.length > 0) install(missing)

function install(packages) {
  if (!has('apt-get', '--version')) fail('this machine has no apt-get to install it with')
  const isRoot = process.getuid?.() === 0
  if (!isRoot && !has('sudo', '-n', 'true')) fail('that needs root, or sudo without a password')
  console.log(`installing ${packages.join(', ')} (once) …`)
  const command = ['apt-get', 'install', '-y', '--no-install-recommends', ...packages]
  // a list of packages that is missing or old makes the first try fail
  if (!run(isRoot, command) && !(run(isRoot, ['apt-get', 'update']) && run(isRoot, command))) {
    fail(`this failed: ${command.join(' ')}`)
  }
}

function run(isRoot, command) {
  const [program, ...args] = isRoot ? command : ['sudo', '-n', ...command]
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0
}

function has(program, ...args) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}

function fail(reason) {
  console.error(`the end-to-end tests need tmux and redis-server, and ${reason}.
Install tmux 3.2 or newer and redis-server, and run npm run test:e2e again.`)
  process.exit(1)
}

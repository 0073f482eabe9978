// Puts the real coding agents where the end-to-end tests find them: a cache outside the repository (1.6 GB), each agent
// in a folder of its own. Prints the cache's folder as the last line. A second run only looks at the stamps.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const AGENTS = {
  'claude-code': ['@anthropic-ai/claude-code@2.1.325'],
  codex: ['@openai/codex@0.166.0'],
  'gemini-cli': ['@google/gemini-cli@0.61.0'],
  // with the Node that it wants
  'qwen-code': ['@qwen-code/qwen-code@0.24.4', 'node@24.21.0'],
  opencode: ['opencode-ai@1.18.33'],
  // what opencode installs into the folder of its settings before it loads plugins
  'opencode-plugin': ['@opencode-ai/plugin@1.18.33'],
}

const cache = process.env.UNLOOP_AGENTS || join(homedir(), '.cache', 'unloop-agents')
for (const [name, packages] of Object.entries(AGENTS)) install(join(cache, name), packages)
console.log(cache)

function install(folder, packages) {
  const stamp = join(folder, `.complete ${packages.join(' ')}`.replaceAll('/', '_'))
  if (existsSync(stamp)) return
  console.error(`installing ${packages.join(', ')} into ${folder} (once, about a minute) …`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const args = ['install', '--save-exact', '--no-audit', '--no-fund', ...packages]
  const done = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (done.status !== 0) {
    console.error(`${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}
this failed: npm ${args.join(' ')} in ${folder}`)
    process.exit(1)
  }
  writeFileSync(stamp, '')
}

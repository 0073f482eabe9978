// Puts the SDKs that are too large for everybody's install, or want a newer Node, where the end-to-end tests of their adapters
// find them: a cache outside the repository. Prints its folder as the last line. A second run only looks at the stamps.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const SDKS = {
  // 414 MB, most of it the program that it starts
  'claude-agent': ['@anthropic-ai/claude-agent-sdk@0.3.325', 'zod@4.6.7'],
  // 340 MB with the Node that it wants
  mastra: ['@mastra/core@1.71.0', 'node@24.21.0', 'zod@4.6.7'],
}

const cache = process.env.UNLOOP_SDKS || join(homedir(), '.cache', 'unloop-sdks')
for (const [name, packages] of Object.entries(SDKS)) install(join(cache, name), packages)
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

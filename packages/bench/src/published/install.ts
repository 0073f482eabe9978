import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { peersFolder, publishedPackages, serviceFile } from './place.js'

/** Installs the published packages outside the workspace, once; returns the exit code of the command. */
export async function installPeers(log: (line: string) => void): Promise<number> {
  const folder = peersFolder()
  const wanted = Object.values(publishedPackages)
  const missing = []
  for (const peer of wanted) {
    if ((await installedVersion(folder, peer.name)) !== peer.version) missing.push(peer)
  }
  if (missing.length === 0) {
    log(`Already installed in ${folder}:`)
    for (const peer of wanted) log(`  ${peer.name}@${peer.version}`)
    return 0
  }

  await mkdir(folder, { recursive: true })
  await writeManifest(folder)
  log(`Installing into ${folder} (about 400 MB, a minute or so):`)
  for (const peer of missing) log(`  ${peer.name}@${peer.version}`)

  const code = await runNpm(folder, log)
  if (code !== 0) {
    log('')
    log(`npm ended with code ${code}. The packages come from the npm registry: are you online, and`)
    log('does `npm ping` answer? Nothing else needs them: `bench:speed` and `bench:accuracy` run')
    log('without them and leave their rows out.')
    return 1
  }
  for (const peer of wanted) {
    const file = join(folder, 'node_modules', peer.name, serviceFile)
    if (!existsSync(file)) {
      log(`${peer.name}@${peer.version} is installed, but has no ${serviceFile}`)
      return 1
    }
  }
  log('Installed. `npm run bench:speed` and `npm run bench:accuracy` now show their rows too.')
  return 0
}

async function installedVersion(folder: string, name: string): Promise<string | undefined> {
  try {
    const text = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8')
    return JSON.parse(text).version
  } catch {
    return undefined
  }
}

function writeManifest(folder: string): Promise<void> {
  const dependencies = Object.fromEntries(
    Object.values(publishedPackages).map((peer) => [peer.name, peer.version]),
  )
  const manifest = { name: 'unloop-bench-peers', private: true, type: 'module', dependencies }
  return writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

const ofWorkspace =
  /^npm_(package_|lifecycle_|config_(workspaces?|local_prefix|include_workspace_root)$)/i

function runNpm(folder: string, log: (line: string) => void): Promise<number> {
  const args = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--omit=dev',
    '--fetch-retries=1',
  ]
  // npm's variables about our workspace must not lead the install back into it
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !ofWorkspace.test(name)),
  )
  const started = Date.now()
  const ticker = setInterval(
    () => log(`  … ${Math.round((Date.now() - started) / 1000)} s`),
    10_000,
  )
  return new Promise((resolve) => {
    const child = spawn('npm', args, { cwd: folder, env, stdio: ['ignore', 'inherit', 'inherit'] })
    child.on('error', (error) => {
      log(`npm could not be started: ${error.message}`)
      resolve(1)
    })
    child.on('close', (code) => resolve(code ?? 1))
  }).finally(() => clearInterval(ticker)) as Promise<number>
}

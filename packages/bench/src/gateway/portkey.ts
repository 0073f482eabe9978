import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { peersFolder } from '../published/place.js'
import type { Candidate } from './candidates.js'
import { accepting, freePort, startChild, stopProgram } from './processes.js'

const NAME = '@portkey-ai/gateway'
const VERSION = '1.15.2'
// with later ones, which its manifest allows, every stream ends in an error (Portkey-AI/gateway#1389)
const SERVER = '@hono/node-server'
const SERVER_VERSION = '1.14.1'

/** Portkey's gateway from npm; installs it beside the other peers when it is missing (25 MB). */
export async function startPortkey(upstream: string, folder: string): Promise<Candidate | string> {
  const program = installed() ?? install()
  if (program === undefined) return `${NAME}@${VERSION} could not be installed`
  const port = await freePort()
  const child = startChild('portkey-child', ['--headless', `--port=${port}`], {
    // its cache would be written into the working folder
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', PORTKEY_GATEWAY: program },
    silent: true,
  })
  await accepting(port, child)
  return {
    name: 'Portkey',
    version: VERSION,
    port,
    pid: child.pid ?? 0,
    headers: {
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${upstream}/v1`,
    },
    stop: () => stopProgram(child),
  }
}

const home = () => join(peersFolder(), 'gateway')

function installed(): string | undefined {
  const program = join(folderOf(NAME), 'build/start-server.js')
  if (!existsSync(program)) return undefined
  const isWanted = versionOf(NAME) === VERSION && versionOf(SERVER) === SERVER_VERSION
  return isWanted ? program : undefined
}

function install(): string | undefined {
  console.error(`installing ${NAME}@${VERSION} into ${home()} …`)
  mkdirSync(home(), { recursive: true })
  const manifest = {
    name: 'unloop-bench-gateways',
    private: true,
    dependencies: { [NAME]: VERSION },
    overrides: { [SERVER]: SERVER_VERSION },
  }
  writeFileSync(join(home(), 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev']
  // npm's variables about our workspace must not lead the install back into it
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle|config)_/i.test(name)),
  )
  // it takes 8 s; without a registry npm tries for minutes
  spawnSync('npm', args, { cwd: home(), env, stdio: 'ignore', timeout: 60_000 })
  return installed()
}

const folderOf = (name: string) => join(home(), 'node_modules', name)

function versionOf(name: string): string {
  return JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8')).version
}

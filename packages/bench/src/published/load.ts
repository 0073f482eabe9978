import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { peersFolder, publishedPackages, serviceFile } from './place.js'

/** The part of the published classes that we call. */
export interface PublishedService {
  reset(promptId: string, userPrompt?: string): void
  addAndCheck(event: { type: string; value: unknown }): boolean | { count: number }
}

export interface PublishedPeer {
  name: string
  version: string
  create(): PublishedService
}

/** The published packages that are installed at the wanted version; the others are named in `missing`. */
export async function loadPeers(): Promise<{ peers: PublishedPeer[]; missing: string[] }> {
  const peers: PublishedPeer[] = []
  const missing: string[] = []
  for (const { name, version } of Object.values(publishedPackages)) {
    const folder = join(peersFolder(), 'node_modules', name)
    const installed = existsSync(join(folder, serviceFile)) && (await versionOf(folder))
    if (installed !== version) {
      missing.push(`${name}@${version}`)
      continue
    }
    const { LoopDetectionService } = await quietly(
      () => import(pathToFileURL(join(folder, serviceFile)).href),
    )
    const create = () => new LoopDetectionService(createConfig()) as PublishedService
    peers.push({ name: name.replace(/^.*\//, ''), version, create })
  }
  return { peers, missing }
}

/** Whether the answer of `addAndCheck` means "stop": one class says a boolean, the other a count. */
export const isStop = (answer: boolean | { count: number }): boolean =>
  typeof answer === 'boolean' ? answer : answer.count > 0

async function versionOf(folder: string): Promise<string> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).version
}

/** The configuration that the classes need; telemetry gets `undefined` for everything else. */
function createConfig(): object {
  const nothing = () => undefined
  const rest = new Proxy({}, { get: (_target, key) => (key === 'then' ? undefined : nothing) })
  const no = () => false
  const config = Object.assign(Object.create(rest), {
    getDisableLoopDetection: no,
    getDebugMode: no,
    getTelemetryEnabled: no,
    getUsageStatisticsEnabled: no,
    getSkipLoopDetection: no,
    getSessionId: () => 'bench',
    getModel: () => 'a-model',
  })
  config.config = config
  return config
}

/** Their telemetry setup prints stack traces while it loads. */
async function quietly<T>(load: () => Promise<T>): Promise<T> {
  const { error, warn } = console
  console.error = console.warn = () => {}
  try {
    return await load()
  } finally {
    Object.assign(console, { error, warn })
  }
}

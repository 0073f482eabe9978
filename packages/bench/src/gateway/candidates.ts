import { once } from 'node:events'
import { startNginx } from './nginx.js'
import { startPortkey } from './portkey.js'
import { makeTemporaryFolder, startChild, stopProgram } from './processes.js'
import { startUnloop } from './unloop.js'

/** Something that answers chat completions on 127.0.0.1, in a process of its own. */
export interface Candidate {
  name: string
  version?: string
  port: number
  pid: number
  /** its answers tell what a guard made of the request */
  isGuarded?: boolean
  /** what it wants to be told with every request */
  headers: Record<string, string>
  stop(): Promise<void>
}

export interface Candidates {
  direct: Candidate
  /** the same proxy without a guard */
  plain: Candidate
  guarded: Candidate
  nginx?: Candidate
  portkey?: Candidate
  /** why those that are not there are not there */
  missing: string[]
  stop(): Promise<void>
}

export async function startUpstream(): Promise<Candidate> {
  const child = startChild('upstream-child')
  const [port] = (await once(child, 'message')) as [number]
  const stop = () => stopProgram(child)
  return { name: 'direct', port, pid: child.pid ?? 0, headers: {}, stop }
}

export async function startCandidates(withPeers: boolean): Promise<Candidates> {
  const folder = makeTemporaryFolder()
  const started: Candidate[] = []
  const stop = async () => {
    await Promise.all(started.map((candidate) => candidate.stop()))
  }
  const add = (candidate: Candidate) => {
    started.push(candidate)
    return candidate
  }
  try {
    const direct = add(await startUpstream())
    const url = `http://127.0.0.1:${direct.port}`
    const plain = add(await startUnloop('without guard', url, ['--on-loop', 'off']))
    const guarded = add({ ...(await startUnloop('with guard', url)), isGuarded: true })
    const candidates: Candidates = { direct, plain, guarded, missing: [], stop }
    if (!withPeers) return candidates
    const nginx = await startNginx(url, folder)
    if (typeof nginx === 'string') candidates.missing.push(nginx)
    else candidates.nginx = add(nginx)
    const portkey = await startPortkey(url, folder)
    if (typeof portkey === 'string') candidates.missing.push(portkey)
    else candidates.portkey = add(portkey)
    return candidates
  } catch (error) {
    await stop()
    throw error
  }
}

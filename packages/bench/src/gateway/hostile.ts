import { once } from 'node:events'
import { request } from 'node:http'
import type { Candidate } from './candidates.js'
import { type HostileBody, hostileBodies } from './hostile-bodies.js'
import { hostileCrowds } from './hostile-crowds.js'
import { peakMb, startChild, stopProgram } from './processes.js'
import { startUnloop } from './unloop.js'

/** What a gateway did while it was sent one hostile body. */
export interface HostileResult {
  name: string
  sentBytes: number
  /** the status of the answer to it, or why there was none */
  answer: string
  answeredMs: number
  /** how long another client waited for /healthz, at most; infinite if it got no answer */
  healthMs: number
  peakMb: number
}

// as long as another client is watched when nothing is sent, and after the answer: the gateway may still be cleaning up
const CALM_MS = 500
const ENOUGH_MS = 120_000

/** Sends each hostile body, or many at once, to a gateway of its own, whose upstream knows no key. The first result is of nothing sent at all. */
export async function measureHostile(log: (line: string) => void): Promise<HostileResult[]> {
  const upstream = startChild('refusing-child')
  try {
    const [port] = (await once(upstream, 'message')) as [number]
    const results = [await withGateway(port, 'nothing', 0, async () => 'nothing')]
    for (const hostile of hostileBodies) {
      const name = [hostile.name, hostile.encoding].filter(Boolean).join(', ')
      log(`hostile bodies: ${name} …`)
      const body = hostile.body()
      const send = (gateway: Candidate) => sendBody(gateway, hostile, body)
      results.push(await withGateway(port, name, body.length, send))
    }
    for (const { name, sentBytes, send } of hostileCrowds) {
      log(`hostile bodies: ${name} …`)
      results.push(await withGateway(port, name, sentBytes, (gateway) => send(gateway.port)))
    }
    return results
  } finally {
    await stopProgram(upstream)
  }
}

async function withGateway(
  upstream: number,
  name: string,
  sentBytes: number,
  send: (gateway: Candidate) => Promise<string>,
): Promise<HostileResult> {
  const gateway = await startUnloop('gateway', `http://127.0.0.1:${upstream}`)
  try {
    const other = startChild('health-child', [`${gateway.port}`])
    const ended = once(other, 'exit')
    await Promise.race([once(other, 'message'), ended])
    const start = performance.now()
    const answer = await send(gateway)
    const answeredMs = performance.now() - start
    await new Promise((resolve) => setTimeout(resolve, CALM_MS))
    const longest = Promise.race([
      once(other, 'message').then(([ms]) => ms as number),
      ended.then(() => Number.POSITIVE_INFINITY),
    ])
    if (other.connected) other.send('stop')
    const healthMs = await longest
    return { name, sentBytes, answer, answeredMs, healthMs, peakMb: peakMb(gateway.pid) }
  } finally {
    await gateway.stop()
  }
}

function sendBody(
  { port }: Candidate,
  { path, encoding }: HostileBody,
  body: Buffer,
): Promise<string> {
  return new Promise((resolve) => {
    const headers = {
      authorization: 'Bearer none',
      'content-type': 'application/json',
      'content-length': body.length,
      ...(encoding && { 'content-encoding': encoding }),
    }
    const options = { agent: false, host: '127.0.0.1', port, path, method: 'POST', headers }
    const sent = request(options, (response) => {
      response.once('error', (error) => resolve(error.message)).resume()
      response.once('end', () => resolve(`${response.statusCode}`))
    })
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.setTimeout(ENOUGH_MS, () => sent.destroy(new Error('no answer')))
    sent.end(body)
  })
}

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { type AdminParts, createAdminApp, createPublicApp } from './admin/app.js'
import { createAdmission } from './body/admission.js'
import { createBreath } from './body/breath.js'
import { createBodyReader } from './body/read.js'
import { type Config, toConfig } from './config/config.js'
import type { GatewayOptions } from './config/schema.js'
import { createGuardian } from './guard/guardian.js'
import { createGuardrails } from './guardrails/guardrails.js'
import { createLog, type Log, reasonOf } from './operator/log.js'
import { createMetrics, type Metrics } from './operator/metrics.js'
import { createObserver } from './operator/observer.js'
import { handle, refuse } from './proxy/handle.js'
import { createHostCheck } from './proxy/hosts.js'
import { createPipelines } from './proxy/pipelines.js'
import { createSenders } from './proxy/senders.js'
import { passUpgrade, refuseUpgrade } from './proxy/upgrade.js'
import { createConnections } from './proxy/upstreams.js'
import { createMemoryStore } from './store/memory.js'
import { createRedisStore } from './store/redis.js'
import type { Store } from './store/store.js'

/** A gateway that runs. */
export interface Gateway {
  /** where agents connect */
  url: string
  /** the live page, with its token */
  pageUrl: string
  /** Takes no more requests, and resolves when those that run are answered, or their time is over. */
  close(): Promise<void>
}

// of the gateway itself, and never of an upstream
const OWN = /^\/(unloop|metrics|guardrails\/portkey|beta\/litellm_basic_guardrail_api)(?=[/?]|$)/

// longer than load balancers keep a silent connection, so that they never use one that is being closed
const KEEP_ALIVE_MS = 75_000
const MINUTE_MS = 60_000

/**
 * Starts a gateway.
 *
 * @example
 * const gateway = await startGateway({ upstreams: { openai: { url: 'https://api.openai.com' } } })
 */
export async function startGateway(
  options: GatewayOptions = {},
  write: (line: string) => void = () => {},
): Promise<Gateway> {
  return runGateway(toConfig(options), write)
}

/** Starts a gateway with a configuration that was checked. */
export async function runGateway(config: Config, write: (line: string) => void): Promise<Gateway> {
  const log = createLog(write, config.isQuiet)
  const admission = createAdmission(config.limits.heldBytes)
  let open = 0
  let isDraining = false
  const metrics = createMetrics({
    sessions: () => guardian.size,
    openRequests: () => open,
    heldBytes: () => admission.bytes,
    isStoreUp: () => store.isUp,
  })
  const store = await openStore(config, log, metrics)
  const guardian = createGuardian(config, store, createObserver(metrics, log))
  const connections = createConnections()
  const breath = createBreath()
  const bodies = createBodyReader(config.limits, breath)
  const senders = createSenders()
  const parts = { config, connections, admission, breath, bodies, senders, guardian, metrics, log }
  const enter = createPipelines()
  const token = config.admin.token ?? randomBytes(18).toString('base64url')
  const adminParts: AdminParts = {
    store,
    metrics,
    token,
    isDraining: () => isDraining,
    guardrails: createGuardrails(config, metrics),
    admission,
    bodies,
    limits: config.limits,
  }
  const hasAdminPort = config.admin.port !== undefined
  const checkHost = createHostCheck(config.listen.host, config.listen.hosts)
  const checkAdminHost = createHostCheck(config.admin.host, config.listen.hosts)
  const admin = getRequestListener(createAdminApp(adminParts).fetch)
  const own = hasAdminPort ? getRequestListener(createPublicApp(adminParts).fetch) : admin

  const answer: RequestListener = (request, response) => {
    if (isDraining) response.setHeader('connection', 'close')
    // a connection would be kept for the next request
    response.once('close', () => isDraining && setImmediate(() => server.closeIdleConnections()))
    if (!enter(request, response)) return refuseMore(response)
    if (answerHealth(request, response, isDraining)) return
    const foreign = checkHost(request.headers)
    if (foreign) return refuse(response, 421, foreign)
    if (OWN.test(request.url ?? '')) return void own(request, response)
    open++
    response.once('close', () => open--)
    handle(parts, request, response).catch((error: unknown) => {
      log.error('internal', { reason: reasonOf(error) })
      response.destroy()
    })
  }
  const server = listener(config, answer)
  const webSockets = new Set<Duplex>()
  server.on('checkContinue', (request, response) => {
    // who announces too much is not asked for it
    if (Number(request.headers['content-length'] ?? 0) <= config.limits.bodyBytes)
      response.writeContinue()
    answer(request, response)
  })
  server.on('upgrade', (request, socket, head) => {
    if (checkHost(request.headers)) refuseUpgrade(socket, '421 Misdirected Request')
    else passUpgrade(webSockets, config, connections, request, socket, head)
  })
  const adminServer = hasAdminPort
    ? listener(config, (request, response) => {
        if (!enter(request, response)) return refuseMore(response)
        if (answerHealth(request, response, isDraining)) return
        const foreign = checkAdminHost(request.headers)
        if (foreign) return refuse(response, 421, foreign)
        void admin(request, response)
      })
    : undefined
  const url = await listen(server, config.listen.host, config.listen.port).catch(async (error) => {
    await store.close()
    throw error
  })
  const adminUrl = adminServer
    ? await listen(adminServer, config.admin.host, config.admin.port ?? 0).catch(async (error) => {
        server.close()
        await store.close()
        throw error
      })
    : url
  // without the token: logs are read by many
  log.info('listening', { url, page: `${adminUrl}/unloop` })

  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    isDraining = true
    log.info('draining', { open })
    await drain(server, webSockets, config.limits.drainMs)
    if (adminServer) await drain(adminServer, webSockets, 0)
    await guardian.settle()
    connections.close()
    await store.close()
    log.info('stopped')
  }

  return {
    url,
    pageUrl: `${adminUrl}/unloop#token=${token}`,
    close: () => (closing ??= close()),
  }
}

function refuseMore(response: ServerResponse): void {
  response.setHeader('connection', 'close')
  refuse(response, 429, 'too many requests at once on one connection; read the answers first')
}

/** Answers load balancers, also those that speak HTTP 1.0. */
function answerHealth(
  { url = '', method }: IncomingMessage,
  response: ServerResponse,
  isDraining: boolean,
): boolean {
  const [, path] = /^\/(healthz|readyz)(?:\?|$)/.exec(url) ?? []
  if (!path || (method !== 'GET' && method !== 'HEAD')) return false
  const isReady = path === 'healthz' || !isDraining
  response.writeHead(isReady ? 200 : 503, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ status: isReady ? 'ok' : 'draining' }))
  return true
}

function listener({ limits }: Config, answer: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headMs,
      requestTimeout: Math.max(limits.requestMs, limits.headMs),
      // how often the two are checked: every 30 seconds by default
      connectionsCheckingInterval: Math.min(5000, limits.headMs),
      keepAliveTimeout: KEEP_ALIVE_MS,
      noDelay: true,
    },
    answer,
  )
  server.maxConnections = limits.connections
  // Node would drop some of very many; their size is limited instead
  server.maxHeadersCount = 0
  return server
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening')
  const { address, family, port: bound } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`
}

/** Lets running answers come to their end, for a while. */
async function drain(server: Server, webSockets: Set<Duplex>, ms: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const timer = setTimeout(() => {
    server.closeAllConnections()
    for (const socket of webSockets) socket.destroy()
  }, ms)
  await closed
  clearTimeout(timer)
}

async function openStore({ store, limits }: Config, log: Log, metrics: Metrics): Promise<Store> {
  if (!store) return createMemoryStore(limits.sessions, limits.sessionIdleMs)
  let told = 0
  return createRedisStore(store, limits.sessionIdleMs, {
    failed(error) {
      // it is tried twice a second
      if (Date.now() - told < MINUTE_MS) return
      told = Date.now()
      log.error('redis', { reason: reasonOf(error) })
    },
    leftOut: () => metrics.storeTooLarge.inc(),
  })
}

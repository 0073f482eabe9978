import { readFileSync } from 'node:fs'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import { secureHeaders } from 'hono/secure-headers'
import { streamSSE } from 'hono/streaming'
import type { Admission } from '../body/admission.js'
import type { BodyReader } from '../body/read.js'
import type { Config } from '../config/config.js'
import type { Guardrails } from '../guardrails/guardrails.js'
import type { Metrics } from '../operator/metrics.js'
import { readBody } from '../proxy/read-body.js'
import type { Choice } from '../store/session.js'
import type { Store } from '../store/store.js'
import { isAllowed } from './auth.js'
import { choiceSchema } from './choice.js'
import { createLive, type Live } from './live.js'

export interface AdminParts {
  store: Store
  metrics: Metrics
  token: string
  isDraining(): boolean
  guardrails: Guardrails
  admission: Admission
  bodies: BodyReader
  limits: Config['limits']
}

/** What apps know of the connection. */
interface Served {
  Bindings: HttpBindings
}

const JSON_LIMIT = 64 * 2 ** 10
const LIVE_MS = 1000
const BEAT_MS = 15_000

const error = (message: string) => ({ error: { message } })

/** The paths that agents' ports have beside the proxy: for load balancers and for other gateways. */
export function createPublicApp({
  guardrails,
  admission,
  bodies,
  limits,
  metrics,
}: AdminParts): Hono<Served> {
  const app = new Hono<Served>()

  /** A guardrail has nothing against what is too long to be guarded. */
  function guardrail(path: string, judge: Guardrails['litellm'], pass: object): void {
    const unguarded = (context: Context, reason: string) => {
      metrics.unguarded.inc({ reason })
      return context.json(pass)
    }
    app.post(path, async (context) => {
      const { incoming, outgoing } = context.env
      const hold = admission.open()
      try {
        const received = await readBody(incoming, { ...limits, bodyBytes: Infinity }, hold)
        if (received.type === 'beginning') {
          // the rest of it is not read
          outgoing.setHeader('connection', 'close')
          return unguarded(context, received.reason)
        }
        const read = await bodies(received.body, hold, {
          name: incoming.socket.remoteAddress ?? '',
          isKnown: false,
        })
        if (!('reason' in read)) return context.json(await judge(read.body, read.breath))
        if (read.reason === 'unreadable') throw new SyntaxError('not JSON')
        return unguarded(context, read.reason)
      } finally {
        hold.give()
      }
    })
  }

  guardrail('/beta/litellm_basic_guardrail_api', guardrails.litellm, { action: 'NONE' })
  guardrail('/guardrails/portkey', guardrails.portkey, { verdict: true })
  app.onError((problem, context) =>
    problem instanceof HTTPException
      ? context.json(error(problem.message), problem.status)
      : context.json(error('the request cannot be read; it must be JSON'), 400),
  )
  return app
}

/** The live page, what it calls, and the metrics. */
export function createAdminApp(parts: AdminParts): Hono<Served> {
  const { store, metrics, token, isDraining } = parts
  const readLive = createLive(store)
  const app = createPublicApp(parts)

  app.use(
    '/unloop/*',
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        connectSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
      referrerPolicy: 'no-referrer',
      xFrameOptions: 'DENY',
    }),
  )
  app.get('/unloop', (context) =>
    context.body(page('index.html'), 200, { 'content-type': 'text/html; charset=utf-8' }),
  )
  app.get('/unloop/page.js', (context) =>
    context.body(page('page.js'), 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  )
  app.get('/unloop/page.css', (context) =>
    context.body(page('page.css'), 200, { 'content-type': 'text/css; charset=utf-8' }),
  )

  // a token in a header, never in a cookie: no other site can make a browser send it
  app.use('/unloop/api/*', async (context, next) => {
    if (!isAllowed(context.req.header('authorization'), token))
      return context.json(error('the token is missing or wrong'), 401)
    context.header('cache-control', 'no-store')
    await next()
  })
  app.get('/metrics', async (context) =>
    context.body(await metrics.registry.metrics(), 200, {
      'content-type': metrics.registry.contentType,
    }),
  )
  app.get('/unloop/api/sessions', async (context) => context.json(await readLive()))
  app.get('/unloop/api/live', (context) =>
    streamSSE(context, async (stream) => {
      let last = ''
      let sentAt = Date.now()
      while (!stream.aborted && !stream.closed && !isDraining()) {
        const live = await readLive()
        const text = textOf(live)
        if (text !== last) {
          await stream.writeSSE({ event: 'live', data: JSON.stringify(live) })
          sentAt = Date.now()
        } else if (Date.now() - sentAt > BEAT_MS) {
          await stream.write(': still here\n\n')
          sentAt = Date.now()
        }
        last = text
        await stream.sleep(LIVE_MS)
      }
    }),
  )
  app.post(
    '/unloop/api/sessions/:id/choice',
    bodyLimit({ maxSize: JSON_LIMIT }),
    async (context) => {
      if (!/^application\/json\b/.test(context.req.header('content-type') ?? ''))
        return context.json(error('the choice must be application/json'), 415)
      const { data, error: problem } = choiceSchema.safeParse(
        await context.req.json().catch(() => undefined),
      )
      if (!data) return context.json(error(problem.issues[0]?.message ?? 'not a choice'), 400)
      try {
        const choice = { at: Date.now(), ...data } as Choice
        if (await store.choose(context.req.param('id'), choice)) return context.body(null, 204)
        return context.json(error('there is no such session; it may have expired'), 404)
      } catch {
        return context.json(error('the store does not answer; try again when Redis is back'), 503)
      }
    },
  )
  app.notFound((context) => context.json(error('there is nothing at this path'), 404))
  return app
}

/** What has to change for the page to be told. */
const textOf = ({ at: _, ...rest }: Live) => JSON.stringify(rest)

const pages = new Map<string, string>()

/** A file of the page, as it was built. */
function page(name: string): string {
  const known =
    pages.get(name) ?? readFileSync(new URL(`../../dist/page/${name}`, import.meta.url), 'utf8')
  pages.set(name, known)
  return known
}

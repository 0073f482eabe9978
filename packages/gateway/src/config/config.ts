import type { GuardOptions } from 'unloop'
import type { z } from 'zod'
import { type Actions, type OnLoop, toActions } from './actions.js'
import { type Pattern, toPattern } from './pattern.js'
import { configSchema, type GatewayOptions, toGuardOptions } from './schema.js'

export type UpstreamProtocol = 'anthropic' | 'openai' | 'gemini'

/** A provider that requests may go to. */
export interface Upstream {
  name: string
  url: URL
  protocol: UpstreamProtocol | undefined
}

/** How much one session may use. */
export interface SessionBudget {
  requests?: number | undefined
  tokens?: number | undefined
  dollars?: number | undefined
}

/** An exception, with what it changes. */
export interface Rule {
  match: { upstream?: string; path?: Pattern; model?: Pattern; key?: string }
  actions?: { value: Actions | undefined }
  budget?: SessionBudget
}

/** The configuration, complete. */
export interface Config {
  listen: { host: string; port: number; hosts: readonly string[] }
  admin: { host: string; port: number | undefined; token: string | undefined }
  upstreams: readonly Upstream[]
  store: { url: string; isCluster: boolean } | undefined
  /** undefined if nothing is guarded */
  actions: Actions | undefined
  budget: SessionBudget
  guard: GuardOptions
  rules: readonly Rule[]
  limits: {
    bodyBytes: number
    guardedBytes: number
    guardedValues: number
    guardedMessages: number
    guardedCalls: number
    guardedDepth: number
    heldBytes: number
    headerBytes: number
    headMs: number
    requestMs: number
    connections: number
    connectMs: number
    idleMs: number
    drainMs: number
    sessions: number
    sessionIdleMs: number
  }
  isQuiet: boolean
}

/** What is wrong with a configuration, a line for each problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const PROVIDERS: Record<UpstreamProtocol, string> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com',
  gemini: 'https://generativelanguage.googleapis.com',
}

const LIMITS: Config['limits'] = {
  // images and long histories; providers refuse more
  bodyBytes: 100 * 2 ** 20,
  // as long as Anthropic takes, and longer than any context window; pictures count as well
  guardedBytes: 32 * 2 ** 20,
  // a call and its answer have about twenty
  guardedValues: 100_000,
  guardedMessages: 20_000,
  guardedCalls: 10_000,
  // schemas of tools go a tenth as deep
  guardedDepth: 200,
  // a quarter of the memory that our deployment files give an instance
  heldBytes: 256 * 2 ** 20,
  // cookies and traces of meshes; Node itself takes 16 KB
  headerBytes: 64 * 2 ** 10,
  // a head is a few packets; who sends it byte by byte wants to keep connections open
  headMs: 20_000,
  // 100 MB at 3 Mbit/s
  requestMs: 300_000,
  // at 45 KB each, half a gigabyte
  connections: 10_000,
  connectMs: 10_000,
  // a model that thinks says nothing for minutes
  idleMs: 600_000,
  drainMs: 30_000,
  sessions: 100_000,
  sessionIdleMs: 3_600_000,
}

/** Checks a configuration and fills in the rest; throws a `ConfigError`. */
export function toConfig(given: unknown): Config {
  const { data, error } = configSchema.safeParse(given ?? {})
  if (error) throw new ConfigError(error.issues.map(toLine).join('\n'))
  const { listen, admin, store, limits, log } = data
  const host = listen?.host ?? '127.0.0.1'
  const url = typeof store === 'object' ? store.url : store
  return {
    listen: { host, port: listen?.port ?? 8787, hosts: listen?.hosts ?? [] },
    admin: { host: admin?.host ?? host, port: admin?.port, token: admin?.token },
    upstreams: toUpstreams(data.upstreams),
    store:
      url === undefined || url === 'memory'
        ? undefined
        : { url, isCluster: typeof store === 'object' && store.cluster === true },
    actions: toActions((data.onLoop ?? 'respond') as OnLoop),
    budget: data.budget ?? {},
    guard: toGuardOptions(data.guard),
    rules: (data.rules ?? []).map((rule, at) => toRule(rule, at, data)),
    limits: { ...LIMITS, ...(limits as Partial<Config['limits']>) },
    isQuiet: log === 'quiet',
  }
}

function toUpstreams(given: GatewayOptions['upstreams']): Upstream[] {
  const all: NonNullable<typeof given> =
    given ?? Object.fromEntries(Object.entries(PROVIDERS).map(([name, url]) => [name, { url }]))
  return Object.entries(all).map(([name, { url, protocol }]) => ({
    name,
    url: toBase(url),
    protocol: protocol ?? (name in PROVIDERS ? (name as UpstreamProtocol) : undefined),
  }))
}

/** Paths of requests begin with the version, so an address that ends with one would have it twice. */
const toBase = (url: string): URL => new URL(url.replace(/\/v1(?:beta)?\/?$/, ''))

type RuleOptions = NonNullable<GatewayOptions['rules']>[number]

function toRule({ match, onLoop, budget }: RuleOptions, at: number, all: GatewayOptions): Rule {
  const { upstream, path, model, key } = match
  if (upstream !== undefined && all.upstreams && !(upstream in all.upstreams))
    throw new ConfigError(
      `rules[${at}].match.upstream: must be one of ${Object.keys(all.upstreams).join(', ')}, got ${upstream}`,
    )
  return {
    match: {
      ...(upstream !== undefined && { upstream }),
      ...(path !== undefined && { path: toPattern(path) }),
      ...(model !== undefined && { model: toPattern(model) }),
      ...(key !== undefined && { key: key.slice('sha256:'.length) }),
    },
    ...(onLoop !== undefined && { actions: { value: toActions(onLoop as OnLoop) } }),
    ...(budget && { budget }),
  }
}

type Issue = z.core.$ZodIssue

function toLine(issue: Issue): string {
  const where = issue.path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
  // what is wrong with a name is said inside
  const what = issue.code === 'invalid_key' ? issue.issues[0]?.message : issue.message
  return `${where.replace(/^\./, '') || 'the configuration'}: ${what}`
}

import {
  type Agent,
  type Approve,
  type BaseUrl,
  createAgent,
  createEmbeddedModel,
  createFileTools,
  createGuideTools,
  demoPersonas,
  type Model,
  resolveModel,
  type SavedSession,
  type SessionLog,
} from '@unloop/agent'
import type { Config } from '../config/config.js'
import { guardOptionsOf } from '../config/guard-options.js'
import type { Host } from '../host.js'
import type { ChatOptions } from './options.js'
import type { Watcher } from './watch/watcher.js'

export interface OpenAgentOptions {
  host: Host
  options: ChatOptions
  config: Config
  /** a person can decide about a loop */
  attended: boolean
  /** another model than the options and the configuration name */
  model?: string | undefined
  approve?: Approve | undefined
  saved?: SavedSession | undefined
  log?: SessionLog | undefined
  watcher: Watcher
}

/** The agent of a chat, as the options and the configuration want it. Throws a `ModelError`. */
export async function openAgent(open: OpenAgentOptions): Promise<Agent> {
  const { host, options, config, attended, approve, saved, log, watcher } = open
  const named = modelOf(options, config, saved)
  const spec = open.model ?? named
  const maxTurns = options.maxTurns ?? config.maxTurns
  const toModel = async (name: string) =>
    watcher.model(await openModel(name, host.env, baseUrlOf(name, named, options, config)))
  const tools = [...createFileTools(saved?.header.folder ?? host.cwd()), ...createGuideTools()]
  const agent = createAgent({
    model: await toModel(spec),
    tools: tools.map(watcher.tool),
    guard: {
      ...guardOptionsOf(config, options.preset),
      attended,
      onFinding: watcher.found,
    },
    guardMode: options.guard ?? config.mode ?? 'enforce',
    instructions: INSTRUCTIONS,
    // two that can hand the task back and forth
    ...(spec.startsWith('embedded') && { personas: demoPersonas }),
    ...(config.judge && {
      judge: {
        model: await toModel(config.judge.model),
        ...(config.judge.confirm && { confirm: await toModel(config.judge.confirm) }),
      },
    }),
    ...(approve && { approve }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(saved && { saved }),
    ...(log && { log: watcher.log(log) }),
  })
  // a saved conversation brings its own mode; what was asked for now counts more
  if (options.guard) agent.guardMode = options.guard
  return watcher.agent(agent)
}

/** The model of a chat by name: asked for, or that of the saved conversation, or the configured one. */
export const modelOf = (options: ChatOptions, config: Config, saved?: SavedSession): string =>
  options.model ?? saved?.header.model ?? config.model ?? 'embedded'

/**
 * The address that was given for a model: `--base-url` is for the provider of the chat's model, `baseUrl` for that of the
 * model configured beside it. With it goes the key, so every other provider is asked where it is. What is not trusted in a
 * configuration does not come here.
 */
export function baseUrlOf(
  name: string,
  spec: string,
  options: ChatOptions,
  config: Config,
): BaseUrl | undefined {
  if (options.baseUrl !== undefined && providerOf(name) === providerOf(spec)) {
    return { provider: providerOf(spec), url: options.baseUrl, isTrusted: true }
  }
  if (config.baseUrl === undefined || config.model === undefined) return
  return { provider: providerOf(config.model), url: config.baseUrl, isTrusted: true }
}

const providerOf = (spec: string) => spec.trim().split('/', 1)[0] ?? ''

export const isEmbedded = (spec: string) => spec === 'embedded' || spec.startsWith('embedded/')

/** The model of this name. Throws a `ModelError`. */
export async function openModel(
  spec: string,
  env: NodeJS.ProcessEnv,
  baseUrl: BaseUrl | undefined,
): Promise<Model> {
  const paceMs = Number(env.UNLOOP_PACE_MS)
  if (isEmbedded(spec) && env.UNLOOP_PACE_MS && paceMs >= 0) {
    const name = spec.split('/')[1]
    return createEmbeddedModel({ paceMs, ...(name && { name }) })
  }
  return resolveModel(spec, { env, ...(baseUrl && { baseUrl }) })
}

const INSTRUCTIONS = `You are a helpful assistant in a terminal, working in the person's current folder. Use the tools when they help, and answer in plain text, briefly.
If you are told that you repeat yourself, do something else or say what is missing.`

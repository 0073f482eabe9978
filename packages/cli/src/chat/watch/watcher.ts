import type { Agent, ClientEvent, Model, SessionLog, Tool } from '@unloop/agent'
import type { Finding } from 'unloop'
import type { Host } from '../../host.js'
import type { ChatOptions } from '../options.js'

/** Sees what an agent does, and changes nothing of it. */
export interface Watcher {
  model(model: Model): Model
  tool(tool: Tool): Tool
  agent(agent: Agent): Agent
  log(log: SessionLog): SessionLog
  found(finding: Finding): void
}

/** The watchers that the options and the program around us want; each is loaded only then. Throws a `UsageError`. */
export async function openWatchers(host: Host, options: ChatOptions): Promise<Watcher[]> {
  const watchers: Watcher[] = []
  if (options.debug !== undefined) {
    const { createDebugWatcher } = await import('./debug.js')
    watchers.push(createDebugWatcher(host, { ...options, debug: options.debug }))
  }
  if (hasTelemetry()) {
    const { createTelemetryWatcher } = await import('./telemetry.js')
    watchers.push(createTelemetryWatcher(host.env))
  }
  return watchers
}

/** Whether an OpenTelemetry SDK was registered before us: this is where its API keeps it, in every version 1. */
const hasTelemetry = () => Object.hasOwn(globalThis, Symbol.for('opentelemetry.js.api.1'))

/** All of them as one; the last sees it first. */
export const together = (watchers: readonly Watcher[]): Watcher => ({
  model: (model) => watchers.reduce((watched, watcher) => watcher.model(watched), model),
  tool: (tool) => watchers.reduce((watched, watcher) => watcher.tool(watched), tool),
  agent: (agent) => watchers.reduce((watched, watcher) => watcher.agent(watched), agent),
  log: (log) => watchers.reduce((watched, watcher) => watcher.log(watched), log),
  found(finding) {
    for (const watcher of watchers) watcher.found(finding)
  },
})

type Run = AsyncGenerator<ClientEvent, void, undefined>

/** The agent, with each of its runs handed through `watch`. */
export function withRuns(
  agent: Agent,
  watch: (run: Run, about: { name: string; request?: string }) => Run,
): Agent {
  return Object.assign(Object.create(agent), {
    sendMessageStream: (...args: Parameters<Agent['sendMessageStream']>) =>
      watch(agent.sendMessageStream(...args), { name: 'send', request: args[0] }),
    resume: (signal?: AbortSignal) => watch(agent.resume(signal), { name: 'resume' }),
    retry: (signal?: AbortSignal) => watch(agent.retry(signal), { name: 'retry' }),
    compact: (signal?: AbortSignal) => watch(agent.compact(signal), { name: 'compact' }),
  } satisfies Partial<Agent>)
}

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Agent, ClientEvent, Model, SessionLog } from '@unloop/agent'
import type { Host } from '../../host.js'
import type { ChatOptions } from '../options.js'
import { type DebugFile, openDebugFile } from './debug-file.js'
import { type Watcher, withRuns } from './watcher.js'

/** Writes what happens to the file of `--debug`. Throws a `UsageError` if it cannot be written. */
export function createDebugWatcher(host: Host, options: ChatOptions & { debug: string }): Watcher {
  const file = openDebugFile(resolve(host.cwd(), options.debug))
  file.write('start', {
    version: version(),
    node: process.version,
    platform: host.platform,
    pid: process.pid,
    options,
  })
  return {
    model: (model) => debugModel(model, file),
    tool: (tool) => tool,
    agent: (agent) => debugAgent(agent, file),
    log: (log) => debugLog(log, file),
    found: (finding) => file.write('finding', { finding }),
  }
}

const version = (): string =>
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version

/** Each request to a model, and how it ended. */
function debugModel(model: Model, file: DebugFile): Model {
  let count = 0
  return {
    ...model,
    async *stream(request, signal) {
      const id = ++count
      const about = { request: id, model: model.name }
      const { messages, tools } = request
      file.write('model-request', {
        ...about,
        messages: messages.length,
        bytes: Buffer.byteLength(JSON.stringify(request) ?? ''),
        tools: tools.map(({ name }) => name),
      })
      const start = performance.now()
      const tokens = { input: 0, cached: 0, output: 0 }
      let end: Record<string, unknown> = { outcome: 'left' }
      try {
        for await (const event of model.stream(request, signal)) {
          if (event.type === 'usage') {
            tokens.input += event.inputTokens ?? 0
            tokens.cached += event.cachedTokens ?? 0
            tokens.output += event.outputTokens ?? 0
          }
          if (event.type === 'finish') end = { outcome: 'finished', reason: event.reason }
          yield event
        }
      } catch (error) {
        end = { outcome: signal.aborted ? 'aborted' : 'failed', error: (error as Error).message }
        throw error
      } finally {
        const ms = Math.round(performance.now() - start)
        file.write('model-response', { ...about, ms, tokens, ...end })
      }
    },
  }
}

/** Each event of a run, with the text of a turn as one number, and what the guard thinks after each call. */
function debugAgent(agent: Agent, file: DebugFile): Agent {
  const watched = withRuns(agent, async function* (run, { name }) {
    const said = createSum(file)
    file.write('run', { run: name })
    try {
      for await (const event of run) {
        said.see(event)
        if (event.type === 'tool-result')
          file.write('explain', { detectors: agent.guard.explain() })
        yield event
      }
    } finally {
      said.flush()
      file.write('run-end', { run: name, turns: agent.turn, usage: agent.usage })
    }
  })
  return Object.assign(watched, {
    choose(choice: Parameters<Agent['choose']>[0]) {
      file.write('choice', { choice })
      return agent.choose(choice)
    },
    setModel(model: Model) {
      file.write('model', { from: agent.model.name, to: model.name })
      agent.setModel(model)
    },
  })
}

/** Sums deltas until something else happens. */
function createSum(file: DebugFile) {
  let sum: { type: string; characters: number; deltas: number } | undefined

  function flush() {
    if (sum) file.write('client-event', sum)
    sum = undefined
  }

  return {
    flush,
    see(event: ClientEvent) {
      if (event.type !== 'text' && event.type !== 'reasoning') {
        flush()
        return file.write('client-event', event)
      }
      if (sum?.type !== event.type) flush()
      sum ??= { type: event.type, characters: 0, deltas: 0 }
      sum.characters += event.text.length
      sum.deltas++
    },
  }
}

/** What is saved, and how much. */
function debugLog(log: SessionLog, file: DebugFile): SessionLog {
  return {
    ...log,
    append(entry) {
      file.write('save', { what: 'entry', role: entry.message.role })
      log.append(entry)
    },
    replace(entries) {
      file.write('save', { what: 'entries', count: entries.length })
      log.replace(entries)
    },
    state(state) {
      file.write('save', { what: 'state', turn: state.turn })
      log.state(state)
    },
  }
}

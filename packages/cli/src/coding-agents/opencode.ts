import { join } from 'node:path'
import type { AgentEvent } from 'unloop'
import { type CodingAgent, given, type Payload, textIn } from './coding-agent.js'
import { folderFrom } from './install.js'

/** opencode: its plugin file, which `unloop init` writes, tells events in our own words and does what it is told. */
export const opencode: CodingAgent = {
  name: 'opencode',
  title: 'opencode',
  program: 'opencode',
  limits: [
    'Hooks see a message only once it is complete, so repetition cannot be cut off mid-message.',
    'The plugin cannot ask the person; a run is aborted, and the reason is shown.',
  ],

  install: {
    home: (place) => join(folderFrom(place, 'XDG_CONFIG_HOME', '.config'), 'opencode'),
    files(scope, place, command) {
      const { home } = opencode.install
      const folder = scope === 'user' ? home(place) : join(place.project, '.opencode')
      const path = join(folder, 'plugin', 'unloop.js')
      return [{ type: 'template', path, template: 'opencode-plugin.js', command }]
    },
  },

  read(payload) {
    const hook = textIn(payload, 'hook')
    const session = textIn(payload, 'session')
    const event = hook && eventOf(hook, payload)
    if (!hook || !session || !event) return
    return { hook, session, folder: textIn(payload, 'folder'), event }
  },

  answer(_, decision) {
    if (decision.type !== 'go') {
      const { type, reason, notice } = decision
      return { stdout: { ...(type === 'stop' && { stop: true }), deny: reason, notice } }
    }
    const { advice, notice } = decision
    return advice === undefined && notice === undefined ? {} : { stdout: given({ advice, notice }) }
  },
}

function eventOf(hook: string, payload: Payload): AgentEvent | undefined {
  const id = textIn(payload, 'call')
  const name = textIn(payload, 'tool') ?? ''
  switch (hook) {
    case 'prompt':
      return {
        type: 'prompt',
        ...given({ id: textIn(payload, 'id'), text: textIn(payload, 'text') }),
      }
    case 'before':
      return { type: 'tool-call', ...given({ id }), name, args: payload.args }
    case 'after':
      return { type: 'tool-result', ...given({ id }), name, output: payload.output }
    case 'failed':
      return { type: 'tool-result', ...given({ id }), name, output: payload.output, isError: true }
    case 'text':
    case 'reasoning':
      return { type: hook, text: textIn(payload, 'text') ?? '' }
    case 'compaction':
      return { type: 'compaction' }
    default:
      return
  }
}

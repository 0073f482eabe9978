import { defineDetector } from '../detector.js'
import { bad } from '../options.js'
import { showCall } from '../sample.js'

interface State {
  /** calls per tool in this prompt, and the event of the first */
  tools: { name: string; count: number; first: number }[]
  /** whether the rule is for this model */
  strict: boolean
}

// more names than any agent has tools
const MAX_TOOLS = 256

export const callFlood = defineDetector({
  name: 'call-flood',
  finds: 'one tool called too often in a prompt, by a model known to run away',
  advice:
    'You have called this tool many times for this request. Use what you have learned so far, and finish or say what is missing.',
  stage: 'reference',
  plane: 'calls',
  on: ['prompt', 'tool-call'],

  // the strict rule of the DeepV fork: for models whose name matches, 4 for tools that read, 5 for others
  options: {
    models: 'preview',
    readLimit: 4,
    limit: 5,
    readTools: ['read_file', 'read_many_files', 'glob', 'search_file_content', 'ls'],
  },

  check({ models }) {
    try {
      new RegExp(models)
    } catch {
      throw bad('call-flood.models', 'must be a regular expression', models)
    }
  },

  start: (): State => ({ tools: [], strict: false }),

  observe(state, event, { log, options, number }) {
    if (event.type === 'prompt') state.strict = new RegExp(options.models, 'i').test(log.model)
    if (event.type !== 'tool-call' || !state.strict) return
    const tool = findTool(state, event.name, number)
    if (tool === undefined) return
    tool.count++
    const limit = limitFor(tool.name, options)
    if (tool.count < limit) return
    return {
      kind: 'tool-flood',
      detail: `${tool.name} was called ${tool.count} times in this request; ${log.model} may call it ${limit - 1} times`,
      identity: tool.name,
      count: tool.count,
      period: 1,
      since: tool.first,
      sample: showCall(tool.name, event.args),
      tool: tool.name,
    }
  },

  pressure({ tools, strict }, { options }) {
    const nothing = { pressure: 0, count: 0, limit: options.limit }
    if (!strict) return { ...nothing, excuse: 'this rule is not for this model' }
    return tools.reduce((most, { name, count }) => {
      const limit = limitFor(name, options)
      const pressure = Math.min(1, count / limit)
      return pressure > most.pressure ? { pressure, count, limit } : most
    }, nothing)
  },
})

function findTool(state: State, name: string, number: number): State['tools'][number] | undefined {
  const known = state.tools.find((tool) => tool.name === name)
  if (known || state.tools.length >= MAX_TOOLS) return known
  const tool = { name, count: 0, first: number }
  state.tools.push(tool)
  return tool
}

const limitFor = (
  name: string,
  options: { readTools: readonly string[]; readLimit: number; limit: number },
) => (options.readTools.includes(name) ? options.readLimit : options.limit)

import { type DetectorReport, defineDetector } from '../detector.js'
import { bad } from '../options.js'
import { isNamed, isRegExpLike } from '../reading/names.js'
import { showCall } from '../reading/sample.js'
import type { AgentLog } from '../rounds/log.js'
import { isProgress, toPressure } from '../rounds/rounds.js'

interface State {
  /** calls in this prompt, and in the current response */
  calls: number
  response: number
  first: number
  responseFirst: number
  /** answers that ended a response so far */
  resumed: number
  /** calls per tool, for models under the strict rule */
  tools: { name: string; count: number; first: number }[]
  strict: boolean
}

const STRIDE = 10
// more names than any agent has tools
const MAX_TOOLS = 256

export const callFlood = defineDetector({
  name: 'call-flood',
  finds:
    'too many calls: in one response, in one prompt, or to one tool by a model known to run away',
  advice:
    'You have made too many calls for this request. Use the answers you have: finish, or say what is missing.',
  stage: 'stable',
  plane: 'calls',
  on: ['prompt', 'turn-start', 'tool-call', 'retry'],

  // no recorded run comes near these limits, so no curve decides them; long honest work is known to make 100 calls
  // in a prompt, so they need a second sign; `models` turns on the strict rule of the DeepV fork, 4 for tools that read, 5 for others
  options: {
    calls: 100,
    hard: 1000,
    models: '',
    readLimit: 4,
    limit: 5,
    readTools: ['read_file', 'read_many_files', 'glob', 'search_file_content', 'ls'],
  },

  check({ models }) {
    if (isRegExpLike(models))
      throw bad(
        'call-flood.models',
        'must be names of models, not a regular expression: write "*preview*", with * for anything and commas between names',
        models,
      )
  },

  start: (): State => ({
    calls: 0,
    response: 0,
    first: -1,
    responseFirst: -1,
    resumed: 0,
    tools: [],
    strict: false,
  }),

  observe(state, event, { log, options, number }) {
    if (event.type === 'prompt') {
      state.strict = isNamed(options.models, log.model)
    }
    if (event.type === 'retry') state.calls -= state.response
    if (event.type !== 'tool-call') {
      state.response = 0
      return
    }
    if (state.resumed !== log.resumed) {
      state.resumed = log.resumed
      state.response = 0
    }
    if (state.calls++ === 0) state.first = number
    if (state.response++ === 0) state.responseFirst = number
    const sample = () => showCall(event.name, event.args)
    const strict = state.strict ? countTool(state, event.name, number) : undefined
    if (strict) {
      const limit = limitFor(strict.name, options)
      const detail = `${strict.name} was called ${strict.count} times in this request; ${log.model} may call it at most ${limit - 1} times`
      if (strict.count >= limit)
        return toReport('tool-flood', strict.count, strict.first, detail, sample(), strict.name)
    }
    const { calls, response } = state
    if (response >= options.calls) {
      const detail = `one response made ${response} calls`
      return toReport('response-flood', response, state.responseFirst, detail, sample(), event.name)
    }
    // only now and then: one more call makes no difference
    if (calls % STRIDE !== 0 || calls < options.calls) return
    const stuck = isBarren(log)
    if (!stuck && calls < options.hard) return
    const detail = `${calls} calls were made for this request${stuck ? ', and the last ones brought little new' : ''}`
    return toReport('prompt-flood', calls, state.first, detail, sample(), event.name)
  },

  pressure({ tools, strict, response, calls }, { options }) {
    const rows = [toPressure(response, options.calls), toPressure(calls, options.hard)]
    if (strict)
      rows.push(...tools.map(({ name, count }) => toPressure(count, limitFor(name, options))))
    return rows.reduce((most, row) => (row.pressure > most.pressure ? row : most))
  },
})

function countTool(state: State, name: string, number: number): State['tools'][number] | undefined {
  let tool = state.tools.find((known) => known.name === name)
  if (!tool && state.tools.length < MAX_TOOLS) {
    tool = { name, count: 0, first: number }
    state.tools.push(tool)
  }
  if (tool) tool.count++
  return tool
}

const limitFor = (
  name: string,
  options: { readTools: readonly string[]; readLimit: number; limit: number },
) => (options.readTools.includes(name) ? options.readLimit : options.limit)

/** The second sign: of the last fifty rounds, at most ten brought anything. */
function isBarren({ rounds }: AgentLog): boolean {
  const last = rounds.slice(-50).filter(({ answered }) => answered)
  return last.length === 50 && last.filter(isProgress).length <= 10
}

const toReport = (
  kind: string,
  count: number,
  since: number,
  detail: string,
  sample: string,
  tool: string,
): DetectorReport => ({
  kind,
  detail,
  identity: kind + (kind === 'tool-flood' ? tool : ''),
  count,
  period: 1,
  firstEvent: since,
  sample,
  tool,
})

import { defineDetector } from '../detector.js'
import { callKey } from '../reading/call-key.js'
import { showCall } from '../reading/sample.js'
import { toPressure } from '../rounds/rounds.js'

export const identicalCall = defineDetector({
  name: 'identical-call',
  finds: 'the same call several times in a row, whatever the answer',
  advice:
    'You have made this exact call several times in a row. Use the answer you have, or change the arguments or the tool.',
  stage: 'reference',
  plane: 'calls',
  on: ['tool-call'],

  // Gemini CLI and qwen-code stop at the fifth
  options: { limit: 5 },

  start: () => ({}),

  observe(_state, event, { log, options }) {
    if (event.type !== 'tool-call' || log.run < options.limit) return
    return {
      kind: 'identical-calls',
      detail: `${event.name} was called ${log.run} times in a row with the same arguments`,
      identity: callKey(event.name, event.args),
      count: log.run,
      period: 1,
      firstEvent: log.runStart,
      sample: showCall(event.name, event.args),
      tool: event.name,
    }
  },

  pressure: (_state, { log, options }) => toPressure(log.run, options.limit),
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentEvent, Certainty } from 'unloop'
import { START } from './transcripts.js'

/**
 * Writes a configuration with one detector, which reports what `telling` events say; of other calls, that they are a loop from
 * the given one on.
 */
export function writeOracleConfig(cwd: string, { likely = 1e9, certain = 1e9 } = {}): void {
  writeFileSync(
    join(cwd, 'unloop.config.mjs'),
    `import { defineDetector } from ${JSON.stringify(import.meta.resolve('unloop'))}
export default {
  detectors: [
    defineDetector({
      name: 'oracle', finds: 'what it is told', advice: 'Think again.',
      stage: 'trial', plane: 'calls', on: ['tool-call'], options: {},
      start: () => ({ since: {}, count: {} }),
      observe(state, event, { number }) {
        const { loop = event.name, ...told } = event.args
        state.since[loop] ??= number
        state.count[loop] = (state.count[loop] ?? 0) + 1
        const count = state.count[loop]
        const counted = count >= ${certain} ? 'certain' : count >= ${likely} ? 'likely' : undefined
        const certainty = told.certainty ?? counted
        if (certainty === undefined) return
        return {
          kind: 'told', certainty, detail: \`\${loop} was told \${count} times\`, identity: loop,
          count, period: 1, firstEvent: state.since[loop], sample: loop, tool: event.name,
        }
      },
      pressure: () => ({ pressure: 0.5, count: 1, limit: 2, certainty: 'likely' }),
    })(),
  ],
}
`,
  )
}

/** A run in which the oracle is told of one loop, a minute and 1,000 tokens each time. */
export function telling(
  certainties: readonly (Certainty | undefined)[],
  { loop = 'a', at = START } = {},
): AgentEvent[] {
  const turns = certainties.map((certainty, n): AgentEvent[] => {
    const when = { at: at + n * 60_000 }
    const id = `${loop}${n}`
    return [
      { type: 'tool-call', id, name: 'tell', args: { certainty, loop }, ...when },
      { type: 'tool-result', id, output: `answer ${n}`, ...when },
      { type: 'usage', model: 'claude-sonnet-4-5', inputTokens: 900, outputTokens: 100, ...when },
    ]
  })
  return [{ type: 'prompt', text: 'go', at }, ...turns.flat()]
}

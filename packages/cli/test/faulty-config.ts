import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes a configuration with a detector that throws, one that reports nonsense, and one that works. */
export function writeFaultyConfig(cwd: string): void {
  writeFileSync(
    join(cwd, 'unloop.config.mjs'),
    `import { defineDetector, repeatedCall } from ${JSON.stringify(import.meta.resolve('unloop'))}
const detector = (name, observe) =>
  defineDetector({
    name, finds: 'x', advice: 'x', stage: 'trial', plane: 'calls', options: {},
    on: ['tool-call', 'tool-result'],
    start: () => ({}), observe, pressure: () => ({ pressure: 0, count: 0, limit: 1 }),
  })()
export default {
  detectors: [
    detector('thrower', () => {
      throw new Error('boom\\u001b[2J sk-abcdefghijklmnopqrstuv1234')
    }),
    detector('liar', (_, event) => (event.type === 'tool-result' ? { firstEvent: 0, detail: 5 } : undefined)),
    repeatedCall(),
  ],
}
`,
  )
}

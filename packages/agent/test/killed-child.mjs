// Runs the built agent for ever and prints the number of each finished turn; its parent kills it.
import {
  createAgent,
  createEmbeddedModel,
  createGuideTools,
  createSessionLog,
} from '../dist/index.js'

const saved = {
  header: { id: 's1', model: 'embedded/demo', folder: '.', createdAt: '2026-11-15T00:00:00Z' },
  entries: [],
  state: undefined,
}
const agent = createAgent({
  model: createEmbeddedModel({ paceMs: 1 }),
  tools: createGuideTools(),
  guardMode: 'off',
  saved,
  log: createSessionLog(process.argv[2], saved),
})
for await (const event of agent.sendMessageStream('/stuck repeated-call')) {
  if (event.type === 'turn-start') process.stdout.write(`${event.turn - 1}\n`)
}

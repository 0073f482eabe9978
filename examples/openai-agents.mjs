// Two agents of the OpenAI Agents SDK that hand a task back and forth, with two lines of unloop.
// npm i unloop @openai/agents
import assert from 'node:assert/strict'
import { Agent, OpenAIProvider, Runner, setTraceProcessors } from '@openai/agents'
import { createGuard } from 'unloop'
import { guardRunner } from 'unloop/openai-agents'
import { startStuckModel } from './stuck-model.mjs'

const model = await startStuckModel(({ instructions }) => ({
  name: instructions === 'Sell.' ? 'transfer_to_support' : 'transfer_to_sales',
}))
const sales = new Agent({ name: 'sales', instructions: 'Sell.', model: 'gpt-5' })
const support = new Agent({ name: 'support', instructions: 'Help.', model: 'gpt-5' })
sales.handoffs = [support]
support.handoffs = [sales]
const modelProvider = new OpenAIProvider({ apiKey: 'none', baseURL: `${model.url}/v1` })

// tracing is on, as it is by default, but the traces stay on this machine
setTraceProcessors([])

const guard = createGuard()
const runner = guardRunner(guard, new Runner({ modelProvider }))
const { finalOutput } = await runner.run(sales, 'My order is late.', { maxTurns: 50 })
model.close()

console.log(finalOutput)
for (const { action, detail } of guard.findings) console.log(`${action}: ${detail}`)
console.log(`ended after ${model.requests} of 50 turns`)
assert.deepEqual(
  guard.findings.map(({ detector }) => detector),
  ['ping-pong', 'ping-pong', 'ping-pong'],
)
assert.ok(model.requests < 12)

// A server in several processes: the guards of its conversations are in Redis, and any process goes on with any of them.
// It needs a Redis server: REDIS_URL=redis://127.0.0.1:6379 node redis.mjs
// npm i unloop openai redis
import assert from 'node:assert/strict'
import OpenAI from 'openai'
import { createClient } from 'redis'
import { createGuards } from 'unloop/host'
import { guardClient, refusal } from 'unloop/openai'
import { startStuckModel } from './stuck-model.mjs'

const redis = await createClient({ url: process.env.REDIS_URL }).connect()
const model = await startStuckModel(() => ({ name: 'read_file', args: { path: 'login.ts' } }))

/** What each process of the server does when it starts. */
function startProcess() {
  const guards = createGuards({
    store: {
      get: (key) => redis.get(key),
      set: (key, value, timeToLiveMs) => redis.set(key, value, { PX: timeToLiveMs }),
      delete: (key) => redis.del(key),
    },
    idleMs: 60 * 60_000,
  })
  const client = guardClient(guards, new OpenAI({ apiKey: 'none', baseURL: `${model.url}/v1` }))
  return { guards, client }
}

const processes = [startProcess(), startProcess(), startProcess()]
const tools = [{ type: 'function', function: { name: 'read_file', parameters: {} } }]

/** One conversation, each request of which is served by another process. */
async function talk(prompt) {
  const messages = [{ role: 'user', content: prompt }]
  for (let request = 0; request < 50; request++) {
    const { guards, client } = processes[request % processes.length]
    const { choices } = await client.chat.completions.create({ model: 'gpt-5', messages, tools })
    const [{ message }] = choices
    messages.push(message)
    if (!message.tool_calls) return message.content
    for (const { id } of message.tool_calls) {
      const content = refusal(guards, id) ?? 'content of login.ts'
      messages.push({ role: 'tool', tool_call_id: id, content })
    }
  }
  return 'never ended'
}

const answers = await Promise.all(['Why does the login fail?', 'And mine?'].map(talk))
for (const answer of answers) console.log(answer)
console.log(`${await redis.dbSize()} guards are in Redis`)
model.close()
redis.destroy()
for (const answer of answers) assert.match(answer, /^Stopped: read_file was called/)

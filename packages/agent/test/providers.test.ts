import { type Provider, type Script, startProvider } from '@unloop/testing'
import { presets } from 'unloop/presets'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AgentOptions, createAgent } from '../src/agent.js'
import { resolveModel } from '../src/models/resolve-model.js'
import { defineTool } from '../src/tool.js'
import { collect, ofType } from './collect.js'

let provider: Provider | undefined
afterEach(async () => {
  await provider?.close()
  provider = undefined
})

const SPECS = ['openai/gpt-5', 'anthropic/claude-opus-4', 'google/gemini-3-pro', 'compatible/qwen3']

const readFile = defineTool({
  name: 'read_file',
  description: 'Reads a file.',
  parameters: z.object({ path: z.string() }),
  effect: 'reads',
  execute: ({ path }) => `content of ${path}`,
})

async function start(spec: string, script: Script, options: Partial<AgentOptions> = {}) {
  provider = await startProvider(script)
  const { url } = provider
  const env = {
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: `${url}/v1`,
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: url,
    GEMINI_API_KEY: 'k',
    GOOGLE_GEMINI_BASE_URL: url,
  }
  const baseUrl = spec.startsWith('compatible') ? { baseUrl: `${url}/v1` } : {}
  const model = await resolveModel(spec, { env, ...baseUrl })
  return { agent: createAgent({ model, tools: [readFile], ...options }), provider }
}

const READ = { calls: [{ name: 'read_file', args: { path: 'login.ts' } }] }

describe.each(SPECS)('%s', (spec) => {
  it('is warned, refused and stopped in a protocol that takes each message', async () => {
    const { agent, provider } = await start(spec, () => READ)
    const events = await collect(agent.sendMessageStream('Why does the login fail?'))
    expect(ofType(events, 'loop_warning').map(({ finding }) => finding.action)).toEqual([
      'warn',
      'block',
    ])
    expect(events.at(-1)).toMatchObject({ type: 'loop_detected', finding: { action: 'stop' } })
    expect(ofType(events, 'error')).toEqual([])
    const [warning] = ofType(events, 'loop_warning')
    const bodies = provider.exchanges.map(({ body }) => JSON.stringify(body))
    const last = bodies.length - 1
    expect(bodies.findIndex((body) => body.includes(warning?.finding.advice ?? ''))).toBe(last - 1)
    expect(bodies.findIndex((body) => body.includes('Not run.'))).toBe(last)
  })

  it('is hung up on for real when it chants, and goes on after a word', async () => {
    const chant = { text: 'I check the file once again. '.repeat(2000), pauseMs: 1 }
    const { agent, provider } = await start(spec, [chant, { text: 'Here it is.' }])
    const events = await collect(agent.sendMessageStream('Where is it?'))
    expect(await (await provider.exchange(0)).disconnected).toBe(true)
    expect(ofType(events, 'loop_warning')[0]?.finding.action).toBe('cut')
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
  })

  it('is hung up on for real when a loop ends the run, and nothing comes after it', async () => {
    const text = 'Let me think about this for a while. '.repeat(500)
    const { agent, provider } = await start(spec, () => ({ text, pauseMs: 1 }), {
      guard: { preset: presets['gemini-cli'] },
    })
    const events = await collect(agent.sendMessageStream('Where is it?'))
    expect(events.at(-1)?.type).toBe('loop_detected')
    expect(await (await provider.exchange(0)).disconnected).toBe(true)
    expect(provider.exchanges).toHaveLength(1)
  })

  it('is asked again after an outage, as late as it wants', async () => {
    const { agent } = await start(spec, [
      { status: 429, headers: { 'retry-after-ms': '3' } },
      { text: 'He', fault: 'cut' },
      { text: 'Hello.' },
    ])
    const events = await collect(agent.sendMessageStream('Hi'))
    expect(ofType(events, 'retry')).toHaveLength(2)
    expect(ofType(events, 'retry')[0]?.afterMs).toBe(3)
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
  })

  it('names the failure and what to do when the key is wrong', async () => {
    const { agent } = await start(spec, () => ({ status: 401, message: 'bad key' }))
    const events = await collect(agent.sendMessageStream('Hi'))
    expect(events.at(-1)).toMatchObject({ type: 'error', kind: 'refused' })
    expect(ofType(events, 'retry')).toEqual([])
  })
})

// Gemini sends arguments as an object, so there they cannot be broken by themselves
it.each(SPECS.filter((spec) => !spec.startsWith('google')))(
  '%s is told what was wrong with arguments that are no JSON',
  async (spec) => {
    const { agent, provider } = await start(spec, [
      { calls: [{ name: 'read_file', rawArgs: '{"path": "a' }] },
      { text: 'Sorry.' },
    ])
    const events = await collect(agent.sendMessageStream('Read a.'))
    expect(ofType(events, 'tool-result')[0]?.output).toContain('The arguments cannot be read')
    expect(provider.exchanges).toHaveLength(2)
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
  },
)

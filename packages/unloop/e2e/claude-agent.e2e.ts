import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, startProvider } from '@unloop/testing'
import { guardQuery, outcomeOf } from 'unloop/claude-agent'
import { afterAll, expect, it } from 'vitest'
import type { AgentEvent } from '../src/event.js'
import { createGuard } from '../src/guard.js'
import { listening, type Program, testAdapter } from '../test/adapters/test-adapter.js'
import { findSdk } from './sdks.js'

// biome-ignore lint/suspicious/noExplicitAny: the SDK is not installed here; `types/claude-agent.ts` holds what we use of it
type Any = any

const sdk = findSdk('claude-agent')
const { query, tool, createSdkMcpServer } = await sdk.load('@anthropic-ai/claude-agent-sdk')
const { z } = await sdk.load('zod')

const home = await makeFolder()
afterAll(() => home.remove())

const optionsOf = ({ url, readFile, signal }: Program) => {
  const abortController = new AbortController()
  signal.addEventListener('abort', () => abortController.abort())
  const read = tool('read_file', 'Reads a file.', { path: z.string() }, async ({ path }: Any) => ({
    content: [{ type: 'text', text: readFile(path) }],
  }))
  return {
    abortController,
    cwd: home.path,
    // nothing of this machine, and nothing but the tool
    settingSources: [],
    tools: [],
    allowedTools: ['mcp__files__read_file'],
    mcpServers: { files: createSdkMcpServer({ name: 'files', version: '1.0.0', tools: [read] }) },
    env: {
      PATH: process.env.PATH,
      HOME: home.path,
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_AGENT_SDK_MCP_NO_PREFIX: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  }
}

async function run(program: Program, more: object): Promise<string> {
  const ask = program.guard ? guardQuery(program.guard, query) : query
  const options = { ...optionsOf(program), ...more }
  let text = ''
  for await (const message of ask({ prompt: program.prompt, options })) {
    if (message.type === 'result') text = message.result ?? ''
  }
  return text
}

// each session has an id, which is also the user's
const steady = ({ messages, system, tools, model }: Any) => ({ messages, system, tools, model })

testAdapter('claude-agent', {
  streams: false,
  // a call runs when its hook has allowed it, whatever comes behind it
  seesRounds: false,
  outcomeOf,
  steady,
  times: 3,
  run: (program) => run(program, {}),
})

testAdapter('claude-agent, partial messages', {
  streams: true,
  seesRounds: false,
  outcomeOf,
  steady,
  times: 3,
  run: (program) => run(program, { includePartialMessages: true }),
})

const program = (url: string): Program => ({
  url,
  guard: createGuard(),
  prompt: 'Why does the login fail?',
  signal: new AbortController().signal,
  readFile: (path) => `content of ${path}`,
})

it('has the types of the SDK', () => sdk.checkTypes('claude-agent'))

it('does what the example says', async () => {
  expect(await sdk.runExample('claude-agent')).toContain('stop: mcp__files__read_file was called')
})

it('refuses a tool of the program itself, beside hooks of your own', async () => {
  const provider = await startProvider((_, turn) =>
    turn < 4
      ? { calls: [{ name: 'Read', args: { file_path: join(home.path, 'login.ts') } }] }
      : { text: 'Done.' },
  )
  await writeFile(join(home.path, 'login.ts'), 'export function login() {}')
  const heard: string[] = []
  const own = { hooks: [async ({ tool_use_id }: Any) => heard.push(tool_use_id) && {}] }
  const of = program(provider.url)
  const text = await run(of, {
    tools: ['Read'],
    allowedTools: ['Read'],
    hooks: { PreToolUse: [own] },
  })
  await provider.close()
  expect(text).toBe('Done.')
  expect(of.guard?.findings.map(({ action }) => action)).toEqual(['warn', 'block'])
  const last = JSON.stringify(provider.exchanges.at(-1)?.body.messages)
  expect(last).toContain(JSON.stringify(of.guard?.findings[1]?.advice).slice(1, -1))
  expect(heard).toHaveLength(4)
  expect(of.guard?.faults).toEqual([])
})

it('sees that a call was not permitted', async () => {
  const provider = await startProvider(() => ({
    calls: [{ name: 'read_file', args: { path: 'login.ts' } }],
  }))
  const of = program(provider.url)
  await run(of, { allowedTools: [] })
  await provider.close()
  expect(of.guard?.findings[0]).toMatchObject({ action: 'warn', count: 3 })
  expect(of.guard?.stopped).toBe(true)
})

it('goes on with the next prompt after a cut', async () => {
  const chant = 'I will check the configuration once again. '.repeat(2000)
  const provider = await startProvider([
    { text: chant, pauseMs: 1 },
    { text: chant, pauseMs: 1 },
    { text: 'Done.' },
  ])
  const of = program(provider.url)
  const ask = guardQuery(createGuard(), query)
  const results: string[] = []
  let next = () => {}
  async function* prompts() {
    for (const content of ['one', 'two', 'three']) {
      const answered = new Promise<void>((resolve) => {
        next = resolve
      })
      yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null }
      await answered
    }
  }
  const options = { ...optionsOf(of), includePartialMessages: true }
  for await (const message of ask({ prompt: prompts(), options })) {
    if (message.type !== 'result') continue
    results.push(message.result ?? message.subtype)
    next()
  }
  await provider.close()
  expect(results).toEqual(['error_during_execution', 'error_during_execution', 'Done.'])
})

/** A sub-agent of the run, which says this and then reads one file after the other. */
async function delegate(text: string, files: number, more: object, guard = createGuard()) {
  const provider = await startProvider(({ body }: Any) => {
    const isMain = JSON.stringify(body.messages).includes('the login')
    const turn = body.messages.filter(({ role }: Any) => role === 'assistant').length
    const args = { path: `src/part-${turn}.ts` }
    if (!isMain && turn < files) return { text, calls: [{ name: 'read_file', args }] }
    if (!isMain || turn > 0) return { text: isMain ? 'Done.' : text }
    const task = { description: 'read', prompt: 'Read all.', subagent_type: 'reader' }
    return { calls: [{ name: 'Agent', args: { ...task, run_in_background: false } }] }
  })
  const of = { ...program(provider.url), guard }
  const agents = { reader: { description: 'reads', prompt: 'You read.', tools: ['read_file'] } }
  await run(of, { tools: ['Agent'], agents, forwardSubagentText: true, ...more })
  await provider.close()
  expect(guard.faults).toEqual([])
  return guard.findings
}

const MODES = [{}, { includePartialMessages: true }]

it.each(MODES)('lets a sub-agent say the same before each file: %j', async (more) => {
  const events: AgentEvent[] = []
  const findings = await delegate('Let me look.', 20, more, listening(events))
  expect(findings).toEqual([])
  const [first] = events.flatMap(({ agent }) => agent ?? [])
  const said = events.filter(({ agent, type }) => agent === first && type !== 'tool-result')
  const round = ['text', 'tool-call']
  expect(said.slice(0, 40).map(({ type }) => type)).toEqual(Array(20).fill(round).flat())
})

it.each(MODES)('hears a sub-agent that chants: %j', async (more) => {
  const [finding] = await delegate('I will do it again. '.repeat(150), 0, more)
  expect(finding).toMatchObject({ detector: 'chanting', action: 'cut', agent: expect.any(String) })
})

it.each(MODES)(
  'hears words before the calls after them, however late you read: %j',
  async (more) => {
    const provider = await startProvider((_, turn) =>
      turn < 20
        ? {
            text: 'Let me look.',
            calls: [{ name: 'read_file', args: { path: `src/part-${turn}.ts` } }],
          }
        : { text: 'Done.' },
    )
    const events: AgentEvent[] = []
    const guard = listening(events)
    const of = program(provider.url)
    const options = { ...optionsOf(of), ...more }
    const read: string[] = []
    for await (const { type, result } of guardQuery(guard, query)({ prompt: of.prompt, options })) {
      if (read.length === 0) await provider.exchange(20)
      read.push(result ?? type)
    }
    await provider.close()
    expect(read.at(-1)).toBe('Done.')
    expect(read.filter((type) => type === 'user')).toHaveLength(20)
    expect(guard.findings).toEqual([])
    const said = events.flatMap(({ type }) => (/text|turn|call/.test(type) ? [type] : []))
    const round = ['turn-start', 'text', 'tool-call']
    expect(said.filter((type, at) => type !== said[at - 1]).slice(0, 60)).toEqual(
      Array(20).fill(round).flat(),
    )
  },
)

it.each(MODES)('ends when you leave, also before its time: %j', async (more) => {
  const provider = await startProvider(() => ({ text: 'one two three '.repeat(50), pauseMs: 1 }))
  const of = program(provider.url)
  async function* prompts() {
    yield { type: 'user', message: { role: 'user', content: 'one' }, parent_tool_use_id: null }
    // the person says nothing more
    await new Promise(() => {})
  }
  const options = { ...optionsOf(of), ...more }
  const messages = guardQuery(createGuard(), query)({ prompt: prompts(), options })
  for await (const { type } of messages) if (type === 'result') break
  expect(await messages.next()).toEqual({ done: true, value: undefined })
  await provider.close()
})

import { presets } from 'unloop/presets'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AgentOptions, createAgent } from '../src/agent.js'
import type { Choice } from '../src/choice.js'
import { createGuideTools } from '../src/guide/guide-tools.js'
import { textOf } from '../src/message.js'
import { createEmbeddedModel, demoPersonas, STUCK_KINDS } from '../src/models/embedded.js'
import { defineTool } from '../src/tool.js'
import { collect, ofType } from './collect.js'
import { calling, says, scriptedModel } from './scripted-model.js'

function readTool(answer = (_path: string) => 'export function login() {}') {
  const runs: string[] = []
  const tool = defineTool({
    name: 'read_file',
    description: 'reads a file',
    parameters: z.object({ path: z.string() }),
    effect: 'reads',
    execute({ path }) {
      runs.push(path)
      return answer(path)
    },
  })
  return { tool, runs }
}

const reads = (path: string) => calling(['read_file', { path }])
const same = () => reads('login.ts')

/** An agent that reads one file for ever. */
function stuckAgent(options: Partial<AgentOptions> = {}) {
  const { tool, runs } = readTool()
  const model = scriptedModel(same)
  return { agent: createAgent({ model, tools: [tool], ...options }), runs, model }
}

describe('the ladder', () => {
  it('warns, then refuses the call, then stops the run', async () => {
    const { agent, runs } = stuckAgent()
    const events = await collect(agent.sendMessageStream('why?'))
    expect(ofType(events, 'loop_warning').map(({ finding }) => finding.action)).toEqual([
      'warn',
      'block',
    ])
    expect(ofType(events, 'loop_detected').map(({ finding }) => finding.action)).toEqual(['stop'])
    // all but the one that was refused; of the last one nobody was told
    expect(runs).toHaveLength(ofType(events, 'tool-call').length - 1)
  })

  it('puts the warning before the model after the results, where every protocol takes it', async () => {
    const { agent, model } = stuckAgent()
    const events = await collect(agent.sendMessageStream('why?'))
    const [warning] = ofType(events, 'loop_warning')
    const told = { role: 'user', content: warning?.finding.advice, from: 'guard' }
    const first = model.requests.find(
      ({ messages }) => messages.at(-1)?.role === 'user' && messages.length > 1,
    )
    expect(first?.messages.at(-1)).toEqual(told)
    expect(first?.messages.at(-2)?.role).toBe('tool')
  })

  it('answers a refused call with the reason, and does not run it', async () => {
    const { agent } = stuckAgent()
    const events = await collect(agent.sendMessageStream('why?'))
    const result = ofType(events, 'tool-result').at(-1)
    expect(result).toMatchObject({ isError: true })
    expect(result?.output).toMatch(/^Not run\. /)
  })

  it('asks instead of stopping where a person is there', async () => {
    const { agent } = stuckAgent({ guard: { attended: true } })
    const events = await collect(agent.sendMessageStream('why?'))
    expect(events.at(-1)).toMatchObject({ type: 'loop_detected', finding: { action: 'ask' } })
    expect(agent.stopped?.detector).toBe('repeated-call')
  })

  it('cuts a chant, tells the model, and lets it try again', async () => {
    const chant = [
      ...Array.from({ length: 300 }, () => ({
        type: 'text' as const,
        text: 'I check the file again. ',
      })),
      { type: 'finish' as const, reason: 'stop' as const },
    ]
    const model = scriptedModel([chant, says('Here is the answer.')])
    const agent = createAgent({ model })
    const events = await collect(agent.sendMessageStream('why?'))
    const [warning] = ofType(events, 'loop_warning')
    expect(warning?.finding).toMatchObject({ detector: 'chanting', action: 'cut' })
    expect(model.aborted).toEqual([0])
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ from: 'guard' })
    const said = agent.history[1]
    expect(said && textOf(said).length).toBeLessThan(300)
  })
})

describe('a loop that ends the run', () => {
  it('is the last event, and no tool of that turn runs', async () => {
    const { tool, runs } = readTool()
    const other = readTool()
    const { agent: first, model: asked } = stuckAgent()
    await collect(first.sendMessageStream('why?'))
    const last = asked.requests.length - 1
    const model = scriptedModel((turn) =>
      turn < last ? same() : calling(['other', { path: 'b' }], ['read_file', { path: 'login.ts' }]),
    )
    const agent = createAgent({ model, tools: [tool, { ...other.tool, name: 'other' }] })
    const events = await collect(agent.sendMessageStream('why?'))
    expect(events.at(-1)?.type).toBe('loop_detected')
    expect(ofType(events, 'loop_detected')).toHaveLength(1)
    expect(other.runs).toEqual([])
    expect(runs).toHaveLength(last - 1)
    expect(model.aborted).toContain(last)
  })

  it('tells the model why, in a history that is fit to be sent', async () => {
    const { agent, model } = stuckAgent()
    const events = await collect(agent.sendMessageStream('why?'))
    const [end] = ofType(events, 'loop_detected')
    expect(agent.history.at(-1)).toMatchObject({ role: 'user', from: 'guard' })
    expect(textOf(agent.history.at(-1) as never)).toContain(end?.finding.detail)
    const before = model.requests.length
    await collect(agent.sendMessageStream('something else'))
    const sent = model.requests[before]?.messages ?? []
    for (const [index, message] of sent.entries()) {
      const calls =
        message.role === 'assistant' && message.content.some(({ type }) => type === 'tool-call')
      expect(sent[index + 1]?.role === 'tool', `after message ${index}`).toBe(calls)
    }
  })

  it('goes unseen with the guard off, and is only recorded with it observing', async () => {
    for (const guardMode of ['off', 'observe'] as const) {
      const { agent } = stuckAgent({ guardMode, maxTurns: 12 })
      const events = await collect(agent.sendMessageStream('why?'))
      expect(events.at(-1)?.type).toBe('turn-limit')
      expect(ofType(events, 'loop_warning')).toEqual([])
      expect(agent.guard.findings.length > 0).toBe(guardMode === 'observe')
    }
  })
})

describe('the choice', () => {
  async function choosing(choice: Choice) {
    const { agent, runs, model } = stuckAgent({ guard: { attended: true } })
    await collect(agent.sendMessageStream('why?', undefined, 'p1'))
    const asked = model.requests.length
    const before = runs.length
    agent.choose(choice)
    const events = await collect(agent.resume())
    return { agent, runs, before, model, events, sent: model.requests[asked]?.messages ?? [] }
  }

  it('to continue once lets it pass, and asks again', async () => {
    const { runs, before, events, sent } = await choosing({ type: 'continue-once' })
    expect(runs).toHaveLength(before + 1)
    expect(events.at(-1)).toMatchObject({ type: 'loop_detected' })
    expect(sent.at(-1)?.role).not.toBe('user')
  })

  it('to allow the tool never asks about it again', async () => {
    const { runs, events } = await choosing({ type: 'allow' })
    expect(events.at(-1)?.type).toBe('turn-limit')
    expect(runs.length).toBeGreaterThan(90)
  })

  it('to send a hint puts it before the model, which gets its warnings anew', async () => {
    const { events, sent } = await choosing({
      type: 'hint',
      text: 'The file is called sign-in.ts.',
    })
    expect(textOf(sent.at(-1) as never)).toContain('The file is called sign-in.ts.')
    expect(ofType(events, 'loop_warning')[0]?.finding.action).toBe('warn')
  })

  it('to go back takes the loop out of the history', async () => {
    const { sent } = await choosing({ type: 'go-back', hint: 'Look elsewhere.' })
    expect(sent.map(({ role }) => role)).toEqual(['user', 'user'])
    expect(sent.map((message) => textOf(message))).toEqual(['why?', 'Look elsewhere.'])
  })

  it('to disable retries the same request with the same prompt id, and finds nothing any more', async () => {
    const { agent, runs, model } = stuckAgent({ guard: { attended: true }, maxTurns: 20 })
    await collect(agent.sendMessageStream('why?', undefined, 'p1'))
    const [first] = model.requests.slice(-1)
    const asked = model.requests.length
    const ran = runs.length
    agent.choose({ type: 'disable' })
    const events = await collect(agent.sendMessageStream('why?', undefined, 'p1'))
    expect(events.at(-1)?.type).toBe('turn-limit')
    expect(events.map(({ type }) => type)).not.toContain('prompt')
    expect(model.requests[asked]?.messages).toEqual(first?.messages)
    expect(runs).toHaveLength(ran + 20)
    await collect(agent.sendMessageStream('another', undefined, 'p2'))
    expect(agent.guardMode).toBe('off')
  })

  it('to stop leaves it stopped, with the reason in the history', async () => {
    const { agent } = stuckAgent({ guard: { attended: true } })
    await collect(agent.sendMessageStream('why?'))
    agent.choose({ type: 'stop' })
    expect(agent.stopped).toBeUndefined()
    expect(agent.guard.stopped).toBe(true)
    expect(agent.history.at(-1)).toMatchObject({ from: 'guard' })
  })

  it('keeps what tools have done when the loop showed in a result', async () => {
    const { tool, runs } = readTool(() => 'no such file')
    const model = scriptedModel((turn) => reads(`guess-${turn}.ts`))
    const agent = createAgent({ model, tools: [tool], guard: { attended: true, ladder: ['ask'] } })
    await collect(agent.sendMessageStream('why?'))
    const ran = runs.length
    agent.choose({ type: 'continue-once' })
    await collect(agent.resume())
    const results = model.requests[ran]?.messages.filter(({ role }) => role === 'tool') ?? []
    expect(results).toHaveLength(ran)
  })
})

describe('the comparison of the fork', () => {
  const run = async (model: string, turn: (n: number) => ReturnType<typeof reads>) => {
    const { tool, runs } = readTool((path) => `content of ${path}`)
    const agent = createAgent({
      model: scriptedModel(turn, { name: model }),
      tools: [tool],
      guard: { preset: presets.deepv },
      maxTurns: 12,
    })
    const events = await collect(agent.sendMessageStream('read them all'))
    return { agent, runs, events }
  }

  it('catches a preview model at the fourth file', async () => {
    const { agent, runs, events } = await run('gemini-3-pro-preview', (n) => reads(`file-${n}.ts`))
    expect(ofType(events, 'tool-call')).toHaveLength(3)
    expect(events.at(-1)).toMatchObject({
      type: 'loop_detected',
      finding: { count: 4, tool: 'read_file' },
    })
    expect(runs).toHaveLength(3)
    expect(agent.history.at(-1)).toMatchObject({ from: 'guard' })
  })

  it('lets a standard model read on, and catches ten identical calls', async () => {
    const files = await run('gemini-2.0-flash', (n) => reads(`file-${n}.ts`))
    expect(files.events.at(-1)?.type).toBe('turn-limit')
    const one = await run('gemini-2.0-flash', () => reads('a.ts'))
    expect(one.events.at(-1)).toMatchObject({ type: 'loop_detected', finding: { count: 10 } })
    expect(one.runs).toHaveLength(9)
  })
})

describe('the embedded model', () => {
  const ask = async (text: string, options: Partial<AgentOptions> = {}) => {
    const model = createEmbeddedModel({ paceMs: 0 })
    const agent = createAgent({
      model,
      tools: createGuideTools(),
      personas: demoPersonas,
      judge: { model },
      guard: { attended: true },
      ...options,
    })
    return collect(agent.sendMessageStream(text))
  }
  const own = STUCK_KINDS.filter((kind) => kind !== 'identical-call' && kind !== 'text-window')

  it.each(own)('gets stuck in %s and goes on whatever it is told', async (kind) => {
    const events = await ask(`/stuck ${kind}`)
    const [end] = ofType(events, 'loop_detected')
    expect(end?.finding.detector).toBe(kind)
    expect(events.at(-1)).toBe(end)
  })

  it.each(own)('takes advice when asked for %s heed', async (kind) => {
    const events = await ask(`/stuck ${kind} heed`)
    expect(ofType(events, 'loop_warning').map(({ finding }) => finding.detector)).toEqual([kind])
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
  })

  it('says that it needs a judge to be caught by one', async () => {
    const agent = createAgent({
      model: createEmbeddedModel({ paceMs: 0 }),
      tools: createGuideTools(),
    })
    const events = await collect(agent.sendMessageStream('/stuck judge'))
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
    expect(textOf(agent.history.at(-1) as never)).toContain('configure a judge')
  })

  it.each(['gemini-cli', 'qwen-code', 'deepv'] as const)(
    'trips the rules of %s',
    async (preset) => {
      for (const kind of ['identical-call', 'text-window']) {
        const events = await ask(`/stuck ${kind}`, { guard: { preset: presets[preset] } })
        expect(ofType(events, 'loop_detected')[0]?.finding.detector).toBe(kind)
      }
    },
  )

  it('answers from its guide, always the same', async () => {
    const events = await ask('How does the ladder work?')
    const text = ofType(events, 'text')
      .map((event) => event.text)
      .join('')
    expect(text).toContain('The first report of a loop of calls is a warning')
    expect(await ask('How does the ladder work?')).toEqual(
      events.map((event) =>
        event.type === 'prompt' ? expect.objectContaining({ text: event.text }) : event,
      ),
    )
  })

  it('says what it can when asked for a kind it does not know', async () => {
    const events = await ask('/stuck forever')
    const text = ofType(events, 'text')
      .map((event) => event.text)
      .join('')
    expect(text).toContain('repeated-call')
  })
})

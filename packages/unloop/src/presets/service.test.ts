import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type JsonRequest,
  LoopDetectionService,
  LoopType,
  type ServiceConfig,
  type ServiceTelemetry,
} from './service.js'

const FIFTY = 'The agent says this sentence again and again, id 1'

const content = (value: string) => ({ type: 'content', value })
const toolCall = (name: string, args: Record<string, unknown> = {}) => ({
  type: 'tool_call_request',
  value: { callId: 'id', name, args, isClientInitiated: false, prompt_id: 'p' },
})

function create(config: ServiceConfig = {}) {
  const telemetry = {
    loopDetected: vi.fn(),
    loopDetectionDisabled: vi.fn(),
    llmLoopCheck: vi.fn(),
  } satisfies ServiceTelemetry
  const service = new LoopDetectionService(config, telemetry)
  service.reset('prompt-1')
  return { service, telemetry }
}

/** Sends the same event so many times and tells the number, from 1, of each that said "loop". */
const loopsIn = (service: LoopDetectionService, event: object, count: number) =>
  Array.from({ length: count }, (_, i) => i + 1).filter(() =>
    service.addAndCheck(event as { type: string }),
  )

describe('tool calls', () => {
  it.each([
    ['gemini-cli', 5],
    ['qwen-code', 5],
    ['deepv', 10],
  ] as const)('of %s loop at the identical call number %i', (preset, limit) => {
    const { service, telemetry } = create({ preset })
    expect(loopsIn(service, toolCall('read', { a: 1 }), limit - 1)).toEqual([])
    expect(telemetry.loopDetected).not.toHaveBeenCalled()
    expect(service.addAndCheck(toolCall('read', { a: 1 }))).toBe(true)
    expect(service.addAndCheck(toolCall('other'))).toBe(true)
    expect(telemetry.loopDetected).toHaveBeenCalledTimes(1)
    expect(telemetry.loopDetected).toHaveBeenCalledWith({
      'event.name': 'loop_detected',
      prompt_id: 'prompt-1',
      loop_type: 'consecutive_identical_tool_calls',
      count: 1,
    })
    expect(service.getDetectedLoopType()).toBe(LoopType.CONSECUTIVE_IDENTICAL_TOOL_CALLS)
    expect(service.getDetail()).toContain(`${limit} times`)
  })

  it('without arguments are equal, too', () => {
    const { service } = create()
    const event = { type: 'tool_call_request', value: { name: 'ls' } }
    expect(loopsIn(service, event, 5)).toEqual([5])
  })

  it('count through thoughts, reasoning, text and unknown events', () => {
    const { service } = create()
    for (let i = 0; i < 4; i++) {
      expect(service.addAndCheck(toolCall('read'))).toBe(false)
      expect(
        service.addAndCheck({ type: 'thought', value: { subject: 's', description: 'd' } }),
      ).toBe(false)
      expect(service.addAndCheck({ type: 'reasoning', value: 'hm' })).toBe(false)
      expect(service.addAndCheck({ type: 'finished' })).toBe(false)
      expect(service.addAndCheck({ type: 'token_usage', value: {} })).toBe(false)
      expect(service.addAndCheck({ type: 'nobody knows' })).toBe(false)
      expect(service.addAndCheck(content('ok'))).toBe(false)
    }
    expect(service.addAndCheck(toolCall('read'))).toBe(true)
  })

  it('of a cycle are not a loop for the presets', () => {
    const { service } = create()
    for (let i = 0; i < 3; i++) {
      for (const name of ['a', 'b', 'c']) expect(service.addAndCheck(toolCall(name))).toBe(false)
    }
  })

  it('that a retry repeats count once', () => {
    const { service } = create()
    for (let i = 0; i < 4; i++) service.addAndCheck(toolCall('read'))
    service.addAndCheck({ type: 'retry' })
    expect(loopsIn(service, toolCall('read'), 4)).toEqual([])
  })
})

describe('text', () => {
  it.each([
    ['gemini-cli', 10],
    ['qwen-code', 10],
    ['deepv', 20],
  ] as const)('of %s loops when a window has come %i times', (preset, count) => {
    const { service } = create({ preset })
    expect(loopsIn(service, content(FIFTY), count + 1)).toEqual([count, count + 1])
    expect(service.getDetectedLoopType()).toBe(LoopType.CHANTING_IDENTICAL_SENTENCES)
  })

  it.each([
    ['gemini-cli', 250, 251],
    ['qwen-code', 75, 76],
    ['deepv', 250, 251],
  ] as const)('of %s loops at a period of %i and not of %i', (preset, near, far) => {
    const filler = Array.from({ length: 99 }, (_, i) => `w${i * 7} `).join('')
    const lap = (length: number) => content((FIFTY + filler).slice(0, length))
    expect(loopsIn(create({ preset }).service, lap(near), 30)).not.toEqual([])
    expect(loopsIn(create({ preset }).service, lap(far), 30)).toEqual([])
  })

  it('takes every number as an option', () => {
    const detectors = { 'text-window': { count: 3 }, 'identical-call': { limit: 2 } }
    const { service } = create({ detectors })
    expect(loopsIn(service, content(FIFTY), 3)).toEqual([3])
    service.reset('next')
    expect(loopsIn(service, toolCall('read'), 2)).toEqual([2])
    expect(
      loopsIn(create({ detectors: { 'text-window': false } }).service, content(FIFTY), 99),
    ).toEqual([])
  })

  const marks = [
    '| Column 1 | Column 2 |',
    '|---|---|',
    '|++|++|',
    '+---+---+',
    '* List item',
    '- List item',
    '+ List item',
    '1. List item',
    '42. List item',
    '# Heading',
    '## Heading',
    '###### Heading',
    '> Quote',
    '---',
    '════════',
    '-',
  ]
  it.each(
    marks.flatMap((mark) => [mark, `\n${mark}`, `\n  ${mark}`].slice(0, mark === '-' ? 1 : 2)),
  )('begins anew at the mark %j', (mark) => {
    const { service } = create()
    loopsIn(service, content(FIFTY), 9)
    expect(service.addAndCheck(content(mark))).toBe(false)
    expect(loopsIn(service, content(FIFTY), 9)).toEqual([])
  })

  it.each(['SELECT', '12345', 'a - b', '5 > 3', 'C# is', '-1', '*bold*', '1.5'])(
    'goes on at %j, which is no mark',
    (words) => {
      const { service } = create({ detectors: { 'text-window': { distance: 300 } } })
      loopsIn(service, content(FIFTY), 9)
      service.addAndCheck(content(words))
      expect(service.addAndCheck(content(FIFTY))).toBe(true)
    },
  )

  it('is found when it is nothing but capitals or digits', () => {
    expect(loopsIn(create().service, content('SELECT'), 30)).not.toEqual([])
    expect(loopsIn(create().service, content('12345'), 30)).not.toEqual([])
  })

  it('is not looked at inside a code block', () => {
    const { service } = create()
    service.addAndCheck(content('Here it is:\n```ts\n'))
    expect(loopsIn(service, content(FIFTY), 15)).toEqual([])
    service.addAndCheck(content('```'))
    expect(loopsIn(service, content(FIFTY), 10)).toEqual([10])
  })

  it('keeps count of several fences in one delta', () => {
    const { service } = create()
    service.addAndCheck(content('```\na\n``` and ```\nb'))
    expect(loopsIn(service, content(FIFTY), 15)).toEqual([])
    service.addAndCheck(content('```'))
    expect(loopsIn(service, content(FIFTY), 10)).toEqual([10])
  })

  it('is outside a code block again after a reset', () => {
    const { service } = create()
    service.addAndCheck(content('```\nnever closed'))
    service.reset('prompt-2')
    expect(loopsIn(service, content(FIFTY), 10)).toEqual([10])
  })

  it.each(['-'.repeat(50), '╭─'.repeat(25), '=', '─'])('of nothing but %j is a divider', (line) => {
    expect(loopsIn(create().service, content(line), 200)).toEqual([])
  })

  it('is forgotten after a tool call', () => {
    const { service } = create()
    loopsIn(service, content(FIFTY), 9)
    service.addAndCheck(toolCall('read'))
    expect(loopsIn(service, content(FIFTY), 9)).toEqual([])
  })

  it('may be empty, no text at all, or longer than what is remembered', () => {
    const { service } = create()
    expect(service.addAndCheck(content(''))).toBe(false)
    expect(service.addAndCheck({ type: 'content' })).toBe(false)
    expect(service.addAndCheck(null as unknown as { type: string })).toBe(false)
    expect(service.addAndCheck(content(FIFTY.repeat(300)))).toBe(true)
  })
})

describe('the preview rule', () => {
  beforeEach(() => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.spyOn(console, 'info').mockImplementation(() => {})
  })
  afterEach(() => void vi.restoreAllMocks())

  const calls = (service: LoopDetectionService, name: string, count: number) =>
    Array.from({ length: count }, (_, i) => i + 1).find((i) =>
      service.addAndCheck(toolCall(name, { path: `${i}` })),
    )

  it.each(['gemini-3-pro-preview', 'gemini-2.0-flash-preview'])('is on for %s', (model) => {
    const { service, telemetry } = create({ preset: 'deepv', getModel: () => model })
    expect(console.info).toHaveBeenCalledWith(expect.stringContaining(model))
    expect(calls(service, 'read_file', 10)).toBe(4)
    expect(console.warn).toHaveBeenCalledWith(expect.stringMatching(/read_file.*4 times/))
    expect(telemetry.loopDetected).toHaveBeenCalledWith(
      expect.objectContaining({ loop_type: 'consecutive_identical_tool_calls' }),
    )
    service.reset('next')
    expect(calls(service, 'replace', 10)).toBe(5)
  })

  it.each(['gemini-2.0-flash', 'claude-3-opus'])('is off for %s', (model) => {
    const { service } = create({ preset: 'deepv', getModel: () => model })
    expect(calls(service, 'read_file', 30)).toBeUndefined()
    expect(console.info).not.toHaveBeenCalled()
  })

  it('reads the name of the model at each reset', () => {
    let model = 'a'
    const { service } = create({ preset: 'deepv', getModel: () => model })
    model = 'a-preview'
    expect(calls(service, 'ls', 10)).toBeUndefined()
    service.reset('next')
    expect(calls(service, 'ls', 10)).toBe(4)
  })

  it('is not there for the other presets', () => {
    const { service } = create({ getModel: () => 'x-preview' })
    expect(calls(service, 'read_file', 30)).toBeUndefined()
  })
})

describe('the semantic check', () => {
  const answer = (confidence: unknown) => ({
    unproductive_state_analysis: 'it goes round',
    unproductive_state_confidence: confidence,
  })

  function createWithModel(
    generateJson: (request: JsonRequest) => Promise<unknown>,
    more: ServiceConfig = {},
  ) {
    const client = { generateJson: vi.fn(generateJson) }
    const created = create({
      getBaseLlmClient: () => client,
      getGeminiClient: () => ({ getHistory: () => [{ role: 'model', parts: [{ text: 'hm' }] }] }),
      ...more,
    })
    const { signal } = new AbortController()
    const turns = async (count: number) => {
      const results: boolean[] = []
      for (let i = 0; i < count; i++) results.push(await created.service.turnStarted(signal))
      return results
    }
    return { ...created, client, turns }
  }

  it('comes at turn 30 with the request the host expects', async () => {
    const { client, turns } = createWithModel(async () => answer(0.1))
    await turns(29)
    expect(client.generateJson).not.toHaveBeenCalled()
    expect(await turns(1)).toEqual([false])
    expect(client.generateJson).toHaveBeenCalledWith({
      modelConfigKey: { model: 'loop-detection' },
      contents: expect.arrayContaining([{ role: 'model', parts: [{ text: 'hm' }] }]),
      schema: expect.objectContaining({ type: 'object' }),
      systemInstruction: expect.any(String),
      abortSignal: expect.any(AbortSignal),
      promptId: 'prompt-1',
    })
  })

  it.each([
    ['qwen3-max', 'qwen3-max'],
    ['', 'coder-model'],
  ])(
    'names the model with the rules of qwen-code, which looks for it there: %j',
    async (name, model) => {
      const { client, turns } = createWithModel(async () => answer(0.1), {
        preset: 'qwen-code',
        getModel: () => name,
      })
      await turns(30)
      expect(client.generateJson).toHaveBeenCalledTimes(1)
      expect(client.generateJson.mock.calls[0]?.[0]).toMatchObject({ model, promptId: 'prompt-1' })
    },
  )

  it('is a loop above 0.9, reported once', async () => {
    const { service, telemetry, turns } = createWithModel(async () => answer(0.95))
    expect((await turns(32)).slice(-3)).toEqual([true, true, true])
    expect(service.addAndCheck(content('x'))).toBe(true)
    expect(telemetry.loopDetected).toHaveBeenCalledTimes(1)
    expect(telemetry.loopDetected).toHaveBeenCalledWith({
      'event.name': 'loop_detected',
      prompt_id: 'prompt-1',
      loop_type: 'llm_detected_loop',
      count: 1,
      confirmed_by_model: 'loop-detection',
      confidence: 0.95,
    })
    expect(telemetry.llmLoopCheck).toHaveBeenCalledTimes(1)
    expect(service.getDetail()).toContain('it goes round')
    expect(service.getDetectedLoopType()).toBe(LoopType.LLM_DETECTED_LOOP)
  })

  it('understands the older name of the answer, too', async () => {
    const { turns } = createWithModel(async () => ({ confidence: 0.95, reasoning: 'it repeats' }))
    expect((await turns(30)).at(-1)).toBe(true)
  })

  it('asks a second model if it is configured to', async () => {
    const { client, turns } = createWithModel(
      async ({ modelConfigKey }) => answer(modelConfigKey.model === 'loop-detection' ? 0.95 : 0.2),
      { doubleCheck: true },
    )
    expect((await turns(30)).at(-1)).toBe(false)
    expect(client.generateJson).toHaveBeenCalledTimes(2)
    expect(client.generateJson).toHaveBeenLastCalledWith(
      expect.objectContaining({ modelConfigKey: { model: 'loop-detection-double-check' } }),
    )
  })

  it('resets its counts, and shows the request', async () => {
    const { service, client, turns } = createWithModel(async () => answer(0.1))
    await turns(29)
    service.reset('prompt-2', 'rename all files')
    await turns(29)
    expect(client.generateJson).not.toHaveBeenCalled()
    await turns(1)
    expect(JSON.stringify(client.generateJson.mock.calls[0]?.[0].contents[0])).toContain(
      'rename all files',
    )
  })

  it.each([
    ['fails', () => Promise.reject(new Error('quota'))],
    ['answers nothing', async () => undefined],
    ['answers text', async () => 'yes'],
    ['answers no number', async () => answer('0.99')],
  ])('is no loop when the model %s', async (_name, generateJson) => {
    const { telemetry, turns } = createWithModel(generateJson as () => Promise<unknown>)
    expect(new Set(await turns(40))).toEqual(new Set([false]))
    expect(telemetry.loopDetected).not.toHaveBeenCalled()
  })

  it('does nothing without a model', async () => {
    const { service } = create()
    for (let i = 0; i < 40; i++) expect(await service.turnStarted()).toBe(false)
  })
})

describe('switched off', () => {
  it('for the session, it is silent, a pending detection included, and a reset changes nothing', async () => {
    const { service, telemetry } = create()
    expect(loopsIn(service, toolCall('read'), 6)).toEqual([5, 6])
    service.disableForSession()
    expect(telemetry.loopDetectionDisabled).toHaveBeenCalledWith({
      'event.name': 'loop_detection_disabled',
      prompt_id: 'prompt-1',
    })
    expect(service.addAndCheck(toolCall('read'))).toBe(false)
    service.reset('prompt-2')
    expect(loopsIn(service, toolCall('read'), 20)).toEqual([])
    expect(await service.turnStarted()).toBe(false)
  })

  it('by a setting, it is silent for as long as the setting is there', () => {
    let off = true
    const { service } = create({ getDisableLoopDetection: () => off })
    expect(loopsIn(service, toolCall('read'), 20)).toEqual([])
    off = false
    expect(loopsIn(service, toolCall('read'), 5)).toEqual([5])
  })
})

describe('strikes', () => {
  it('grow when a cleared detection comes back, and go with the prompt', () => {
    const { service, telemetry } = create()
    loopsIn(service, toolCall('read'), 5)
    expect(service.getStrikes()).toBe(1)
    service.clearDetection()
    expect(service.getDetectedLoopType()).toBeUndefined()
    expect(service.addAndCheck(toolCall('read'))).toBe(true)
    expect(service.getStrikes()).toBe(2)
    expect(telemetry.loopDetected).toHaveBeenLastCalledWith(expect.objectContaining({ count: 2 }))
    service.reset('prompt-2')
    expect(service.getStrikes()).toBe(0)
    expect(service.addAndCheck(toolCall('read'))).toBe(false)
  })
})

it('survives telemetry that throws, and explains itself when asked to', () => {
  const debug = vi.spyOn(console, 'debug').mockImplementation(() => {})
  const service = new LoopDetectionService(
    { getDebugMode: () => true },
    {
      loopDetected() {
        throw new Error('exporter is down')
      },
    },
  )
  expect(loopsIn(service, toolCall('read'), 5)).toEqual([5])
  expect(debug.mock.calls.flat().join(' ')).toMatch(/read was called 5 times.*loopDetected failed/s)
  debug.mockRestore()
})

it('refuses an unknown preset', () => {
  expect(() => new LoopDetectionService({ preset: 'x' as 'deepv' })).toThrow(
    new RangeError('preset must be one of gemini-cli, qwen-code, deepv, got "x"'),
  )
})

it('survives events that run code when they are read', () => {
  const service = new LoopDetectionService({})
  const trap = {
    get name(): string {
      throw new Error('touched')
    },
  }
  for (const event of [{ type: 'tool_call_request', value: trap }, new Proxy({}, {}), undefined]) {
    expect(() => service.addAndCheck(event as never)).not.toThrow()
  }
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createJudge,
  type JudgeAsk,
  type JudgeCheck,
  type JudgeMessage,
  type JudgeOptions,
} from './index.js'

const sure: JudgeAsk = async () => ({ analysis: 'the same again', confidence: 0.95 })

/** A judge that is due at every turn. */
function eager(options: Partial<JudgeOptions> = {}) {
  const checks: JudgeCheck[] = []
  const judge = createJudge({
    ask: sure,
    history: () => [],
    firstTurn: 1,
    firstInterval: 1,
    onCheck: (check) => checks.push(check),
    ...options,
  })
  return { judge, checks }
}

describe('when a judge asks', () => {
  /** The turns, of so many, in which it asked, with this confidence each time. */
  async function askedAt(turns: number, confidence: number): Promise<number[]> {
    const asked: number[] = []
    let turn = 0
    const ask: JudgeAsk = async () => {
      asked.push(turn)
      return { confidence }
    }
    const judge = createJudge({ ask, history: () => [] })
    for (turn = 1; turn <= turns; turn++) await judge.turnStarted()
    return asked
  }

  it('first at turn 30, then the later the surer it is that all is well', async () => {
    expect(await askedAt(29, 0)).toEqual([])
    expect(await askedAt(60, 0)).toEqual([30, 45, 60])
    expect(await askedAt(60, 0.1)).toEqual([30, 44, 58])
    expect(await askedAt(60, 0.5)).toEqual([30, 40, 50, 60])
    expect(await askedAt(45, 0.85)).toEqual([30, 37, 44])
    expect(await askedAt(45, 0.9)).toEqual([30, 36, 42])
  })

  it('not again before the budget is renewed by a new request', async () => {
    const ask = vi.fn<JudgeAsk>(async () => ({ confidence: 0.9 }))
    const { judge } = eager({ ask, minInterval: 1, maxInterval: 1, budget: 2 })
    for (let i = 0; i < 5; i++) await judge.turnStarted()
    expect(ask).toHaveBeenCalledTimes(2)
    judge.reset()
    await judge.turnStarted()
    expect(ask).toHaveBeenCalledTimes(3)
  })
})

describe('what a judge says', () => {
  it('is a finding above the threshold and nothing at it', async () => {
    const { judge } = eager()
    const finding = await judge.turnStarted(undefined, 7)
    expect(finding).toMatchObject({ detector: 'judge', action: 'stop', strike: 1, lastEvent: 7 })
    expect(finding?.detail).toContain('95%')
    expect(finding?.sample).toBe('the same again')
    const { judge: unsure } = eager({ ask: async () => ({ confidence: 0.9 }) })
    expect(await unsure.turnStarted()).toBeUndefined()
  })

  it('needs the second model to agree where there is one', async () => {
    const opinions = (confirm: JudgeAsk) =>
      eager({ ask: async () => ({ confidence: 0.9 }), confirm })
    const agrees = opinions(async () => ({ confidence: 0.9 }))
    expect(await agrees.judge.turnStarted()).toBeDefined()
    expect(agrees.checks).toEqual([{ turn: 1, confidence: 0.9, confirmed: 0.9 }])
    const differs = opinions(async () => ({ confidence: 0.89 }))
    expect(await differs.judge.turnStarted()).toBeUndefined()
    const fails = opinions(() => Promise.reject(new Error('no quota')))
    expect(await fails.judge.turnStarted()).toBeUndefined()
  })

  it('does not trouble the second model when the first is not sure', async () => {
    const confirm = vi.fn<JudgeAsk>(sure)
    const { judge } = eager({ ask: async () => ({ confidence: 0.89 }), confirm })
    await judge.turnStarted()
    expect(confirm).not.toHaveBeenCalled()
  })
})

describe('a judge that fails, hangs or lies says nothing', () => {
  const answers: Record<string, unknown> = {
    nothing: undefined,
    null: null,
    text: 'I think it is stuck',
    'no number': { analysis: 'x' },
    'a number as text': { confidence: '0.99' },
    'not a number': { confidence: Number.NaN },
    'more than 1': { confidence: 99 },
    'less than 0': { confidence: -1 },
  }
  it.each(Object.entries(answers))('when it answers %s', async (_name, answer) => {
    const { judge, checks } = eager({ ask: (async () => answer) as unknown as JudgeAsk })
    expect(await judge.turnStarted()).toBeUndefined()
    expect(checks[0]?.error).toBeDefined()
  })

  it('when asking throws, at once or later, and when the history cannot be had', async () => {
    const throws = () => {
      throw new Error('no model')
    }
    for (const options of [{ ask: throws }, { ask: async () => throws() }, { history: throws }]) {
      const { judge, checks } = eager(options as Partial<JudgeOptions>)
      expect(await judge.turnStarted()).toBeUndefined()
      expect(checks[0]?.error).toEqual(new Error('no model'))
    }
  })

  it('when a listener to its checks throws', async () => {
    const onCheck = () => {
      throw new Error('telemetry is down')
    }
    expect(await eager({ onCheck }).judge.turnStarted()).toBeDefined()
  })

  describe('in time', () => {
    beforeEach(() => void vi.useFakeTimers())
    afterEach(() => void vi.useRealTimers())

    it('when it hangs, and its late answer does no harm', async () => {
      let seen: AbortSignal | undefined
      let fail: (error: Error) => void = () => {}
      const ask: JudgeAsk = (_request, signal) => {
        seen = signal
        return new Promise((_resolve, reject) => {
          fail = reject
        })
      }
      const { judge, checks } = eager({ ask, timeoutMs: 50 })
      const verdict = judge.turnStarted()
      await vi.advanceTimersByTimeAsync(50)
      expect(await verdict).toBeUndefined()
      expect(String(checks[0]?.error)).toContain('50 ms')
      expect(seen?.aborted).toBe(true)
      fail(new Error('too late'))
    })

    it('when the user aborts', async () => {
      const controller = new AbortController()
      const { judge } = eager({ ask: () => new Promise(() => {}) })
      const verdict = judge.turnStarted(controller.signal)
      controller.abort()
      expect(await verdict).toBeUndefined()
      expect(vi.getTimerCount()).toBe(0)
    })
  })

  it('and does not ask if it was aborted before', async () => {
    const ask = vi.fn<JudgeAsk>(sure)
    await eager({ ask }).judge.turnStarted(AbortSignal.abort())
    expect(ask).not.toHaveBeenCalled()
  })
})

describe('what a judge shows', () => {
  /** The messages that a model is shown of this history, without the question at the end. */
  async function shown(
    history: JudgeMessage[],
    options: Partial<JudgeOptions> = {},
    request?: string,
  ) {
    let messages: JudgeMessage[] = []
    const ask: JudgeAsk = async (question) => {
      messages = question.messages
      return { confidence: 0 }
    }
    const { judge } = eager({ ask, history: () => history, ...options })
    judge.reset(request)
    await judge.turnStarted()
    return messages.slice(0, -1)
  }

  const shapes = {
    Gemini: {
      call: { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      answer: { role: 'user', parts: [{ functionResponse: { name: 'ls', response: {} } }] },
      said: { role: 'model', parts: [{ text: 'done' }] },
      opening: { role: 'user', parts: [{ text: 'Recent conversation history:' }] },
    },
    OpenAI: {
      call: { role: 'assistant', content: null, tool_calls: [{ id: '1' }] },
      answer: { role: 'tool', tool_call_id: '1', content: 'a' },
      said: { role: 'assistant', content: 'done' },
      opening: { role: 'user', content: 'Recent conversation history:' },
    },
    Anthropic: {
      call: { role: 'assistant', content: [{ type: 'tool_use', id: '1' }] },
      answer: { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1' }] },
      said: { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
      opening: { role: 'user', content: 'Recent conversation history:' },
    },
    'AI SDK': {
      call: { role: 'assistant', content: [{ type: 'tool-call', toolCallId: '1' }] },
      answer: { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1' }] },
      said: { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
      opening: { role: 'user', content: 'Recent conversation history:' },
    },
  }
  describe.each(Object.entries(shapes))('in the shape of %s', (_name, parts) => {
    const { call, answer, said, opening } = parts
    it('drops calls without an answer at the end', async () => {
      expect(await shown([said, call, call])).toEqual([said])
    })
    it('drops answers without a call at the start', async () => {
      expect(await shown([call, answer, answer, said], { messages: 3 })).toEqual([said])
    })
    it('puts a word of the user before a call', async () => {
      expect(await shown([call, answer, said])).toEqual([opening, call, answer, said])
    })
  })

  it('is the end of the conversation, and the request it began with', async () => {
    const history = Array.from({ length: 30 }, (_, i) => ({ role: 'user', content: `${i}` }))
    expect(await shown(history)).toEqual(history.slice(-20))
    const [first] = await shown(history, {}, 'rename all files')
    expect(first?.content).toContain('rename all files')
  })
})

it('refuses what it cannot work with', () => {
  const make = (options: object) => () => createJudge({ ask: sure, history: () => [], ...options })
  expect(make({ ask: 1 })).toThrow(new RangeError('judge.ask must be a function, got 1'))
  expect(make({ history: [] })).toThrow(/^judge\.history must be a function, got a list$/)
  expect(make({ threshold: 2 })).toThrow(/^judge\.threshold must be a number from 0 to 1, got 2$/)
  expect(make({ firstTurn: 0 })).toThrow(/^judge\.firstTurn .* got 0$/)
  expect(make({ turns: 3 })).toThrow(/^judge only takes .*, got "turns"$/)
})

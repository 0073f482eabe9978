import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { CallPart } from './message.js'
import { type RunEvent, type RunOptions, runCalls } from './scheduler.js'
import { defineTool, type Tool } from './tool.js'

const call = (name: string, args: unknown = {}, id = name): CallPart => ({
  type: 'tool-call',
  id,
  name,
  args,
})

async function run(calls: CallPart[], tools: Tool[], options: Partial<RunOptions> = {}) {
  const events: RunEvent[] = []
  const { signal } = new AbortController()
  for await (const event of runCalls(calls, { tools, signal, refused: new Map(), ...options }))
    events.push(event)
  return events.filter((event) => event.type === 'tool-result')
}

const tool = (name: string, rest: Partial<Tool<{ n: number }>> = {}) =>
  defineTool({
    name,
    description: '',
    parameters: z.object({ n: z.number().default(1) }),
    execute: ({ n }) => `got ${n}`,
    ...rest,
  })

describe('arguments', () => {
  it('are checked against the schema, and the model is told what is wrong', async () => {
    const [result] = await run([call('add', { n: 'three' })], [tool('add')])
    expect(result).toMatchObject({ isError: true })
    expect(result?.output).toMatch(/arguments of add are wrong[\s\S]*expected number[\s\S]*n/)
  })

  it('get the defaults of the schema', async () => {
    const [result] = await run([call('add')], [tool('add')])
    expect(result).toMatchObject({ output: 'got 1', isError: false })
  })

  it('that could not be read are an error the model can mend', async () => {
    const [result] = await run(
      [{ ...call('add'), invalid: 'unexpected end of JSON' }],
      [tool('add')],
    )
    expect(result?.output).toContain('unexpected end of JSON')
  })

  it('of a tool that does not exist name those that do', async () => {
    const [result] = await run([call('subtract')], [tool('add')])
    expect(result?.output).toBe('There is no tool subtract. The tools are: add.')
  })
})

describe('consent', () => {
  const asking = (runs: string[], name = 'edit') =>
    tool(name, {
      confirm: ({ n }) => `Edit ${n} files?`,
      execute: () => {
        runs.push(name)
        return 'done'
      },
    })

  it('is asked for, and a no is told to the model', async () => {
    const runs: string[] = []
    const questions: string[] = []
    const [result] = await run([call('edit', { n: 3 })], [asking(runs)], {
      approve: async ({ question }) => {
        questions.push(question)
        return false
      },
    })
    expect(questions).toEqual(['Edit 3 files?'])
    expect(result?.output).toContain('the person said no')
    expect(runs).toEqual([])
  })

  it('may be given for more than one call: for what the tool says, or for the tool', async () => {
    const scopes: (readonly string[])[] = []
    const approve: RunOptions['approve'] = async (approval) => scopes.push(approval.scopes) > 0
    const own = { ...asking([], 'run'), scopes: () => ['git status'] } as Tool
    await run([call('edit'), call('run')], [asking([]), own], { approve })
    expect(scopes).toEqual([['edit'], ['git status']])
  })

  it('is needed: without anybody to ask the tool does not run', async () => {
    const runs: string[] = []
    const [result] = await run([call('edit')], [asking(runs)])
    expect(result).toMatchObject({ isError: true })
    expect(runs).toEqual([])
  })

  it('is asked for one call at a time', async () => {
    let open = 0
    let most = 0
    const runs: string[] = []
    await run(
      [call('a'), call('b'), call('c')],
      [asking(runs, 'a'), asking(runs, 'b'), asking(runs, 'c')],
      {
        approve: async () => {
          most = Math.max(most, ++open)
          await new Promise(setImmediate)
          open--
          return true
        },
      },
    )
    expect(most).toBe(1)
    expect(runs).toEqual(['a', 'b', 'c'])
  })
})

describe('running', () => {
  it('goes side by side, and results come as they are ready', async () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = tool('slow', { execute: () => gate.then(() => 'slow') })
    const fast = tool('fast', {
      execute: () => {
        release()
        return 'fast'
      },
    })
    const results = await run([call('slow'), call('fast')], [slow, fast])
    expect(results.map(({ name }) => name)).toEqual(['fast', 'slow'])
  })

  it('turns what a tool throws into an error result, and the others go on', async () => {
    const bad = tool('bad', {
      execute: () => {
        throw new Error('no such file: a.ts')
      },
    })
    const results = await run([call('bad'), call('add')], [bad, tool('add')])
    expect(results).toContainEqual(
      expect.objectContaining({ output: 'no such file: a.ts', isError: true }),
    )
    expect(results).toContainEqual(expect.objectContaining({ output: 'got 1', isError: false }))
  })

  it('stops a tool that takes too long, even one that does not listen', async () => {
    const deaf = tool('deaf', { timeoutMs: 5, execute: () => new Promise<string>(() => {}) })
    const [result] = await run([call('deaf')], [deaf])
    expect(result).toMatchObject({
      isError: true,
      output: 'deaf took longer than 0.005 s and was stopped.',
    })
  })

  it.each([Number.POSITIVE_INFINITY, 30 * 24 * 3600e3])(
    'takes a time of %d ms for what it is',
    async (timeoutMs) => {
      const slow = tool('slow', {
        timeoutMs,
        execute: () => new Promise((resolve) => setTimeout(() => resolve('ok'), 10)),
      })
      expect(await run([call('slow')], [slow])).toMatchObject([{ output: 'ok' }])
    },
  )

  it('ends at once when it is aborted', async () => {
    const abort = new AbortController()
    let heard = false
    const waiting = tool('waiting', {
      execute: (_, { signal }) => {
        signal.addEventListener('abort', () => {
          heard = true
        })
        abort.abort()
        return new Promise<string>(() => {})
      },
    })
    const [result] = await run([call('waiting')], [waiting], { signal: abort.signal })
    expect(result?.isError).toBe(true)
    expect(heard).toBe(true)
  })

  it('does not happen for a call that was refused', async () => {
    const [result] = await run([call('add')], [tool('add')], {
      refused: new Map([['add', 'Not run. Stop it.']]),
    })
    expect(result).toMatchObject({ isError: true, output: 'Not run. Stop it.' })
  })
})

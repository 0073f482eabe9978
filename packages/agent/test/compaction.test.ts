import { expect, it } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../src/agent.js'
import { textOf } from '../src/message.js'
import { ModelError } from '../src/model.js'
import { defineTool } from '../src/tool.js'
import { collect, ofType } from './collect.js'
import { calling, says, scriptedModel, type Turn } from './scripted-model.js'

const readTool = defineTool({
  name: 'read',
  description: '',
  parameters: z.object({ path: z.string() }),
  effect: 'reads',
  execute: ({ path }) => `${path}: ${'some words that fill the history. '.repeat(30)}`,
})

/** Reads the same file for ever; when it is asked for notes it writes or fails. */
function forgetful(notes: Turn) {
  const model = scriptedModel(() => calling(['read', { path: 'a' }]), { contextTokens: 1500 })
  return {
    ...model,
    stream(request: Parameters<typeof model.stream>[0], signal: AbortSignal) {
      if (request.tools.length > 0) return model.stream(request, signal)
      return scriptedModel([notes]).stream(request, signal)
    },
  }
}

it('shortens a history that nears the limit of the model, and the loop is still found', async () => {
  const model = forgetful(says('It has read a.'))
  const agent = createAgent({ model, tools: [readTool] })
  const events = await collect(agent.sendMessageStream('Read a.'))
  const [first] = ofType(events, 'compaction')
  expect(first?.kept).toBeLessThan(first?.messages ?? 0)
  expect(agent.history[0]).toMatchObject({ from: 'summary' })
  expect(textOf(agent.history[0] as never)).toContain('It has read a.')
  expect(agent.history.map(textOf)).toContain('Read a.')
  expect(events.at(-1)).toMatchObject({
    type: 'loop_detected',
    finding: { detector: 'repeated-call' },
  })
})

it('goes on without a summary when none can be had', async () => {
  const model = forgetful([new ModelError('overloaded', 'busy')])
  const agent = createAgent({ model, tools: [readTool] })
  const events = await collect(agent.sendMessageStream('Read a.'))
  expect(ofType(events, 'compaction').length).toBeGreaterThan(0)
  expect(textOf(agent.history[0] as never)).toContain('no summary could be made')
  expect(events.at(-1)?.type).toBe('loop_detected')
})

it('believes the model about the length of the history', async () => {
  const model = scriptedModel(
    [
      [
        ...calling(['read', { path: 'a' }]).slice(0, 1),
        { type: 'usage', inputTokens: 1400 },
        { type: 'finish', reason: 'tool-calls' },
      ],
      says('notes'),
      says('done'),
    ],
    { contextTokens: 1500 },
  )
  const agent = createAgent({ model, tools: [readTool] })
  const events = await collect(agent.sendMessageStream('Read a.'))
  expect(ofType(events, 'compaction')).toHaveLength(1)
  expect(events.at(-1)?.type).toBe('finished')
})

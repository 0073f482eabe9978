import { describe, expect, it } from 'vitest'
import { formats } from '../src/index.js'
import { lines, readText, told } from './read.js'

describe('formats whose shape is not certain', () => {
  it('say so', () => {
    const names = formats.filter(({ stage }) => stage === 'experimental').map(({ name }) => name)
    const here = ['langsmith', 'langfuse']
    expect(names).toEqual(expect.arrayContaining(here))
  })

  it('include runs of LangSmith', async () => {
    const { events, summary } = await readText(
      lines(
        { id: '1', trace_id: 't', run_type: 'chain', name: 'agent', inputs: {} },
        {
          id: '2',
          trace_id: 't',
          run_type: 'llm',
          name: 'model',
          outputs: { content: 'Hm.' },
          prompt_tokens: 9,
          completion_tokens: 2,
        },
        {
          id: '3',
          trace_id: 't',
          run_type: 'tool',
          name: 'ls',
          inputs: { path: '.' },
          error: 'no',
        },
      ),
    )
    expect(summary).toMatchObject({ format: 'langsmith', records: 3, used: 2, skipped: 1, runs: 1 })
    expect(told(events)).toEqual([
      'turn-start',
      'text Hm.',
      'usage 9 0 2',
      'call  ls {"path":"."}',
      'result ls failed "no"',
    ])
  })

  it('include observations of Langfuse', async () => {
    const { events, summary } = await readText(
      JSON.stringify([
        { id: '1', traceId: 't', type: 'AGENT', name: 'agent' },
        {
          id: '2',
          traceId: 't',
          type: 'GENERATION',
          name: 'model',
          output: 'Hm.',
          usageDetails: { input: 9, output: 2 },
        },
        {
          id: '3',
          traceId: 't',
          type: 'TOOL',
          name: 'ls',
          input: { path: '.' },
          output: 'a.ts',
          level: 'DEFAULT',
        },
      ]),
    )
    expect(summary).toMatchObject({ format: 'langfuse', records: 3, used: 2, skipped: 1, runs: 1 })
    expect(told(events)).toEqual([
      'turn-start',
      'text Hm.',
      'usage 9 0 2',
      'call  ls {"path":"."}',
      'result ls "a.ts"',
    ])
  })
})

import { createOpenAI } from '@ai-sdk/openai'
import { generateText, stepCountIs, streamText, tool } from 'ai'
import { z } from 'zod'
import { type Program, testAdapter } from '../../test/adapters/test-adapter.js'
import { guardRun } from './ai-sdk.js'

function optionsOf({ url, guard, prompt, signal, readFile }: Program) {
  const tools = {
    read_file: tool({
      description: 'Reads a file.',
      inputSchema: z.object({ path: z.string() }),
      execute: ({ path }) => readFile(path),
    }),
  }
  const stopWhen = stepCountIs(30)
  return {
    model: createOpenAI({ apiKey: 'none', baseURL: `${url}/v1` }).chat('gpt-5'),
    prompt,
    abortSignal: signal,
    maxRetries: 0,
    ...(guard ? guardRun(guard, { tools, stopWhen }) : { tools, stopWhen }),
  }
}

testAdapter('ai-sdk, generateText', {
  streams: false,
  async run(program) {
    const { text } = await generateText(optionsOf(program))
    return text
  },
})

testAdapter('ai-sdk, streamText', {
  streams: true,
  async run(program) {
    let failure: unknown
    const result = streamText({
      ...optionsOf(program),
      onError: ({ error }) => {
        failure = error
      },
    })
    await result.consumeStream()
    if (failure) throw failure
    if (program.signal.aborted) return ''
    const [text] = await Promise.all([
      result.text,
      result.steps,
      result.finishReason,
      result.totalUsage,
    ])
    return text
  },
})

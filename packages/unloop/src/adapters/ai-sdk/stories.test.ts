import { createOpenAI } from '@ai-sdk/openai'
import { type Provider, startProvider } from '@unloop/testing'
import { generateText, jsonSchema, stepCountIs, type Tool, tool } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import {
  complaintsAbout,
  failsOn,
  type Outcome,
  roundsOf,
  type Step,
  type Story,
  thirdOfStories,
} from '../../../../testing/src/stories/index.js'
import { createGuard } from '../../guard.js'
import { guardRun, outcomeOf } from './index.js'

let provider: Provider | undefined
afterEach(() => provider?.close())

/** Has an agent of the SDK live through a story. */
async function play(story: Story): Promise<Outcome> {
  const rounds = roundsOf(story)
  const outcome: Outcome = { said: [] }
  provider = await startProvider((_, turn) => toReply(rounds[turn]))
  const { url, exchanges } = provider
  const step = () => rounds.slice(0, exchanges.length - 1).flat().length + 1
  const guard = createGuard({
    onFinding({ action, detail, advice }) {
      outcome.found ??= step()
      if (action === 'block') outcome.refused ??= step()
      if (action === 'stop') outcome.ended ??= step()
      outcome.said.push(detail, advice)
    },
  })
  await generateText({
    model: createOpenAI({ apiKey: 'none', baseURL: `${url}/v1` }).chat('gpt-5'),
    prompt: story.prompt ?? 'Go on.',
    maxRetries: 0,
    ...guardRun(guard, { tools: toTools(rounds), stopWhen: stepCountIs(rounds.length + 2) }),
  })
  expect(guard.faults).toEqual([])
  // the run is over when the guard says so, and not before
  expect(outcomeOf(guard)).toBe(outcome.ended ? 'stopped' : 'ok')
  if (!outcome.ended) expect(exchanges).toHaveLength(rounds.length + 1)
  return outcome
}

const toReply = (round: Step[] | undefined) =>
  round
    ? {
        text: round.map(({ says = '' }) => says).join(''),
        calls: round.map(({ name = '', args }) => ({ name, args })),
      }
    : { text: 'Done.' }

function toTools(rounds: Step[][]): Record<string, Tool> {
  const inputSchema = jsonSchema<object>({ type: 'object' })
  // the provider numbers the calls of each turn
  const execute = (_: object, { toolCallId }: { toolCallId: string }) => {
    const [, turn, index] = toolCallId.split('_')
    const { output, isError } = rounds[Number(turn)]?.[Number(index)] ?? {}
    if (isError) throw new Error(`${output}`)
    return output
  }
  const names = new Set(rounds.flat().map(({ name = '' }) => name))
  return Object.fromEntries([...names].map((name) => [name, tool({ inputSchema, execute })]))
}

describe.each(thirdOfStories)('%s', (_, story) => {
  const test = failsOn(story, 'ai-sdk') ? it.fails : it
  test(story.name, async () =>
    expect(complaintsAbout(story, await play(story)).join('\n')).toBe(''),
  )
})

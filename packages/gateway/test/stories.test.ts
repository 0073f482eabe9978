import { startProvider } from '@unloop/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  complaintsAbout,
  failsOn,
  type Outcome,
  roundsOf,
  type Step,
  type Story,
  thirdOfStories,
} from '../../testing/src/stories/index.js'
import { serve, TOKEN } from './serve.js'

// biome-ignore lint/suspicious/noExplicitAny: messages and answers
type Any = any

/** Has a client live through a story that sends its whole history with each request. */
async function play(story: Story): Promise<Outcome> {
  const rounds = roundsOf(story)
  const provider = await startProvider((_, turn) => toReply(rounds[turn]))
  onTestFinished(() => provider.close())
  const gateway = await serve(provider.url, { upstreams: { anthropic: { url: provider.url } } })
  const outcome: Outcome = { said: [] }
  const messages: Any[] = [{ role: 'user', content: story.prompt ?? 'Go on.' }]
  const names = new Set(story.steps.map(({ name }) => name))
  const tools = [...names].map((name) => ({ name, input_schema: { type: 'object' } }))

  // a request more than there are rounds: what the last one led to is known with the next
  for (let turn = 0; turn <= rounds.length; turn++) {
    const response = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 1000, messages, tools }),
    })
    const { content }: Any = await response.json()
    const verdict = response.headers.get('x-unloop-verdict')
    const step = rounds.slice(0, turn).flat().length
    if (verdict !== 'go') outcome.found ??= step
    if (verdict === 'nudge') outcome.said.push(adviceIn(provider.exchanges.at(-1)?.body, messages))
    if (verdict === 'respond') {
      outcome.ended = step
      outcome.said.push(content.map(({ text = '' }) => text).join(''))
      break
    }
    messages.push({ role: 'assistant', content })
    const results = toResults(content, rounds[turn] ?? [])
    if (results.length > 0) messages.push({ role: 'user', content: results })
  }
  const page = await fetch(`${gateway.url}/unloop/api/sessions`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  const { sessions }: Any = await page.json()
  expect(sessions).toHaveLength(1)
  outcome.said.push(...sessions[0].findings.map(({ detail }: Any) => detail))
  return outcome
}

/** What the model reads that the client did not say. */
const adviceIn = (body: Any, messages: Any[]): string =>
  [body.system, ...body.messages.map(({ content }: Any) => content)]
    .flat()
    .filter(
      (block) =>
        block?.type === 'text' && !JSON.stringify(messages).includes(JSON.stringify(block.text)),
    )
    .map(({ text }) => text)
    .join('\n')

const toReply = (round: Step[] | undefined) =>
  round
    ? {
        text: round.map(({ says = '' }) => says).join(''),
        calls: round.map(({ name = '', args }) => ({ name, args })),
      }
    : { text: 'Done.' }

const toResults = (content: Any[], round: Step[]) =>
  content
    .filter(({ type }) => type === 'tool_use')
    .map(({ id }, at) => {
      const { output, isError } = round[at] ?? {}
      const text = typeof output === 'string' ? output : JSON.stringify(output)
      return {
        type: 'tool_result',
        tool_use_id: id,
        content: text,
        ...(isError && { is_error: true }),
      }
    })

describe.each(thirdOfStories)('%s', (_, story) => {
  const test = failsOn(story, 'gateway') ? it.fails : it
  test(story.name, async () =>
    expect(complaintsAbout(story, await play(story)).join('\n')).toBe(''),
  )
})

import { type TextAgent, textAgents } from '@unloop/testing'
import { describe, expect, it } from 'vitest'
import { serve, startRecorder } from './serve.js'

type Round = { said: string; answered: string }
type Message = { role: 'user' | 'assistant'; content: string }

const PROTOCOLS = {
  'chat completions': {
    path: '/v1/chat/completions',
    answer: (content: string) => ({
      choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
    }),
    body: (messages: Message[]) => ({ messages }),
    // biome-ignore lint/suspicious/noExplicitAny: an answer
    read: (answer: any): string => answer.choices[0].message.content,
  },
  'Anthropic messages': {
    path: '/v1/messages',
    answer: (text: string) => ({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text }],
    }),
    body: (messages: Message[]) => ({ max_tokens: 1000, messages }),
    // biome-ignore lint/suspicious/noExplicitAny: an answer
    read: (answer: any): string => answer.content[0].text,
  },
}

/** Lets an agent work through a gateway; gives what became of each request. */
async function play(
  { task }: TextAgent,
  rounds: readonly Round[],
  protocol: keyof typeof PROTOCOLS,
  session?: string,
) {
  const { path, answer, body, read } = PROTOCOLS[protocol]
  let at = 0
  const upstream = await startRecorder((response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer(rounds[at]?.said ?? '')))
  })
  const gateway = await serve(upstream.url)
  const messages: Message[] = [{ role: 'user', content: task }]

  async function ask(): Promise<string> {
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(session && { 'x-unloop-session': session }),
      },
      body: JSON.stringify(body(messages)),
    })
    messages.push({ role: 'assistant', content: read(await response.json()) })
    return response.headers.get('x-unloop-verdict') ?? ''
  }

  const verdicts: string[] = []
  for (const [index, { answered }] of rounds.entries()) {
    at = index
    verdicts.push(await ask())
    messages.push({ role: 'user', content: answered })
  }
  return {
    verdicts,
    say: (content: string) => {
      messages.push({ role: 'assistant', content: 'Stopped.' }, { role: 'user', content })
      return ask()
    },
  }
}

const times = (count: number, make: (at: number) => Round) =>
  Array.from({ length: count }, (_, at) => make(at))

const protocols = Object.keys(PROTOCOLS) as (keyof typeof PROTOCOLS)[]
const kinds = textAgents.flatMap((agent) =>
  protocols.map((protocol) => [agent.name, protocol, agent] as const),
)

describe.each(kinds)('%s, over %s', (_, protocol, agent) => {
  it.each([undefined, 'one'])('is advised and stopped in a loop: session %s', async (session) => {
    const { verdicts, say } = await play(
      agent,
      times(60, () => agent.loop),
      protocol,
      session,
    )
    expect(verdicts.slice(0, 2)).toEqual(['go', 'go'])
    expect(verdicts).toContain('nudge')
    const stopped = verdicts.indexOf('respond')
    expect(stopped).toBeGreaterThan(verdicts.indexOf('nudge'))
    expect(stopped).toBeLessThan(12)
    // the words of the program change nothing
    expect(new Set(verdicts.slice(stopped))).toEqual(new Set(['respond']))
    expect(await say('Leave it, and look at the logout instead.')).toBe('go')
  })

  it('is left alone while it works', async () => {
    const { verdicts } = await play(agent, times(60, agent.work), protocol)
    expect(new Set(verdicts)).toEqual(new Set(['go']))
  })
})

const waiting = textAgents.flatMap((agent) => (agent.poll ? [[agent, agent.poll] as const] : []))

it.each(waiting)('$name may wait for something', async (agent, poll) => {
  const { verdicts } = await play(agent, times(20, poll), 'chat completions')
  expect(verdicts).not.toContain('respond')
})

describe('a person', () => {
  it.each(['yes', 'continue', 'Run the tests again.'])(
    'may say the same again: %s',
    async (words) => {
      const questions = ['cookie of the session', 'header of the router', 'color of the page']
      const rounds = questions.map((what) => ({
        said: `Shall I change the ${what}, too?`,
        answered: words,
      }))
      const agent = { name: 'chat', task: 'Fix the login.' } as TextAgent
      const { verdicts } = await play(agent, rounds, 'chat completions')
      expect(verdicts).toEqual(['go', 'go', 'go'])
    },
  )
})

import { describe, expect, it } from 'vitest'
import { serve, startRecorder, TOKEN } from './serve.js'

// biome-ignore lint/suspicious/noExplicitAny: messages
type Any = any

/** Plays an agent of chat completions that sends only the end of its history; gives the sessions and what became of the requests. */
async function playWindow(
  window: number,
  {
    idOf,
    session,
    answer = () => 'Error: not found',
    rounds = 15,
  }: {
    idOf: (round: number) => string
    session?: string
    answer?: (round: number) => string
    rounds?: number
  },
) {
  let round = 0
  const upstream = await startRecorder((response) => {
    const call = {
      id: idOf(round),
      type: 'function',
      function: { name: 'read', arguments: '{"path":"a.ts"}' },
    }
    response.setHeader('content-type', 'application/json')
    const message = { role: 'assistant', content: null, tool_calls: [call] }
    response.end(JSON.stringify({ choices: [{ message, finish_reason: 'tool_calls' }] }))
  })
  const gateway = await serve(upstream.url)
  const messages: Any[] = [{ role: 'user', content: 'Read the file' }]
  const verdicts: string[] = []
  const sessions = new Set<string>()
  for (; round < rounds; round++) {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(session && { 'x-unloop-session': session }),
      },
      body: JSON.stringify({
        messages: messages.slice(-window),
        tools: [{ type: 'function', function: { name: 'read' } }],
      }),
    })
    verdicts.push(response.headers.get('x-unloop-verdict') ?? '')
    sessions.add(response.headers.get('x-unloop-session') ?? '')
    const { message } = ((await response.json()) as Any).choices[0]
    if (!message.tool_calls) break
    messages.push(message, { role: 'tool', tool_call_id: idOf(round), content: answer(round) })
  }
  return { verdicts, sessions: sessions.size }
}

const long = (round: number) => `call_of_the_provider_${round}`
const short = (round: number) => `call_${round}`

describe.each([2, 4, 6])('a client that sends the last %i messages', (window) => {
  it.each([
    ['ids are long', { idOf: long }],
    ['the session has a name', { idOf: long, session: 'one' }],
    ['the session has a name, and ids are short', { idOf: short, session: 'one' }],
  ])('is guarded where %s', async (_, options) => {
    const { verdicts, sessions } = await playWindow(window, options)
    expect(sessions).toBe(1)
    expect(verdicts).toContain('nudge')
    expect(verdicts.at(-1)).toBe('respond')
    expect(verdicts.length).toBeLessThan(8)
  })

  it('may go on where each answer is new', async () => {
    const answer = (round: number) =>
      `${['alpha', 'beta', 'gamma', 'delta'][round % 4]}${round} is ${'abcdefghijklmno'[round]} now`
    const { verdicts, sessions } = await playWindow(window, { idOf: long, answer })
    expect(sessions).toBe(1)
    expect(new Set(verdicts)).toEqual(new Set(['go']))
  })
})

describe('a request of Gemini without ids of calls', () => {
  /** How a client writes a call and its answer into the history. */
  const CLIENTS: Record<string, (round: number) => { call?: string; answer?: string }> = {
    'as it came': () => ({}),
    'with ids of its own for answers': (round) => ({ answer: `read-17634${round}-9f3a2b` }),
    'with ids of its own for both': (round) => ({
      call: `read-17634${round}-9f3a2b`,
      answer: `read-17634${round}-9f3a2b`,
    }),
  }

  async function play(write: (typeof CLIENTS)[string], rounds: number, options = {}) {
    let round = 0
    const upstream = await startRecorder((response) => {
      const functionCall = { name: 'read', args: { page: round } }
      response.setHeader('content-type', 'text/event-stream')
      const content = { role: 'model', parts: [{ functionCall }] }
      response.end(
        `data: ${JSON.stringify({ candidates: [{ content, finishReason: 'STOP' }] })}\n\n`,
      )
    })
    const gateway = await serve(upstream.url, {
      upstreams: { gemini: { url: upstream.url } },
      ...options,
    })
    const contents: Any[] = [{ role: 'user', parts: [{ text: 'Read all of it' }] }]
    const sessions = new Set<string>()

    async function ask(): Promise<string> {
      const response = await fetch(`${gateway.url}/v1beta/models/m:streamGenerateContent?alt=sse`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ contents, tools: [{ functionDeclarations: [{ name: 'read' }] }] }),
      })
      await response.text()
      sessions.add(response.headers.get('x-unloop-session') ?? '')
      const { call, answer } = write(round)
      const output = `page ${round}: ${'abcdefghijklmnopqrstuvwxyz'.slice(round, round + 5)}`
      contents.push(
        {
          role: 'model',
          parts: [
            { functionCall: { ...(call && { id: call }), name: 'read', args: { page: round } } },
          ],
        },
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                ...(answer && { id: answer }),
                name: 'read',
                response: { output },
              },
            },
          ],
        },
      )
      round++
      return response.headers.get('x-unloop-verdict') ?? ''
    }

    const verdicts: string[] = []
    while (round < rounds) verdicts.push(await ask())
    return { verdicts, sessions, ask, gateway }
  }

  it.each(Object.entries(CLIENTS))('is one session: %s', async (_, write) => {
    const { sessions, verdicts, ask, gateway } = await play(write, 12)
    expect(sessions.size).toBe(1)
    expect(new Set(verdicts)).toEqual(new Set(['go']))
    const [id] = sessions
    const choice = await fetch(`${gateway.url}/unloop/api/sessions/${id}/choice`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ choice: 'stop' }),
    })
    expect(choice.status).toBe(204)
    expect(await ask()).toBe('respond')
  })

  it.each(Object.entries(CLIENTS))('has one budget: %s', async (_, write) => {
    const { verdicts } = await play(write, 14, { budget: { requests: 5 } })
    expect(verdicts).toContain('respond')
  })
})

describe.each([2, 4, 6])('a client of Gemini that sends the last %i contents', (window) => {
  const long = (round: number) => `call_of_somebody_${round}`
  type IdOf = (round: number) => string | undefined

  async function play(ofProvider: IdOf, ofClient: IdOf, session?: string, isRetried = false) {
    let round = 0
    const toCall = (id: string | undefined) => ({
      functionCall: { ...(id && { id }), name: 'read', args: { path: 'a.ts' } },
    })
    const upstream = await startRecorder((response) => {
      response.setHeader('content-type', 'application/json')
      const content = { role: 'model', parts: [toCall(ofProvider(round))] }
      response.end(JSON.stringify({ candidates: [{ content, finishReason: 'STOP' }] }))
    })
    const gateway = await serve(upstream.url, { upstreams: { gemini: { url: upstream.url } } })
    const contents: Any[] = [{ role: 'user', parts: [{ text: 'Read the file' }] }]
    const verdicts: string[] = []
    const sessions = new Set<string>()
    for (; round < 15 && verdicts.at(-1) !== 'respond'; round++) {
      const response = await fetch(`${gateway.url}/v1beta/models/m:generateContent`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(session && { 'x-unloop-session': session }),
        },
        body: JSON.stringify({
          contents: contents.slice(-window),
          tools: [{ functionDeclarations: [{ name: 'read' }] }],
        }),
      })
      await response.text()
      verdicts.push(response.headers.get('x-unloop-verdict') ?? '')
      sessions.add(response.headers.get('x-unloop-session') ?? '')
      if (isRetried) continue
      const id = ofClient(round)
      const functionResponse = {
        ...(id && { id }),
        name: 'read',
        response: { error: 'Error: not found' },
      }
      contents.push(
        { role: 'model', parts: [toCall(id)] },
        { role: 'user', parts: [{ functionResponse }] },
      )
    }
    return { verdicts, sessions: sessions.size }
  }

  it.each<[string, IdOf, IdOf, string | undefined]>([
    ['calls have long ids', long, long, undefined],
    ['so they have, and the session has a name', long, long, 'one'],
    ['the session has a name, and calls have no ids', () => undefined, () => undefined, 'one'],
    ['the session has a name, and the client makes up ids', () => undefined, long, 'one'],
  ])('is guarded where %s', async (_, ofProvider, ofClient, session) => {
    const { verdicts, sessions } = await play(ofProvider, ofClient, session)
    expect(sessions).toBe(1)
    expect(verdicts).toContain('nudge')
    expect(verdicts.at(-1)).toBe('respond')
    expect(verdicts.length).toBeLessThan(8)
  })

  it('may send a request again', async () => {
    const { verdicts } = await play(
      () => undefined,
      () => undefined,
      'one',
      true,
    )
    expect(new Set(verdicts)).toEqual(new Set(['go']))
  })
})

describe('a request that was answered by calls and is sent again', () => {
  it.each(['one', undefined])('is the same request, in a session called %s', async (session) => {
    const functionCall = { name: 'read', args: { path: 'a.ts' } }
    const content = { role: 'model', parts: [{ functionCall }] }
    const upstream = await startRecorder((response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ candidates: [{ content, finishReason: 'STOP' }] }))
    })
    const gateway = await serve(upstream.url, { upstreams: { gemini: { url: upstream.url } } })
    const result = { functionResponse: { name: 'read', response: { error: 'Error: not found' } } }
    const contents = [
      { role: 'user', parts: [{ text: 'Read the file' }] },
      content,
      { role: 'user', parts: [result] },
    ]
    const verdicts = new Set<string | null>()
    for (let round = 0; round < 12; round++) {
      const response = await fetch(`${gateway.url}/v1beta/models/m:generateContent`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(session && { 'x-unloop-session': session }),
        },
        body: JSON.stringify({ contents, tools: [{ functionDeclarations: [{ name: 'read' }] }] }),
      })
      await response.text()
      verdicts.add(response.headers.get('x-unloop-verdict'))
    }
    expect([...verdicts]).toEqual(['go'])
  })
})

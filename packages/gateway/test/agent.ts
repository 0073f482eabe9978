// biome-ignore lint/suspicious/noExplicitAny: bodies of four protocols
type Any = any

export type AgentProtocol = 'openai-chat' | 'openai-responses' | 'anthropic'

export interface AgentOptions {
  /** what it calls its session; without it, the gateway finds out by itself */
  session?: string
  key?: string
  model?: string
  /** its name, for the user agent */
  agent?: string
  /** what its tools answer */
  output?(args: string, round: number): string
  /** Responses: goes on from the id of the last answer instead of sending the history */
  isChained?: boolean
  /** asks for events instead of one piece */
  isStream?: boolean
  /** has tools; without them it only talks */
  hasTools?: boolean
  system?: string
  /** keeps only the first answer, and asks for all others anew */
  isForgetful?: boolean
}

/** What the gateway made of a request. */
export interface Asked {
  status: number
  verdict: string
  session: string
  answer: Any
  ms: number
}

export interface Agent {
  /** Asks once, runs the tools that the model calls, and keeps that for the next request. */
  ask(url: string): Promise<Asked>
  /** Has the person say something. */
  say(text: string): void
}

const TOOLS = ['read', 'run']

/** An agent that does what the model says, whoever answers. */
export function createAgent(
  protocol: AgentProtocol,
  prompt: string,
  options: AgentOptions = {},
): Agent {
  const { output = (args) => `done: ${args}` } = options
  const talk = TALKS[protocol](options)
  let rounds = 0
  talk.say(prompt)

  return {
    say: talk.say,
    async ask(url) {
      const from = performance.now()
      const response = await fetch(`${url}${talk.path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${options.key ?? 'sk-test'}`,
          ...(options.agent !== undefined && { 'user-agent': options.agent }),
          ...(options.session !== undefined && { 'x-unloop-session': options.session }),
        },
        body: JSON.stringify({
          model: options.model ?? 'gpt-5',
          ...(options.isStream && { stream: true }),
          ...talk.body(),
        }),
      })
      const isStream = response.headers.get('content-type')?.includes('event-stream')
      const answer: Any = isStream
        ? talk.join(eventsOf(await response.text()))
        : await response.json()
      if (response.ok && !(options.isForgetful && rounds > 0)) {
        const round = rounds++
        talk.hear(answer, (args) => output(args, round))
      }
      return {
        status: response.status,
        verdict: response.headers.get('x-unloop-verdict') ?? '',
        session: response.headers.get('x-unloop-session') ?? '',
        answer,
        ms: performance.now() - from,
      }
    },
  }
}

/** The events of a stream, without their end mark. */
const eventsOf = (text: string): Any[] =>
  [...text.matchAll(/^data: ({.*)$/gm)].map(([, json]) => JSON.parse(json ?? ''))

interface Talk {
  path: string
  /** the answer that events make */
  join(events: Any[]): Any
  say(text: string): void
  body(): object
  hear(answer: Any, run: (args: string) => string): void
}

const TALKS: Record<AgentProtocol, (options: AgentOptions) => Talk> = {
  'openai-chat': ({ hasTools = true, system }) => {
    const messages: Any[] = system === undefined ? [] : [{ role: 'system', content: system }]
    const tools = TOOLS.map((name) => ({ type: 'function', function: { name, parameters: {} } }))
    return {
      path: '/v1/chat/completions',
      join(events) {
        const message: Any = { role: 'assistant', content: null }
        for (const {
          choices: [choice],
        } of events) {
          const { content, tool_calls = [] } = choice?.delta ?? {}
          if (content) message.content = `${message.content ?? ''}${content}`
          for (const { index, id, function: part } of tool_calls) {
            message.tool_calls ??= []
            message.tool_calls[index] ??= {
              id,
              type: 'function',
              function: { ...part, arguments: '' },
            }
            message.tool_calls[index].function.arguments += part.arguments
          }
        }
        return { choices: [{ message }] }
      },
      say: (content) => messages.push({ role: 'user', content }),
      body: () => ({ messages, ...(hasTools && { tools }) }),
      hear({ choices: [{ message }] }, run) {
        messages.push(message)
        for (const { id, function: called } of message.tool_calls ?? [])
          messages.push({ role: 'tool', tool_call_id: id, content: run(called.arguments) })
      },
    }
  },

  'openai-responses': ({ hasTools = true, isChained = false, system }) => {
    let input: Any[] = []
    let last: string | undefined
    const tools = TOOLS.map((name) => ({ type: 'function', name, parameters: {} }))
    return {
      path: '/v1/responses',
      join: (events) => events.at(-1).response,
      say: (content) => input.push({ role: 'user', content }),
      body: () => ({
        input,
        ...(hasTools && { tools }),
        ...(system !== undefined && { instructions: system }),
        ...(isChained ? last && { previous_response_id: last } : { store: false }),
      }),
      hear({ id, output }, run) {
        last = id
        const results = output
          .filter(({ type }: Any) => type === 'function_call')
          .map(({ call_id, arguments: args }: Any) => ({
            type: 'function_call_output',
            call_id,
            output: run(args),
          }))
        input = isChained ? results : [...input, ...output, ...results]
      },
    }
  },

  anthropic: ({ hasTools = true, system }) => {
    const messages: Any[] = []
    const tools = TOOLS.map((name) => ({ name, input_schema: { type: 'object' } }))
    return {
      path: '/v1/messages',
      join(events) {
        const content: Any[] = []
        const json: string[] = []
        for (const { type, index, content_block, delta } of events) {
          if (type === 'content_block_start') content[index] = { ...content_block }
          if (delta?.text) content[index].text += delta.text
          if (delta?.partial_json) json[index] = `${json[index] ?? ''}${delta.partial_json}`
        }
        for (const [index, text] of json.entries())
          if (text) content[index].input = JSON.parse(text)
        return { content }
      },
      say: (content) => messages.push({ role: 'user', content }),
      body: () => ({
        max_tokens: 1000,
        messages,
        ...(hasTools && { tools }),
        ...(system !== undefined && { system }),
      }),
      hear({ content }, run) {
        messages.push({ role: 'assistant', content })
        const results = content
          .filter(({ type }: Any) => type === 'tool_use')
          .map(({ id, input }: Any) => ({
            type: 'tool_result',
            tool_use_id: id,
            content: run(JSON.stringify(input)),
          }))
        if (results.length > 0) messages.push({ role: 'user', content: results })
      },
    }
  },
}

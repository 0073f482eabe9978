import type { Guard } from '../../guard.js'
import type { Guards } from '../../host/guards.js'
import type { Any } from '../shared/any.js'
import { createExchange } from '../shared/exchange.js'
import { checkGiven, checkGuard, guardOr, has, isGuarded, noteGuarded } from '../shared/given.js'
import { refusalOf } from '../shared/refusal.js'
import { withBody } from '../shared/resend.js'
import { watchPieces } from '../shared/watch-pieces.js'
import type { Watch } from '../shared/watch-stream.js'
import { toContents } from './contents.js'

export { type Outcome, outcomeOf } from '../../host/run.js'

/**
 * The same client, guarded: it sees each request and answer of one run, through `models` and `chats`, and callable tools can
 * be refused.
 *
 * @example
 * const guard = createGuard()
 * const client = guardClient(guard, new GoogleGenAI({ apiKey }))
 */
export function guardClient<Client extends { models: object; chats: object }>(
  guard: Guard | Guards,
  client: Client,
): Client {
  const isRight = has(client, 'models', 'chats')
  checkGiven('guardClient of unloop/google', 'a GoogleGenAI client', client, isRight)
  checkGuard(guard, 'google')
  if (isGuarded(client, guard)) return client
  return guardOr(guard, 'google', client, () =>
    noteGuarded(guard, toGuarded(guard, client), client),
  )
}

function toGuarded(guard: Guard | Guards, client: Any): Any {
  const { apiClient } = client
  // below `httpOptions.fetch`, whose mere presence takes the SDK's timeouts away, and which version 1 does not have
  const send = apiClient.apiCall.bind(apiClient)
  const { watch, parseWatched } = watchPieces(apiClient.processStreamResponse.bind(apiClient))
  const guarded = Object.create(apiClient, {
    apiCall: { value: toGuardedSend(guard, send, watch) },
    processStreamResponse: { value: parseWatched },
  })
  const models = new client.models.constructor(guarded)
  for (const method of ['generateContent', 'generateContentStream']) {
    const generate = models[method]
    models[method] = (params: Any) => generate.call(models, withTools(guard, params))
  }
  return Object.create(client, {
    apiClient: { value: guarded },
    models: { value: models },
    chats: { value: new client.chats.constructor(models, guarded) },
  })
}

/** The same parameters with tools that can be refused; the SDK writes the history back into them. */
function withTools(guard: Guard | Guards, params: Any): Any {
  const { config } = params
  if (!config?.tools) return params
  return {
    ...params,
    config: {
      ...config,
      tools: config.tools.map((tool: Any) => guardTool(guard, tool, config.tools)),
    },
    get contents() {
      return params.contents
    },
    set contents(contents) {
      params.contents = contents
    },
  }
}

type Send = (input: Any, init?: Any, ...rest: Any[]) => Promise<Any>

/** The same sender of requests, which guards those that ask a model. */
function toGuardedSend(guard: Guard | Guards, send: Send, watch: Watch): Send {
  const exchange = createExchange(guard, 'google', watch)
  return (input, init, ...rest) => {
    const [, stream] = /:(streamG|g)enerateContent(?:\?|$)/.exec(String(input?.url ?? input)) ?? []
    if (!stream || typeof init?.body !== 'string') return send(input, init, ...rest)
    return exchange(toContents(stream === 'streamG'), init.body, async (body) =>
      send(input, withBody(init, body), ...rest),
    )
  }
}

/**
 * What to answer instead of running a call, for a loop of your own; undefined if it may run.
 *
 * @example const error = refusal(guard, call)
 */
export const refusal = (guard: Guard | Guards, { id, name, args }: Call): string | undefined =>
  refusalOf(guard, id, name, args)

/** What we read of a function call; not every model gives it an id. */
interface Call {
  id?: string
  name?: string
  args?: unknown
}

function guardTool(guard: Guard | Guards, tool: Any, all: readonly Any[]): Any {
  if (!isCallable(tool)) return tool

  async function callTool(calls: Call[]): Promise<Any[]> {
    const reasons = calls.map((call) => refusal(guard, call))
    if (reasons.every((reason) => reason === undefined)) return tool.callTool(calls)
    const names = await Promise.all(all.map(namesOf))
    // each tool is given the calls of all of them; one that nobody declares is answered, too
    const isOwn = ({ name }: Call) => {
      const owner = names.findIndex((own) => own.includes(name))
      return tool === (owner < 0 ? all.find(isCallable) : all[owner])
    }
    const allowed = calls.filter((_, at) => reasons[at] === undefined)
    const parts = allowed.length > 0 ? [...(await tool.callTool(allowed))] : []
    const answers = calls.flatMap((call, at) => {
      const reason = reasons[at]
      if (reason !== undefined) return isOwn(call) ? toPart(call, reason) : []
      const answer = parts.findIndex((part) => part.functionResponse?.name === call.name)
      return answer < 0 ? [] : parts.splice(answer, 1)
    })
    return [...answers, ...parts]
  }

  // the other members belong to the SDK or the program, and remember things
  return Object.create(tool, {
    callTool: { value: callTool },
    tool: { value: () => tool.tool() },
  })
}

const isCallable = (tool: Any) => typeof tool?.callTool === 'function'

async function namesOf(tool: Any): Promise<Any[]> {
  const { functionDeclarations = [] } = isCallable(tool) ? await tool.tool() : tool
  return functionDeclarations.map(({ name }: Any) => name)
}

const toPart = ({ id, name }: Call, error: string) => ({
  functionResponse: { ...(id !== undefined && { id }), name, response: { error } },
})

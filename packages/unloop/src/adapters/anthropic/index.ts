import type { Guard } from '../../guard.js'
import type { Guards } from '../../host/guards.js'
import type { Any } from '../shared/any.js'
import { createExchange } from '../shared/exchange.js'
import { checkGiven, guardOr, has, isGuarded, noteGuarded } from '../shared/given.js'
import { refusalOf } from '../shared/refusal.js'
import { withBody } from '../shared/resend.js'
import { watchStream } from '../shared/watch-stream.js'
import { createMessages, toSigned } from './messages.js'

export { type Outcome, outcomeOf } from '../../host/run.js'

/**
 * The same client, guarded: it sees each request and answer of one run, and the tools of its tool runner and of its threads
 * can be refused.
 *
 * @example
 * const guard = createGuard()
 * const client = guardClient(guard, new Anthropic())
 */
export function guardClient<Client extends { withOptions(options: Any): unknown }>(
  guard: Guard | Guards,
  client: Client,
): Client {
  const isRight = has(client, 'messages')
  checkGiven('guardClient of unloop/anthropic', 'an Anthropic client', client, isRight)
  if (isGuarded(client, guard)) return client
  return guardOr(guard, 'anthropic', client, () => {
    // the innermost of them sees what is really sent
    const middleware = [...((client as Any).middleware ?? []), guardMiddleware(guard)]
    const guarded: Any = client.withOptions({ middleware })
    if (!guarded.middleware) throw new Error('it has no middleware')
    return withVeto(guard, guarded)
  })
}

/** The client itself, and those made of it: the tools of its tool runner and of its threads can be refused. */
function withVeto(guard: Guard | Guards, client: Any): Any {
  const { messages } = client.beta
  guardParams(guard, client.messages, 'stream', mend)
  guardParams(guard, messages, 'stream', mend)
  guardParams(guard, messages, 'toolRunner', mendEach)
  guardParams(guard, messages, 'thread', (thread) => {
    guardParams(guard, thread, 'update')
    guardParams(guard, thread, 'stream', mend)
  })
  const { withOptions } = client
  client.withOptions = (options: Any) => {
    const { middleware } = options ?? {}
    const own = middleware && { middleware: [...middleware, guardMiddleware(guard)] }
    return withVeto(guard, withOptions.call(client, own ? { ...options, ...own } : options))
  }
  return noteGuarded(guard, client, client)
}

/** A method whose first argument may have tools; what it makes may have such a method too. */
function guardParams(
  guard: Guard | Guards,
  owner: Any,
  method: string,
  prepare?: (made: Any) => void,
): void {
  const call = owner[method]
  // the first versions have no threads
  if (!call) return
  owner[method] = (params: Any, ...rest: unknown[]) => {
    const tools = Array.isArray(params?.tools) && { tools: guardTools(guard, params.tools) }
    const made = call.call(owner, tools ? { ...params, ...tools } : params, ...rest)
    prepare?.(made)
    return made
  }
}

/** What a stream leaves behind is a message that the provider takes back; one that is not streamed is that already. */
function mend(stream: Any): void {
  stream.on?.('streamEvent', ({ type }: Any, message: Any) => {
    if (type === 'message_stop') Object.assign(message, toSigned(message))
  })
}

/** The same for each stream of a tool runner. */
function mendEach(runner: Any): void {
  const iterate = runner[Symbol.asyncIterator]
  runner[Symbol.asyncIterator] = async function* () {
    for await (const stream of iterate.call(runner)) {
      mend(stream)
      yield stream
    }
  }
}

/**
 * Middleware that guards one run.
 *
 * @example new Anthropic({ middleware: [guardMiddleware(guard)] })
 */
export function guardMiddleware(
  guard: Guard | Guards,
): (request: Any, next: (request: Any) => Promise<Any>) => Promise<Any> {
  const exchange = createExchange(guard, 'anthropic', watchStream)
  const dialect = createMessages()
  // what we cannot read is the provider's to refuse
  const heal = (body: string) => {
    try {
      return dialect.heal(body)
    } catch {
      return body
    }
  }
  return async (request, next) => {
    const { url, body } = request
    const isOurs = /\/v1\/messages(?:\?|$)/.test(url) && typeof body === 'string'
    // one of the same guard may come before this one
    if (!isOurs || isGuarded(request, guard)) return next(request)
    return exchange(dialect, heal(body), (text) =>
      next(noteGuarded(guard, { ...withBody(request, text) }, request)),
    )
  }
}

/**
 * What to answer instead of running a call, for a loop of your own; undefined if it may run.
 *
 * @example const content = refusal(guard, block.id) ?? (await run(block))
 */
export const refusal = (guard: Guard | Guards, toolUseId: string): string | undefined =>
  refusalOf(guard, toolUseId)

/**
 * Tools for the tool runner that can be refused, for who uses `guardMiddleware`; `guardClient` does this by itself.
 *
 * @example client.beta.messages.toolRunner({ model, messages, tools: guardTools(guard, tools) })
 */
export function guardTools<Tool>(guard: Guard | Guards, tools: readonly Tool[]): Tool[] {
  checkGiven('guardTools', 'a list of tools', tools, Array.isArray(tools))
  return tools.map((tool) => guardTool(guard, tool))
}

function guardTool(guard: Guard | Guards, tool: Any): Any {
  const { run, name } = tool
  if (typeof run !== 'function') return tool
  const value = (args: unknown, context: Any, ...rest: unknown[]) =>
    refusalOf(guard, context?.toolUse?.id, name, args) ?? run.call(tool, args, context, ...rest)
  // the other members of a tool belong to the SDK, and to its class if it has one
  return Object.create(Object.getPrototypeOf(tool), {
    ...Object.getOwnPropertyDescriptors(tool),
    run: { value, enumerable: true },
  })
}

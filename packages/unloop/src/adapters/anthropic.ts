import type { Guard } from '../guard.js'
import { createMessages } from './anthropic-messages.js'
import { type Any, createExchange, refusalOf } from './exchange.js'
import { watchStream } from './watch-stream.js'

/**
 * The same client, guarded: it sees each request and answer of one run, and the tools of its tool runner and of its threads
 * can be refused.
 *
 * @example
 * const guard = createGuard()
 * const client = guardClient(guard, new Anthropic())
 */
export function guardClient<Client extends { withOptions(options: Any): unknown }>(
  guard: Guard,
  client: Client,
): Client {
  // the innermost of them sees what is really sent
  const middleware = [...((client as Any).middleware ?? []), guardMiddleware(guard)]
  const guarded = client.withOptions({ middleware }) as Any
  const messages = guarded.beta.messages
  for (const method of ['toolRunner', 'thread']) {
    const make = messages[method]
    messages[method] = (params: Any, ...rest: unknown[]) =>
      make.call(messages, { ...params, tools: guardTools(guard, params.tools ?? []) }, ...rest)
  }
  return guarded
}

/**
 * Middleware that guards one run.
 *
 * @example new Anthropic({ middleware: [guardMiddleware(guard)] })
 */
export function guardMiddleware(
  guard: Guard,
): (request: Any, next: (request: Any) => Promise<Any>) => Promise<Any> {
  const exchange = createExchange(guard, 'anthropic', watchStream)
  const dialect = createMessages()
  return async (request, next) => {
    const { url, body } = request
    if (!/\/v1\/messages(?:\?|$)/.test(url) || typeof body !== 'string') return next(request)
    return exchange(dialect, dialect.heal(body), (text) =>
      next(text === body ? request : { ...request, body: text }),
    )
  }
}

/**
 * What to answer instead of running a call, for a loop of your own; undefined if it may run.
 *
 * @example const content = refusal(guard, block.id) ?? (await run(block))
 */
export const refusal = (guard: Guard, toolUseId: string): string | undefined =>
  refusalOf(guard, toolUseId)

/**
 * Tools for the tool runner that can be refused, for who uses `guardMiddleware`; `guardClient` does this by itself.
 *
 * @example client.beta.messages.toolRunner({ model, messages, tools: guardTools(guard, tools) })
 */
export const guardTools = <Tool>(guard: Guard, tools: readonly Tool[]): Tool[] =>
  tools.map((tool) => guardTool(guard, tool))

function guardTool(guard: Guard, tool: Any): Any {
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

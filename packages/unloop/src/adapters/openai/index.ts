import type { Guard } from '../../guard.js'
import type { Guards } from '../../host/guards.js'
import { callKey } from '../../reading/call-key.js'
import type { Any } from '../shared/any.js'
import { createExchange } from '../shared/exchange.js'
import { checkGiven, guardOr, has, isGuarded, noteGuarded, whileGuarded } from '../shared/given.js'
import { refusalOf } from '../shared/refusal.js'
import { withBody } from '../shared/resend.js'
import { watchStream } from '../shared/watch-stream.js'
import { chat } from './chat.js'
import { responses } from './responses.js'

export { type Outcome, outcomeOf } from '../../host/run.js'

/**
 * The same client, guarded: it sees each request and answer of one run, and the tools of `runTools` can be refused.
 *
 * @example
 * const guard = createGuard()
 * const client = guardClient(guard, new OpenAI())
 */
export function guardClient<Client extends { withOptions(options: Any): unknown }>(
  guard: Guard | Guards,
  client: Client,
): Client {
  const isRight = has(client, 'chat') || has(client, 'createChatCompletion')
  checkGiven('guardClient of unloop/openai', 'an OpenAI client', client, isRight)
  if (isGuarded(client, guard)) return client
  return guardOr(guard, 'openai', client, () => {
    // the client for Azure forgets the last two
    const { fetch: send, apiVersion, deploymentName: deployment } = client as Any
    const fetch = guardFetch(guard, send)
    const guarded: Any = client.withOptions({ fetch, apiVersion, deployment })
    if (guarded.fetch !== fetch) throw new Error('no fetch')
    return withVeto(guard, guarded)
  })
}

/** The client itself, and those made of it: the tools of `runTools` can be refused. */
function withVeto(guard: Guard | Guards, client: Any): Any {
  const {
    withOptions,
    chat: { completions },
  } = client
  const { runTools } = completions
  completions.runTools = (body: Any, options: Any) =>
    runTools.call(completions, { ...body, tools: guardTools(guard, body.tools) }, options)
  client.withOptions = (options: Any) => {
    const fetch = options?.fetch && guardFetch(guard, options.fetch)
    return withVeto(guard, withOptions.call(client, fetch ? { ...options, fetch } : options))
  }
  return noteGuarded(guard, client, client)
}

/**
 * A `fetch` that guards one run of anything that speaks chat completions or Responses.
 *
 * @example new OpenAI({ fetch: guardFetch(guard) })
 */
export function guardFetch(
  guard: Guard | Guards,
  send: (input: Any, init?: Any) => Promise<Any> = fetch,
): (input: Any, init?: Any) => Promise<Any> {
  checkGiven('guardFetch', 'a fetch', send, typeof send === 'function')
  if (isGuarded(send, guard)) return send
  const exchange = createExchange(guard, 'openai', watchStream)
  const guarded = async (input: Any, init?: Any) => {
    const [, path] = /\/(chat\/completions|responses)(?:\?|$)/.exec(input?.url ?? input) ?? []
    const text = path && (init?.body ?? (await input.clone?.().text()))
    // one of the same guard may lie around this one
    if (typeof text !== 'string' || isGuarded(init, guard)) return send(input, init)
    const request = { headers: input.headers, ...init, body: text }
    return exchange(path === 'responses' ? responses : chat, text, async (body) => {
      const sent = body === text ? init : withBody(request, body)
      return whileGuarded(guard, sent, async () => send(input, sent))
    })
  }
  return noteGuarded(guard, guarded, send)
}

/**
 * What to answer instead of running a call, for a loop of your own; undefined if it may run.
 *
 * @example const content = refusal(guard, call.id) ?? (await run(call))
 */
export const refusal: (guard: Guard | Guards, callId: string) => string | undefined = refusalOf

/**
 * Tools for `runTools` that can be refused, for who uses `guardFetch`; `guardClient` does this by itself.
 *
 * @example client.chat.completions.runTools({ model, messages, tools: guardTools(guard, tools) })
 */
export function guardTools<Tool>(guard: Guard | Guards, tools: readonly Tool[]): Tool[] {
  checkGiven('guardTools', 'a list of tools', tools, Array.isArray(tools))
  return tools.map((tool) => guardTool(guard, tool))
}

function guardTool(guard: Guard | Guards, tool: Any): Any {
  const { $callback, function: definition } = tool
  const run = $callback ?? definition?.function
  if (!run) return tool
  const name = definition.name ?? run.name
  const guarded = (...args: unknown[]) =>
    refusalOf(guard, idOf(name, args), name, args[0]) ?? run.apply(definition, args)
  // tools made by the SDK's helpers keep their function where nobody lists it
  return {
    __proto__: tool,
    ...tool,
    $callback: guarded,
    function: { ...definition, name, function: guarded },
  }
}

/** The id of a call that a runner makes: its last message has the calls, and the tool gets their arguments parsed. */
function idOf(name: string, [args, runner]: readonly Any[]): string {
  const { tool_calls: calls = [] } = runner?.messages?.at(-1) ?? {}
  const made = calls.filter(({ function: made }: Any) => made?.name === name)
  const key = callKey(name, args)
  const same = made.find(({ function: made }: Any) => callKey(name, made.arguments) === key)
  return (same ?? (made.length === 1 ? made[0] : undefined))?.id ?? ''
}

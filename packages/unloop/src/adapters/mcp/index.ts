import type { AgentEvent } from '../../event.js'
import type { Guard } from '../../guard.js'
import { type Guards, isGuards } from '../../host/guards.js'
import { BY_PERSON, type Run, runOf, type Verdict } from '../../host/run.js'
import type { ToolOptions } from '../../tool-options.js'
import { isAlone } from '../shared/alone.js'
import type { Any } from '../shared/any.js'
import { checkGiven, checkGuard, isGuarded, noteGuarded } from '../shared/given.js'

export { type Outcome, outcomeOf } from '../../host/run.js'

/**
 * The same client, guarded: a call of `callTool` that goes round in circles is answered with the reason, and advice follows
 * the answer of a tool. `guard.stopped` and `guard.assert()` tell that the run has to end. With `createGuards()`, each client has a
 * guard of its own; a client that several conversations share is guarded for each: `guardClient(guards.of(conversation), client)`.
 *
 * @example
 * const guard = createGuard()
 * const tools = guardClient(guard, client)
 */
export function guardClient<Client extends { callTool(...args: Any): Any }>(
  guard: Guard | Guards,
  client: Client,
): Client {
  const isRight = typeof client?.callTool === 'function'
  checkGiven('guardClient of unloop/mcp', 'an MCP client', client, isRight)
  checkGuard(guard, 'mcp')
  if (isGuarded(client, guard)) return client
  const { open } = createConversations(guard)
  const callTool = async (params: Params, ...rest: Any[]) => {
    const { run, save } = await open(undefined)
    const call = () => client.callTool(params, ...rest)
    // the options come last, behind a schema or not
    const wasCancelled = () => rest.some((options) => isCancelled(options?.signal))
    return answer(run, params, call, isRefused, { isCancelled: wasCancelled }).finally(save)
  }
  const own = new Proxy(client, {
    get(target, property) {
      if (property === 'callTool') return callTool
      const value = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return noteGuarded(guard, own, client)
}

/**
 * The server itself, whose tools can be refused from now on, whenever they were or will be registered. With `createGuards()`, each
 * session has a guard of its own. A server cannot end a run: calls that are not part of a loop are still answered.
 *
 * @example
 * const guards = createGuards()
 * const server = guardServer(guards, new McpServer({ name: 'files', version: '1.0.0' }))
 */
export function guardServer<Server extends object>(guard: Guard | Guards, server: Server): Server {
  // `McpServer` is a shell around the server that speaks
  const inner = (server as Any)?.server ?? server
  const { setRequestHandler } = inner ?? {}
  // a client has such handlers, too
  const isRight = typeof setRequestHandler === 'function' && !inner.callTool
  checkGiven('guardServer of unloop/mcp', 'an MCP server', server, isRight)
  checkGuard(guard, 'mcp')
  const { open } = createConversations(guard)

  const guardHandler =
    (handler: Handler): Handler =>
    async (request, extra) => {
      const call = () => handler(request, extra)
      const { method, params } = request ?? {}
      if (method !== 'tools/call' || !params || params.task) return call()
      const { run, save } = await open(extra?.sessionId)
      if (!isGuards(guard) && !isAlone(run, extra?.sessionId)) return call()
      const { stopped } = run
      const isLoop = (verdict: Verdict) =>
        'reason' in verdict && (verdict.finding !== stopped || stopped === BY_PERSON)
      const isKnown = run.attempt(() => goesOn(extra?.mcpReq))
      return answer(run, params, call, isLoop, { isKnown }).finally(save)
    }

  if (isGuarded(inner, guard)) return server
  noteGuarded(guard, inner, inner)
  inner.setRequestHandler = (...args: Any[]) =>
    setRequestHandler.call(inner, ...args.slice(0, -1), guardHandler(args.at(-1)))
  // a handler that was there before; both versions keep it here, and the tests of both hold that
  const early = inner._requestHandlers?.get('tools/call')
  if (early) inner._requestHandlers.set('tools/call', guardHandler(early))
  return server
}

// more sessions than a process has open at a time
const MAX_SESSIONS = 10_000

/** The runs of a connection: one per session, or one for all that has none. */
function createConversations(guard: Guard | Guards) {
  const own = isGuards(guard) ? crypto.randomUUID() : ''
  /** the guards that were read from the store */
  const opened = new Map<string, Promise<unknown>>()
  return {
    async open(session: string | undefined): Promise<{ run: Run; save(): void }> {
      if (!isGuards(guard)) return { run: runOf(guard, 'mcp'), save() {} }
      const name = session ?? own
      const reading = opened.get(name) ?? guard.open(name)
      opened.delete(name)
      opened.set(name, reading)
      const [oldest = ''] = opened.keys()
      if (opened.size > MAX_SESSIONS) opened.delete(oldest)
      await reading
      return { run: runOf(guard.of(name), 'mcp'), save: () => void guard.save(name) }
    },
  }
}

/**
 * What the tools of a server say of themselves, for the guard.
 *
 * @example const guard = createGuard({ tools: toTools(await client.listTools()) })
 */
export function toTools({ tools }: { tools: readonly Tool[] }): Record<string, ToolOptions> {
  const told = tools.flatMap(({ name, annotations = {} }) => {
    const { readOnlyHint, destructiveHint, idempotentHint } = annotations
    // the other two have a meaning for tools that change something, and only there
    const isChange = destructiveHint !== undefined || idempotentHint !== undefined
    const hint = readOnlyHint ?? (isChange ? false : undefined)
    return hint === undefined ? [] : [[name, { annotations: { readOnlyHint: hint } }]]
  })
  return Object.fromEntries(told)
}

// The fields we read of the SDK's types; `mcp.test-d.ts` holds them against versions 1 and 2.

interface Params {
  name: string
  arguments?: unknown
  task?: unknown
}

interface Tool {
  name: string
  annotations?:
    | {
        readOnlyHint?: boolean | undefined
        destructiveHint?: boolean | undefined
        idempotentHint?: boolean | undefined
      }
    | undefined
}

type Handler = (request: Any, extra: Any) => Any

// the protocol's own ids start over with each connection, and a guard may watch several
let calls = 0

/** Whether a call brings what the one before it asked the person for: it is that call, not another one. */
const goesOn = (request: Any): boolean =>
  (request?.inputResponses ?? request?.requestState?.()) !== undefined

/** Whether the person has ended a call; that it took too long is an answer. */
const isCancelled = (signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true && signal.reason?.name !== 'TimeoutError'

/** How many events a guard had seen when it was last shown one here, and how near to a finding it was. */
const states = new WeakMap<Run, Pick<Guard, 'events' | 'pressure'>>()

/** The person's words come by another way; where they have come, nothing is near any more, and what the model was to be told is old. */
function isNewRequest(run: Run): boolean {
  const { events, pressure } = run.guard
  const last = states.get(run)
  return last !== undefined && last.events !== events && pressure < last.pressure
}

interface CallOptions {
  /** the call was shown before */
  isKnown?: boolean | undefined
  /** Whether it was ended by the person: what is thrown then is no answer of the tool. */
  isCancelled?: () => boolean
}

/** Runs a call, unless it is refused. */
async function answer(
  run: Run,
  // the protocol leaves out what is empty, which is not the same as not known
  { name, arguments: args = {} }: Params,
  call: () => Any,
  isDenied: (verdict: Verdict) => boolean,
  { isKnown = false, isCancelled = () => false }: CallOptions,
): Promise<Any> {
  const id = isKnown ? {} : { id: `mcp ${++calls}` }
  const show = (event: AgentEvent) => {
    const verdict = run.decide(event)
    run.attempt(() => states.set(run, { events: run.guard.events, pressure: run.guard.pressure }))
    return verdict
  }
  const see = (output: unknown, isError: boolean) =>
    show({ type: 'tool-result', name, output, isError, ...id })
  run.attempt(() => isNewRequest(run) && run.takeAdvice())
  const verdict: Verdict = isKnown ? { type: 'go' } : show({ type: 'tool-call', name, args, ...id })
  if (isDenied(verdict)) {
    const refusal = toRefusal(verdict)
    see(refusal.content[0]?.text, true)
    return refusal
  }
  let result: Any
  try {
    result = await call()
  } catch (error) {
    if (!run.attempt(isCancelled)) see(String(error), true)
    throw error
  }
  return (
    run.attempt(() => {
      if (result?.resultType === 'input_required') return
      const judged = see(outputOf(result), result?.isError === true)
      if (isDenied(judged)) return toRefusal(judged)
      const advice = run.takeAdvice()
      return advice === undefined
        ? undefined
        : { ...result, content: [...(result.content ?? []), { type: 'text', text: advice }] }
    }) ?? result
  )
}

const isRefused = (verdict: Verdict) => 'reason' in verdict

const toRefusal = (verdict: Verdict) => ({
  content: [{ type: 'text', text: 'reason' in verdict ? verdict.reason : '' }],
  isError: true,
})

/** What a tool said: its words where there is nothing else. */
function outputOf({ content, structuredContent }: Any): unknown {
  if (structuredContent !== undefined) return structuredContent
  const isText = Array.isArray(content) && content.every(({ type }) => type === 'text')
  return isText ? content.map(({ text }) => text).join('\n') : content
}

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

// biome-ignore lint/suspicious/noExplicitAny: tests look wherever they like
type Message = any

/** An editor that talks to an agent over its pipes, and grants every permission but ours. */
export async function openClient(child: ChildProcess, cwd: string) {
  const lines: string[] = []
  const messages: Message[] = []
  const waiting = new Map<number, (message: Message) => void>()
  let ids = 0
  let rest = ''

  const write = (message: object) =>
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

  function receive(message: Message): void {
    messages.push(message)
    const { id, method, params } = message
    if (method === 'session/request_permission') {
      const { optionId } = params.options.find(({ kind }: Message) => kind === 'allow_once')
      if (!isOurs(message)) write({ id, result: { outcome: { outcome: 'selected', optionId } } })
    } else if (method !== undefined && id !== undefined) {
      write({ id, error: { code: -32601, message: 'Method not found' } })
    } else if (method === undefined) waiting.get(id)?.(message)
  }

  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
    for (const part of parts) receive(JSON.parse(part))
  })

  function call(method: string, params: object): Promise<Message> {
    const id = ids++
    write({ id, method, params })
    return new Promise((resolve) => waiting.set(id, resolve))
  }

  await call('initialize', { protocolVersion: 1, clientCapabilities: {} })
  const { result } = await call('session/new', { cwd, mcpServers: [] })
  return {
    lines,
    messages,
    prompt: (text: string) =>
      call('session/prompt', {
        sessionId: result.sessionId,
        prompt: [{ type: 'text', text }],
      }),
    questions: () => messages.filter(isOurs),
    text: () =>
      messages
        .map(({ params }) => params?.update)
        .filter((update) => update?.sessionUpdate === 'agent_message_chunk')
        .map(({ content }) => content.text)
        .join(''),
    /** Ends the process and all that it started. */
    async kill() {
      const closed = once(child, 'close')
      process.kill(-(child.pid as number), 'SIGKILL')
      await closed
    },
    async close() {
      child.stdin?.end()
      const [code] = child.exitCode === null ? await once(child, 'close') : [child.exitCode]
      return code
    },
  }
}

const isOurs = ({ method, params }: Message) =>
  method === 'session/request_permission' && params.toolCall.toolCallId.startsWith('unloop-')

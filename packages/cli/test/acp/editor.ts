import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { run } from '../../src/run.js'
import { createHost, emptyFolder } from '../host.js'

export interface Message {
  id?: string | number
  method?: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look wherever they like
  params?: any
  // biome-ignore lint/suspicious/noExplicitAny: the same
  result?: any
  // biome-ignore lint/suspicious/noExplicitAny: the same
  error?: any
}

/** Answers a permission request with the id of an option, or with an error; nothing leaves it open. */
export type Permit = (request: Message) => string | { code: number; message: string } | undefined

const AGENT = [process.execPath, fileURLToPath(new URL('agent.mjs', import.meta.url))] as const

/** An editor that has started an agent through the proxy. */
export async function startEditor(
  permit: Permit = () => 'yes',
  { folder = emptyFolder(), capabilities = {} } = {},
) {
  const stdin = new PassThrough()
  const { host } = createHost(['acp', '--', ...AGENT], {
    stdin,
    cwd: folder,
    env: { PATH: process.env.PATH },
  })
  const ended = run(host)
  const messages: Message[] = []
  const waiting = new Map<string | number, (message: Message) => void>()
  let ids = 0
  let rest = ''

  function write(message: Message): void {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  function receive(message: Message): void {
    const { id, method } = message
    if (method !== '_step') messages.push(message)
    if (id === undefined) return
    if (method === '_step') write({ id, result: {} })
    else if (method === 'session/request_permission') {
      const answer = permit(message)
      if (typeof answer === 'string') write({ id, result: selected(answer) })
      else if (answer) write({ id, error: answer })
    } else if (method === undefined) waiting.get(id)?.(message)
  }

  host.stdout.on('data', (chunk: Buffer) => {
    rest += chunk
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) receive(JSON.parse(line))
  })

  const editor = {
    messages,
    write,
    ended,
    /** what came after the last whole line */
    rest: () => rest,
    async call(method: string, params: object): Promise<Message> {
      const id = ids++
      write({ id, method, params })
      return new Promise((resolve) => waiting.set(id, resolve))
    },
    async newSession(cwd = folder): Promise<string> {
      const { result } = await editor.call('session/new', { cwd, mcpServers: [] })
      return result.sessionId
    },
    prompt: (sessionId: string, text: string) =>
      editor.call('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    /** the text that was shown in a session */
    text: (sessionId: string) =>
      updates(sessionId)
        .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
        .map(({ content }) => content.text)
        .join(''),
    /** how many calls of the agent have ended */
    calls: (sessionId: string) =>
      updates(sessionId).filter(({ content, toolCallId }) => content && /^call/.test(toolCallId))
        .length,
    updates,
    permissions: () => messages.filter(({ method }) => method === 'session/request_permission'),
    /** the questions that the agent did not ask */
    questions: () =>
      editor.permissions().filter(({ params }) => params.toolCall.toolCallId.startsWith('unloop')),
    async close(): Promise<number> {
      stdin.end()
      if (!host.stdout.readableEnded) await Promise.race([ended, once(host.stdout, 'end')])
      return ended
    },
  }

  function updates(sessionId: string) {
    return messages
      .filter(({ method, params }) => method === 'session/update' && params.sessionId === sessionId)
      .map(({ params }) => params.update)
  }

  await editor.call('initialize', { protocolVersion: 1, clientCapabilities: capabilities })
  return editor
}

const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } })

/** The same word several times, as steps of a prompt. */
export const times = (count: number, word: string): string => Array(count).fill(word).join(' ')

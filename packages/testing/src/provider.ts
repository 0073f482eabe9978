import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anthropic } from './anthropic.js'
import { gemini } from './gemini.js'
import { openaiChat } from './openai-chat.js'
import { openaiResponses } from './openai-responses.js'
import type { Body, Protocol, ProviderRequest } from './protocol.js'
import { complete, isFailure, type Reply } from './reply.js'
import { writeEvents } from './write.js'

/** What the model does at each request: a list, or a function of the request and the number of requests before it. */
export type Script =
  | readonly Reply[]
  | ((request: ProviderRequest, turn: number) => Reply | Promise<Reply>)

/** A request, and what became of its answer. */
export interface Exchange extends ProviderRequest {
  /** whether the client went away before the answer was complete; settles when the answer is over */
  disconnected: Promise<boolean>
}

/** A provider on this machine. */
export interface Provider {
  /** without a path; add `/v1` or `/v1beta` */
  url: string
  exchanges: Exchange[]
  /** Waits for a request, 0 being the first. */
  exchange(turn: number): Promise<Exchange>
  close(): Promise<void>
}

const PROTOCOLS: Protocol[] = [openaiChat, openaiResponses, anthropic, gemini]

/**
 * Starts a server that speaks all protocols on a free port of this machine; the caller closes it.
 *
 * @example const provider = await startProvider([{ calls: [{ name: 'read_file' }] }, { text: 'Done.' }])
 */
export async function startProvider(script: Script): Promise<Provider> {
  const exchanges: Exchange[] = []
  const waiting: (() => void)[] = []
  let closing = false

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = message.url ?? '/'
    const { pathname } = new URL(path, 'http://localhost')
    const protocol = PROTOCOLS.find((one) => one.path.test(pathname))
    if (!protocol) return sendJson(response, 404, { error: { message: `no such path: ${path}` } })
    const body = await readBody(message)
    const request = { protocol: protocol.name, path, headers: message.headers, body }
    let cut = false
    const disconnected = new Promise<boolean>((resolve) => {
      response.once('close', () => resolve(!(response.writableFinished || cut || closing)))
    })
    const turn = exchanges.push({ ...request, disconnected }) - 1
    for (const wake of waiting.splice(0)) wake()

    const refused = protocol.refuse(body)
    const reply = refused
      ? { status: 400, message: refused }
      : await nextReply(script, request, turn)
    if (isFailure(reply)) {
      const { status, message = `status ${status}, as scripted`, headers } = reply
      return sendJson(response, status, protocol.error(status, message), headers)
    }
    cut = reply.fault === 'cut'
    const context = { turn, model: modelOf(request), body }
    const whole = complete(reply, turn)
    const stream = protocol.isStream(path, body)
    const type = stream ? 'text/event-stream' : 'application/json'
    const events = stream
      ? protocol.stream(whole, context)
      : inHalves(JSON.stringify(protocol.whole(whole, context)))
    response.writeHead(200, { 'content-type': type })
    await writeEvents(response, events, reply, protocol.streamError('scripted error'))
  }

  const server = createServer((message, response) => {
    message.socket.setNoDelay(true)
    // an unreadable request; its sender sees the connection end
    answer(message, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    async exchange(turn) {
      for (;;) {
        const found = exchanges[turn]
        if (found) return found
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    async close() {
      closing = true
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** A script that has ended or throws must not look like an outage, because clients retry those. */
async function nextReply(script: Script, request: ProviderRequest, turn: number): Promise<Reply> {
  if (typeof script !== 'function') {
    return script[turn] ?? { status: 400, message: `the script has no reply for request ${turn}` }
  }
  try {
    return await script(request, turn)
  } catch (error) {
    return { status: 400, message: `the script failed: ${error}` }
  }
}

async function readBody(message: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString()) as Body
}

function modelOf({ path, body }: ProviderRequest): string {
  const inPath = /\/models\/([^/:]+):/.exec(path)?.[1]
  return inPath ?? (typeof body.model === 'string' ? body.model : 'unknown')
}

const inHalves = (text: string) => [
  text.slice(0, text.length / 2),
  text.slice(Math.floor(text.length / 2)),
]

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// what arrives together when a model is fast; a tenth of it would measure how the protocol is read, not how it is drawn
const PIECE = 400

/** A provider that answers every request with this text, as fast as it is read. */
export async function startAnswering(text: string) {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let at = 0; at < text.length; at += PIECE) {
      response.write(toEvent({ content: text.slice(at, at + PIECE) }, null))
    }
    response.end(`${toEvent({}, 'stop')}data: [DONE]\n\n`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const toEvent = (delta: object, finish_reason: string | null) =>
  `data: ${JSON.stringify({ id: 'long', object: 'chat.completion.chunk', created: 0, model: 'long', choices: [{ index: 0, delta, finish_reason }] })}\n\n`

// A provider that knows nobody's key: it answers 401, whatever it is asked.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const ANSWER = JSON.stringify({ error: { message: 'invalid key', type: 'authentication_error' } })

const server = createServer((request, response) => {
  request.resume()
  request.once('end', () => {
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end(ANSWER)
  })
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => {
  server.close()
  server.closeAllConnections()
})

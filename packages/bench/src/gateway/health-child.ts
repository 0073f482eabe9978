// Another client of a gateway: asks /healthz again and again, in a process of its own, until it is told to stop, and then says how
// long it waited at most. A question without an answer ends the process with 1.
import { Agent, get } from 'node:http'

// a load balancer asks less often, but what it would have waited is found like this
const PAUSE_MS = 2

const port = Number(process.argv[2])
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let longestMs = 0
let isAsked = false

process.once('message', () => {
  isAsked = true
})
process.once('disconnect', () => process.exit())
await ask()
// the first one opens the connection and compiles both programs
longestMs = 0
process.send?.('ready')
while (!isAsked) {
  await ask()
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}
process.send?.(longestMs)
process.disconnect?.()

function ask(): Promise<void> {
  const start = performance.now()
  return new Promise((resolve) => {
    const fail = () => process.exit(1)
    const asked = get({ agent, host: '127.0.0.1', port, path: '/healthz' }, (response) => {
      response.once('error', fail).resume()
      response.once('end', () => {
        longestMs = Math.max(longestMs, performance.now() - start)
        resolve()
      })
    })
    asked.once('error', fail)
  })
}

// Runs Portkey's gateway on 127.0.0.1 alone; by itself it listens on every address of the machine. It reads
// its options from our command line.
import { Server } from 'node:net'
import { pathToFileURL } from 'node:url'

const { listen } = Server.prototype
Server.prototype.listen = function (this: Server, first: unknown, ...rest: unknown[]) {
  const options = typeof first === 'object' ? first : { port: first }
  const then = rest.find((one) => typeof one === 'function')
  return Reflect.apply(listen, this, [{ ...options, host: '127.0.0.1' }, then])
}
process.on('disconnect', () => process.kill(process.pid))
await import(pathToFileURL(process.env.PORTKEY_GATEWAY ?? '').href)

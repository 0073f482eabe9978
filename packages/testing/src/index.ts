export type { Body, ProtocolName } from './protocol.js'
export type { Exchange, Provider, Script } from './provider.js'
export { startProvider } from './provider.js'
export type { Answer, Call, Failure, Fault, Finish, Reply, Usage } from './reply.js'

export { createOracle, ORACLE_ADVICE } from './oracle.js'
export type { Door } from './play-recorded.js'
export { playRecorded } from './play-recorded.js'
export type { Body, ProtocolName } from './protocol.js'
export type { Exchange, Provider, Script } from './provider.js'
export { startProvider } from './provider.js'
export type {
  RecordedCase,
  RecordedKind,
  RecordedRequest,
  RecordedVerdict,
} from './recorded-requests.js'
export { RECORDED_KINDS, recordedRequests } from './recorded-requests.js'
export type { Answer, Call, Failure, Fault, Finish, Reply, Usage } from './reply.js'
export type { TemporaryFolder } from './temporary-folder.js'
export { makeFolder } from './temporary-folder.js'
export type { TextAgent } from './text-agents.js'
export { textAgents } from './text-agents.js'

export { type Agent, type AgentOptions, createAgent } from './agent.js'
export type { Choice } from './choice.js'
export type { ClientEvent, ClientEventType, UsageSum } from './client-event.js'
export type { GuardMode } from './guard-mode.js'
export { createGuideTools } from './guide/guide-tools.js'
export type { Persona } from './hand-off.js'
export type { Entry } from './history.js'
export type { AssistantPart, CallOutcome, CallPart, Message, ResultPart } from './message.js'
export {
  type FinishReason,
  type Model,
  ModelError,
  type ModelErrorKind,
  type ModelEvent,
  type ModelRequest,
  type TokenUsage,
  type ToolDeclaration,
} from './model.js'
export {
  createEmbeddedModel,
  demoPersonas,
  type EmbeddedOptions,
  STUCK_KINDS,
} from './models/embedded.js'
export { knownModels } from './models/known-models.js'
export { type ListOptions, listModels } from './models/list-models.js'
export type { AccessOptions, BaseUrl } from './models/provider-access.js'
export { type ResolveOptions, resolveModel } from './models/resolve-model.js'
export type { Approval, Approve } from './scheduler.js'
export {
  type AgentState,
  readSession,
  type SavedSession,
  type SessionHeader,
  type SessionLog,
} from './session.js'
export { createSessionLog } from './session-log.js'
export { readSummary, type SessionSummary } from './session-summary.js'
export { createSubAgent, type SubAgentOptions } from './sub-agent.js'
export { defineTool, type Tool, type ToolContext } from './tool.js'
export { createFileTools } from './tools/file-tools.js'

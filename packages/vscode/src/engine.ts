import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  type Agent,
  type Approve,
  createAgent,
  createGuideTools,
  createSessionLog,
  demoPersonas,
  readSession,
  resolveModel,
  type SavedSession,
} from '@unloop/agent'
import { createGuard, type Snapshot } from 'unloop'
import { toGuardOptions } from './check-guard.js'
import { createFolderTools } from './folder-tools.js'
import type { Folder } from './folders.js'
import { createLmModel, LM_PROVIDER, type LmApi } from './host/lm-model.js'
import { toSentences } from './sentences.js'
import { providerOf, type Settings } from './settings.js'

export { checkGuard } from './check-guard.js'
export { listChoices } from './list-choices.js'

export interface OpenOptions {
  settings: Settings
  /** the file of the conversation; an existing one is continued */
  path: string
  /** what the tools may see; without one they see the guide only */
  folders: readonly Folder[]
  env: Readonly<Record<string, string | undefined>>
  /** the keys that the person has stored, by provider */
  keys: Readonly<Record<string, string>>
  approve: Approve
  /** what the editor offers for models of its own; without it there are none */
  lm?: LmApi
  /** The judge cannot be used, and the agent does without it. */
  onProblem(text: string): void
  /** the settings the conversation was last held with, if they are known */
  before?: Settings | undefined
}

/** The agent as the settings want it, at the point where its conversation was left. Throws a `ModelError`. */
export async function openAgent(options: OpenOptions): Promise<Agent> {
  const { settings, path, folders, approve, before, onProblem } = options
  const doWithout = ({ message, advice = '' }: Error & { advice?: string }) => {
    onProblem(toSentences(message, advice))
    return undefined
  }
  // a key goes to its own provider, at the address the person has set for that provider
  const toModel = (spec: string) => {
    const provider = providerOf(spec)
    if (provider === LM_PROVIDER && options.lm) {
      return createLmModel(options.lm, spec.trim().slice(LM_PROVIDER.length + 1))
    }
    const apiKey = options.keys[provider]
    const baseUrl = settings.baseUrl[provider]
    return resolveModel(spec, {
      env: options.env,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(apiKey !== undefined && { apiKey }),
    })
  }
  const model = await toModel(settings.model)
  const judge =
    settings.judgeModel === '' ? undefined : await toModel(settings.judgeModel).catch(doWithout)
  const saved = readOrStart(path, settings.model, folders[0]?.path)
  const hasChanged = JSON.stringify(before?.guard) !== JSON.stringify(settings.guard)
  if (saved.state && hasChanged) saved.state.guard = withoutCounts(saved.state.guard)
  const agent = createAgent({
    model,
    tools: [...createFolderTools(folders), ...createGuideTools()],
    guard: { ...toGuardOptions(settings.guard), attended: true },
    guardMode: settings.guardMode,
    instructions: INSTRUCTIONS,
    maxTurns: settings.maxTurns,
    ...(isEmbedded(settings.model) && { personas: demoPersonas }),
    ...(judge && { judge: { model: judge } }),
    approve,
    saved,
    log: createSessionLog(path, saved),
  })
  // a conversation brings its mode along, unless the setting has changed since
  if (before && before.guardMode !== settings.guardMode) agent.guardMode = settings.guardMode
  return agent
}

const isEmbedded = (spec: string) => providerOf(spec) === 'embedded'

function readOrStart(path: string, model: string, folder = ''): SavedSession {
  if (existsSync(path)) return readSession(path)
  const createdAt = new Date().toISOString()
  return { header: { id: randomUUID(), model, folder, createdAt }, entries: [], state: undefined }
}

/** What a guard keeps when its rules change: the session's findings and choices, not the counts. */
function withoutCounts(snapshot: Snapshot): Snapshot {
  const guard = createGuard({}, snapshot)
  guard.observe({ type: 'prompt' })
  return guard.snapshot()
}

const INSTRUCTIONS = `You are a helpful assistant in a code editor, working in the person's workspace. Use the tools when they help, and answer briefly.
A message may end with what the editor shows: the open file and the selected lines.
If you are told that you repeat yourself, do something else or say what is missing.`

import type { CodingAgent } from '../coding-agents/coding-agent.js'
import type { Scope } from '../coding-agents/install.js'
import { UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import { type Change, installChange, removeChange } from './change.js'
import { findInstalled } from './installed.js'
import type { Launch } from './launcher.js'
import { placeOf } from './ours.js'

/** What is to be done for one agent. */
export interface Plan {
  agent: CodingAgent
  action: 'install' | 'update' | 'remove' | 'keep' | 'skip' | 'fail'
  changes: Change[]
  /** why nothing is done, or why it cannot be */
  reason?: string
}

/** What it takes to have the hook of this agent. */
export const planInstall = (host: Host, agent: CodingAgent, scope: Scope, launch: Launch): Plan =>
  planned(agent, () => {
    const other = scope === 'user' ? 'project' : 'user'
    const [twin] = agent.install.isOnce ? findInstalled(host, agent, other) : []
    if (twin) {
      return { action: 'skip', reason: `already in ${twin.path}; two would count each call twice` }
    }
    const files = agent.install.files(scope, placeOf(host), ...launch.commands(agent.name))
    const isThere = findInstalled(host, agent, scope).length > 0
    const changes = files.flatMap((file) => installChange(host, agent, file) ?? [])
    if (changes.length === 0) return { action: 'keep', reason: 'already installed' }
    return { action: isThere ? 'update' : 'install', changes }
  })

/** What it takes to be rid of the hook of this agent. */
export const planRemoval = (host: Host, agent: CodingAgent, scope: Scope): Plan =>
  planned(agent, () => {
    const files = agent.install.files(scope, placeOf(host), '')
    const changes = files.flatMap((file) => removeChange(host, agent, file) ?? [])
    if (changes.length === 0) return { action: 'keep', reason: 'not installed' }
    return { action: 'remove', changes }
  })

/** A plan that failed, for a reason that the person can do something about. */
export function failed(agent: CodingAgent, error: unknown): Plan {
  if (!(error instanceof UsageError)) throw error
  return { agent, action: 'fail', changes: [], reason: error.message }
}

function planned(
  agent: CodingAgent,
  plan: () => Omit<Plan, 'agent' | 'changes'> & { changes?: Change[] },
): Plan {
  try {
    return { agent, changes: [], ...plan() }
  } catch (error) {
    return failed(agent, error)
  }
}

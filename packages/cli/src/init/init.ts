import { createInterface } from 'node:readline'
import { plural } from 'unloop/words'
import type { CodingAgent } from '../coding-agents/coding-agent.js'
import { codingAgentNamed, codingAgents } from '../coding-agents/index.js'
import type { Scope } from '../coding-agents/install.js'
import { EXIT, type ExitCode, UsageError } from '../exit-code.js'
import { homeOf } from '../home-of.js'
import { type Host, toOutput } from '../host.js'
import { suggestion } from '../nearest.js'
import { apply } from './apply.js'
import type { Change } from './change.js'
import { isHere } from './installed.js'
import { type Launch, launcherRemoval, launchFor, programFor } from './launcher.js'
import { failed, type Plan, planInstall, planRemoval } from './plan.js'
import { showFiles, showPlan, toRecord } from './show.js'

export interface InitOptions {
  user?: boolean
  project?: boolean
  yes?: boolean
  dryRun?: boolean
  remove?: boolean
  json?: boolean
}

/** Installs or removes hooks: shows what it would write, asks, and writes. */
export async function init(
  host: Host,
  names: readonly string[],
  options: InitOptions,
): Promise<ExitCode> {
  const scope: Scope = options.project ? 'project' : 'user'
  if (scope === 'project' && host.cwd() === homeOf(host)) {
    throw new UsageError('this is your home folder; go to a project, or leave out --project')
  }
  const agents = chosenAgents(host, names, options)
  const launch = options.remove ? undefined : launchFor(host, scope)
  const plans = agents
    .map((agent) =>
      launch ? planInstall(host, agent, scope, launch) : planRemoval(host, agent, scope),
    )
    // of those that were not asked for, only what is there can be removed
    .filter(({ action }) => names.length > 0 || !options.remove || action !== 'keep')
  const copies = plans.some(({ action }) => RUN_IT.has(action)) ? (launch?.changes ?? []) : []
  const count = copies.length + plans.reduce((sum, { changes }) => sum + changes.length, 0)
  if (!options.json) show(host, plans, copies, launch)
  const isWritten = count > 0 && (await isWanted(host, count, options))
  const done = isWritten ? write(host, plans, copies) : plans
  if (isWritten && !launch && scope === 'user') removeLauncher(host)
  if (options.json) {
    const records = done.map((plan) => toRecord(plan, isWritten))
    toOutput(host.stdout, host.env).json({ scope, note: launch?.note, agents: records })
  } else if (isWritten) tellResult(host, done, scope, launch)
  const isDeclined = !isWritten && !options.dryRun && count > 0
  const isFailed = done.some(({ action }) => action === 'fail')
  return isFailed || isDeclined || (!options.remove && done.length === 0) ? EXIT.found : EXIT.quiet
}

function chosenAgents(host: Host, names: readonly string[], { remove }: InitOptions) {
  if (names.length === 0) {
    return remove ? codingAgents : codingAgents.filter((agent) => isHere(host, agent))
  }
  const known = codingAgents.map(({ name }) => name)
  return [...new Set(names)].map((name): CodingAgent => {
    const agent = codingAgentNamed(name)
    if (agent) return agent
    throw new UsageError(
      `unknown agent: ${name}${suggestion(name, known)}; known are ${known.join(', ')}`,
    )
  })
}

// with these, an agent runs the copy of the hook where there is one
const RUN_IT = new Set<Plan['action']>(['install', 'update', 'keep'])

const hasWork = (plans: readonly Plan[]) => plans.some(({ changes }) => changes.length > 0)

function show(
  host: Host,
  plans: readonly Plan[],
  copies: readonly Change[],
  launch: Launch | undefined,
): void {
  const out = toOutput(host.stdout, host.env)
  const err = toOutput(host.stderr, host.env)
  if (plans.length === 0) {
    out.line(launch ? nobody(programFor(host)) : 'No hook of unloop is installed here.')
    return
  }
  for (const plan of plans) {
    if (plan.action === 'fail') err.line(`unloop: ${plan.agent.title}: ${plan.reason}`)
    else showPlan(out, plan)
  }
  showFiles(out, copies)
  if (hasWork(plans) && launch?.note) out.line(launch.note)
}

const nobody = (
  program: string,
) => `No coding agent found on this machine. Name the one you want to guard:
${codingAgents.map(({ name }) => `  ${program} init ${name}`).join('\n')}`

/** Whether to write: the person said so beforehand, or says so now. */
async function isWanted(
  host: Host,
  count: number,
  { yes, dryRun, json }: InitOptions,
): Promise<boolean> {
  if (dryRun) return false
  if (yes) return true
  if (json || !host.stdin.isTTY || !host.stdout.isTTY) {
    throw new UsageError(
      'nothing was written, because there is no terminal to ask in; add --yes to write, or --dry-run to look only',
    )
  }
  const isAgreed = await ask(host, `Write ${plural(count, 'file')}? [y/N] `)
  if (!isAgreed) toOutput(host.stdout, host.env).line('Nothing was written.')
  return isAgreed
}

async function ask(host: Host, question: string): Promise<boolean> {
  const lines = createInterface({ input: host.stdin, output: host.stdout })
  const answer = await new Promise<string>((resolve) => {
    lines.once('close', () => resolve('\n'))
    lines.question(question, resolve)
  })
  lines.close()
  // without an answer the cursor stands behind the question
  if (answer === '\n') toOutput(host.stdout, host.env).line()
  return /^(?:y|yes)$/i.test(answer.trim())
}

/** What came of the plans. What the hooks run must be there before the hooks. */
function write(host: Host, plans: readonly Plan[], copies: readonly Change[]): Plan[] {
  try {
    apply(host, copies)
  } catch (error) {
    return plans.map((plan) => (RUN_IT.has(plan.action) ? failed(plan.agent, error) : plan))
  }
  return plans.map((plan) => {
    try {
      apply(host, plan.changes)
      return plan
    } catch (error) {
      return failed(plan.agent, error)
    }
  })
}

function removeLauncher(host: Host): void {
  apply(host, launcherRemoval(host))
}

function tellResult(
  host: Host,
  plans: readonly Plan[],
  scope: Scope,
  launch: Launch | undefined,
): void {
  const out = toOutput(host.stdout, host.env)
  const err = toOutput(host.stderr, host.env)
  out.line()
  for (const { agent, action, reason } of plans) {
    if (action === 'fail') err.line(`unloop: ${agent.title}: ${reason}`)
    if (action === 'remove') out.line(`${agent.title} is no longer guarded.`)
    if (action !== 'install' && action !== 'update') continue
    const { next } = agent.install
    if (next) out.line(`${agent.title} has the hook, but needs you: ${next}`)
    else out.line(`${agent.title} is guarded from its next session on.`)
  }
  const isFailed = plans.every(({ action }) => action === 'fail')
  if (launch && !isFailed && launch.changes.length > 0 && !hasWork(plans)) {
    out.line('The copy of unloop was updated.')
  }
  if (!launch || !hasWork(plans)) return
  const { program } = launch
  const undo = `${program} init --remove${scope === 'project' ? ' --project' : ''}`
  out.line(`Check it: ${program} doctor. Undo it: ${undo}.`)
}

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentName } from '../agents/agents.js'
import { finish, type Lab, openLab, type Run } from '../agents/lab.js'
import type { Wishes } from '../agents/model.js'
import { fillProject } from '../agents/scenarios.js'
import { type GatewayCommand, startCommand } from './command.js'
import { type Hop, startHop } from './hop.js'

/** A lab whose agent talks through `unloop gateway`, with a hop on both sides of it. */
export interface GuardedLab extends Lab {
  before: Hop
  after: Hop
  gateway: GatewayCommand
  /** Gives the agent another prompt in the session of its last run. */
  resume(prompt: string): Promise<Run>
}

/** Opens a lab with a filled project; `options` are those of the command. */
export async function openGuarded(
  name: AgentName,
  wishes: Wishes,
  ...options: string[]
): Promise<GuardedLab> {
  const between = {} as Pick<GuardedLab, 'before' | 'after' | 'gateway'>
  const lab = await openLab(name, wishes, {
    // a model writes slower than a network takes it
    pauseMs: 1,
    async through(url) {
      between.after = await startHop(url)
      between.gateway = await startCommand(between.after.url, ...options)
      between.before = await startHop(between.gateway.url)
      return {
        url: between.before.url,
        async close() {
          await between.before.close()
          await between.gateway.close()
          await between.after.close()
        },
      }
    },
  })
  await fillProject(lab)
  if (name === 'codex') await allowRetries(lab)
  return {
    ...lab,
    ...between,
    resume: (prompt) => finish(lab.spawn(resumed[name](lab.agent.headless(prompt)))),
  }
}

/** Codex in the lab retries nothing, unlike that of other people. */
async function allowRetries({ home }: Lab): Promise<void> {
  const file = join(home, '.codex/config.toml')
  const settings = await readFile(file, 'utf8')
  await writeFile(file, settings.replace(/^\w+_max_retries = 0\n/gm, ''))
}

/** The arguments of a run that goes on with the last session, made of those of a new one. */
const resumed: Record<AgentName, (args: string[]) => string[]> = {
  'claude-code': (args) => [...args, '--continue'],
  codex: (args) => args.toSpliced(-1, 0, 'resume', '--last'),
  'gemini-cli': (args) => [...args, '--resume', 'latest'],
  'qwen-code': (args) => [...args, '--continue'],
  opencode: (args) => args.toSpliced(-1, 0, '--continue'),
}

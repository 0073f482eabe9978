import { basename, dirname, join } from 'node:path'
import { type Json, listOf, objectOf, textOf } from '../json.js'
import { readBeside } from '../read-beside.js'
import type { Run } from '../transcript.js'

/** What the files beside the messages of a task, and the place of it, say of the whole. */
export async function factsOfTask(path: string): Promise<Partial<Run>> {
  if (basename(path) !== 'api_conversation_history.json') return { program: 'cline' }
  const folder = dirname(path)
  const [item, metadata, tasks] = await Promise.all([
    readBeside(join(folder, 'history_item.json')),
    readBeside(join(folder, 'task_metadata.json')),
    readBeside(join(folder, '..', '..', 'state', 'taskHistory.json')),
  ])
  // only Roo Code and its fork keep such a file
  const isRoo = textOf(objectOf(item).id) !== undefined
  const { workspace, parentTaskId, status } = objectOf(item)
  const session = basename(folder)
  const parent = textOf(parentTaskId)
  // Cline keeps a list of all tasks
  const task = objectOf(listOf(tasks).find((one) => objectOf(one).id === session))
  const project = textOf(workspace) ?? textOf(task.cwdOnTaskInitialization)
  const model = textOf(objectOf(listOf(objectOf(metadata).model_usage).at(-1)).model_id)
  return {
    program: programAt(path) ?? (isRoo ? 'roo-code' : 'cline'),
    session,
    ...(parent && { parent, agent: session }),
    ...(project && { project }),
    ...(model && { model }),
    ...(status === 'completed' && { outcome: { kind: 'finished', status } }),
  }
}

/** Learns from what the program tells the model of its environment with each request. */
export function learnFrom(run: Run, message: Json, texts: readonly string[]): void {
  const model = textOf(objectOf(message.modelInfo).modelId)
  if (model) run.model = model
  const details = texts.find((text) => text.includes('<environment_details>'))
  if (details === undefined) return
  const told = details.slice(details.indexOf('<environment_details>'))
  const project = between(told, DIRECTORIES, ') Files')
  if (project) run.project ??= project
  // a mode of Roo Code has a short name; modes of Cline are PLAN and ACT
  if (run.program === 'cline' && told.includes('<slug>')) run.program = 'roo-code'
  const named = between(told, ['<model>'], '</model>')
  if (named) run.model = named
}

const PLACES: readonly [part: string, program: string][] = [
  ['rooveterinaryinc.roo-cline', 'roo-code'],
  ['kilocode.kilo-code', 'kilo-code'],
  ['.kilocode', 'kilo-code'],
  ['saoudrizwan.claude-dev', 'cline'],
]

const programAt = (path: string) => {
  const parts = path.toLowerCase().split(/[\\/]/)
  return PLACES.find(([part]) => parts.includes(part))?.[1]
}

const DIRECTORIES = ['# Current Working Directory (', '# Current Workspace Directory (']
// no path and no name is longer
const MAX_LENGTH = 1000

function between(text: string, starts: readonly string[], end: string): string | undefined {
  for (const start of starts) {
    const from = text.indexOf(start)
    if (from < 0) continue
    const rest = text.slice(from + start.length, from + start.length + MAX_LENGTH)
    const to = rest.indexOf(end)
    if (to > 0) return rest.slice(0, to)
  }
}

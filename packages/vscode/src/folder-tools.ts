import { createFileTools, type Tool } from '@unloop/agent'
import { type Folder, splitShown } from './folders.js'

/** The tools of the agent for all folders of a workspace; where there are several, paths begin with the folder's name. */
export function createFolderTools(folders: readonly Folder[]): Tool[] {
  const [first] = folders
  if (!first) return []
  if (folders.length === 1) return createFileTools(first.path)
  const all = folders.map((folder) => ({ folder, tools: createFileTools(folder.path) }))
  const names = folders.map(({ name }) => name).join(', ')
  const shared = createFileTools(first.path).filter(({ name }) => name !== 'run_command')
  const commands = all.flatMap(({ folder, tools }) =>
    tools.filter(({ name }) => name === 'run_command').map((tool) => toCommandTool(tool, folder)),
  )
  return [...shared.map(({ name }) => toSharedTool(name, all, names)), ...apart(commands)]
}

type FolderTools = { folder: Folder; tools: Tool[] }
type Args = { path?: string }

/** One tool in front of those of all folders; the path says which one is meant. */
function toSharedTool(name: string, all: readonly FolderTools[], names: string): Tool {
  const toolOf = ({ tools }: FolderTools) => tools.find((tool) => tool.name === name) as Tool
  const [first] = all as [FolderTools]
  const own = toolOf(first)
  return {
    ...own,
    description: `${own.description} Paths begin with the name of a folder: ${names}.`,
    async execute(args, context) {
      const { path = '.' } = args as Args
      const run = async (one: FolderTools, within: string) => {
        try {
          const output = await toolOf(one).execute({ ...(args as Args), path: within }, context)
          return toFullPaths(name, output, one.folder.name, within)
        } catch (error) {
          throw new Error((error as Error).message.replace(`: ${within}`, () => `: ${path}`))
        }
      }
      if (TOPS.includes(path) && (name === 'list_files' || name === 'search_files')) {
        const answers: string[] = []
        for (const one of all) answers.push(await run(one, '.'))
        return answers.join('\n')
      }
      const { folder, rest } = splitShown(
        all.map((one) => one.folder),
        path,
      )
      const found = all.find((one) => one.folder === folder)
      if (!found) throw new Error(`no such file: ${path}. Paths begin with one of: ${names}`)
      return run(found, rest)
    },
  }
}

const TOPS = ['', '.', './', '/']

/** The paths in an answer, each with the name of the folder. */
function toFullPaths(tool: string, output: string, folder: string, within: string): string {
  if (tool === 'edit_file') return output.replace(` ${within}`, () => ` ${folder}/${within}`)
  if (tool === 'read_file') return output
  return output
    .split('\n')
    .map((line) => (isPath(line) ? `${folder}/${line}` : `${folder}: ${line}`))
    .join('\n')
}

/** Whether a line of an answer begins with a path; the others are remarks. */
const isPath = (line: string) => !/^(?:\[[^\]]*\]$|\([^)]*\)$|nothing matches )/.test(line)

/** A command runs in one folder, so each has a tool of its own. */
const toCommandTool = (tool: Tool, { name }: Folder): Tool => ({
  ...tool,
  name: `${tool.name}_in_${name.replace(/[^\w-]/g, '_')}`.slice(0, MAX_NAME),
  description: `${tool.description} It runs in the folder ${name}.`,
  // what a command does depends on the folder it runs in
  scopes: (args) => (tool.scopes?.(args) ?? []).map((scope) => `${scope} (${name})`),
})

// what providers take
const MAX_NAME = 64

/** The tools, with a number where a name is taken: providers refuse two tools of one name. */
function apart(tools: readonly Tool[]): Tool[] {
  const taken = new Set<string>()
  return tools.map((tool) => {
    let { name } = tool
    for (let number = 2; taken.has(name); number++) {
      const ending = `_${number}`
      name = tool.name.slice(0, MAX_NAME - ending.length) + ending
    }
    taken.add(name)
    return { ...tool, name }
  })
}

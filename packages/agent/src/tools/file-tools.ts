import { resolve } from 'node:path'
import type { Tool } from '../tool.js'
import { editFileTool } from './edit-file.js'
import { listFilesTool } from './list-files.js'
import { readFileTool } from './read-file.js'
import { runCommandTool } from './run-command.js'
import { searchFilesTool } from './search-files.js'

/** The tools of the chat: to read, list, search, edit and run below one folder, and nowhere else. */
export function createFileTools(folder: string): Tool[] {
  const root = resolve(folder)
  return [
    readFileTool(root),
    listFilesTool(root),
    searchFilesTool(root),
    editFileTool(root),
    runCommandTool(root),
  ]
}

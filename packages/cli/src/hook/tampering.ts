import { resolve } from 'node:path'
import type { AgentEvent } from 'unloop'
import { type FileEdit, fileEditsOf, patchEditsOf } from './file-edits.js'
import { isProtected, type Place, placeOf } from './guarded-files.js'
import { takesHookOut } from './settings-edit.js'
import { runsTampering } from './shell-tampering.js'

type Call = Extract<AgentEvent, { type: 'tool-call' }>
type Fields = Record<string, unknown>

/** What the model reads when a call that would change its own guard is refused. */
export const TAMPERING =
  'This call would change the guard that watches this session. Only the person can do that, in a terminal of their own. Continue with the task in another way, or tell the person what you need and why.'

/**
 * Whether a call would change the guard of its own session, although only the person may. Narrow on purpose: it knows the
 * commands for it and the files that take effect by themselves, and nothing else.
 */
export function isTampering(
  host: Place,
  folder: string | undefined,
  { name, args }: Call,
): boolean {
  if (typeof args !== 'object' || args === null) return false
  const fields = args as Fields
  const place = folderIn(fields, folder ?? '/')
  const isGuards = (from: string, { path, edit }: FileEdit) =>
    isProtected(host, from, path) || takesHookOut(placeOf(host, from, path), edit)
  const isPatch = (from: string, text: string) =>
    patchEditsOf(text).some((one) => isGuards(from, one))
  if (linesIn(name, fields).some((line) => runsTampering(host, place, line, isPatch))) return true
  return fileEditsOf(name, fields).some((one) => isGuards(place, one))
}

/** The folder that a tool is told to work in. */
function folderIn(fields: Fields, folder: string): string {
  const own = [fields.workdir, fields.directory, fields.dir_path, fields.cwd].find(
    (path) => typeof path === 'string',
  )
  return typeof own === 'string' ? resolve(folder, own) : folder
}

/** The lines that a tool gives to a shell, or the words of one command, as Codex has given them. */
function linesIn(name: string, { action, ...fields }: Fields): (string | string[])[] {
  const inner = (action as Fields | undefined)?.command
  const usual = [fields.command, fields.cmd, fields.script, fields.commandLine, inner]
  // elsewhere, these are texts
  const others = RUNS.test(name) ? [fields.code, fields.input, fields.chars] : []
  return [...usual, ...others].flatMap((line): (string | string[])[] => {
    if (Array.isArray(line)) return [line.map(String)]
    return typeof line === 'string' ? [line] : []
  })
}

const RUNS = /exec|run|shell|bash|terminal|command|stdin/i

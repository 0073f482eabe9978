import type { Edit } from './settings-edit.js'

type Fields = Record<string, unknown>

/** A file that a tool changes, and how. */
export interface FileEdit {
  path: string
  edit: Edit
}

const WRITES =
  /write|edit|replace|create|patch|insert|delete|remove|move|rename|save|append|overwrite/i
const PATHS = [
  ...['file_path', 'filePath', 'path', 'absolute_path', 'target_file', 'filename', 'file', 'uri'],
  ...['notebook_path', 'relative_path', 'source', 'destination', 'old_path', 'new_path'],
]

/** The files that a call of a tool changes. */
export function fileEditsOf(name: string, fields: Fields): FileEdit[] {
  const patches = [fields.input, fields.patch, fields.patchText, fields.command]
    .filter((text) => typeof text === 'string')
    .flatMap(patchEditsOf)
  if (patches.length > 0) return patches
  if (!WRITES.test(name)) return []
  const files = Array.isArray(fields.files) ? fields.files.filter(isRecord) : []
  return [fields, ...files].flatMap((one) => {
    const edit = editOf(name, one)
    return PATHS.map((key) => one[key])
      .filter((path) => typeof path === 'string')
      .map((path) => ({ path, edit }))
  })
}

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null

function editOf(name: string, fields: Fields): Edit {
  const whole = [fields.content, fields.contents, fields.file_text, fields.text].find(
    (text) => typeof text === 'string',
  )
  if (typeof whole === 'string') {
    return (before) => (/append/i.test(name) ? before + whole : whole)
  }
  if (/delete|remove|move|rename/i.test(name)) return () => ''
  const edits = Array.isArray(fields.edits) ? fields.edits.filter(isRecord) : [fields]
  return (before) =>
    edits.reduce<string | undefined>((text, edit) => {
      const old = edit.old_string ?? edit.oldString ?? edit.old_str ?? edit.oldText ?? edit.old_text
      const made =
        edit.new_string ?? edit.newString ?? edit.new_str ?? edit.newText ?? edit.new_text
      if (text === undefined || typeof old !== 'string' || old === '') return text
      const now = typeof made === 'string' ? made : ''
      const isAll = edit.replace_all === true || edit.replaceAll === true
      return isAll ? text.replaceAll(old, () => now) : text.replace(old, () => now)
    }, before)
}

// more than a patch has
const MAX_CHARACTERS = 200_000

/** The files of a patch in the format of Codex. */
export function patchEditsOf(patch: string): FileEdit[] {
  if (!patch.includes('*** ')) return []
  const edits: FileEdit[] = []
  let lines: string[] = []
  for (const line of patch.slice(0, MAX_CHARACTERS).split(/\r?\n/)) {
    const [, what, path = ''] =
      /^\s{0,20}\*\*\* (Update File|Add File|Delete File|Move to): (.{1,1000})$/.exec(line) ?? []
    if (what === undefined) {
      lines.push(line)
      continue
    }
    const own: string[] = []
    lines = own
    const edit: Edit = (before) => (what === 'Update File' ? patched(before, own) : added(own))
    edits.push({ path: path.trim(), edit: what === 'Delete File' ? () => '' : edit })
    // it is gone from where it was
    const from = edits.at(-2)
    if (what === 'Move to' && from) from.edit = () => ''
  }
  return edits
}

const added = (lines: readonly string[]) =>
  lines.flatMap((line) => (line.startsWith('+') ? line.slice(1) : [])).join('\n')

/** The text with the lines of a patch: hunk by hunk, or line by line where a hunk does not fit. */
function patched(before: string, lines: readonly string[]): string {
  return lines.reduce((text, line, at) => {
    if (!line.startsWith('-')) return text
    const made = lines[at + 1]?.startsWith('+') ? lines.slice(at + 1) : []
    const end = made.findIndex((one) => !one.startsWith('+'))
    return text.replace(line.slice(1), () => added(end < 0 ? made : made.slice(0, end)))
  }, before)
}

import { isRecord } from '../options.js'

/** Whether a change only affects the agent's own notes or plan, or is an empty commit. */
export function isNote(name: string, args: unknown, command: string | undefined): boolean {
  if (command !== undefined) {
    const line = command.slice(0, MOST)
    const [, written] = REDIRECT.exec(line) ?? []
    return EMPTY_COMMIT.test(line) || (written !== undefined && FILE.test(written))
  }
  if (TOOL.test(name.slice(0, 80))) return true
  if (!isRecord(args)) return false
  const path = args.path ?? args.file_path ?? args.filePath ?? args.file
  return typeof path === 'string' && FILE.test(path.slice(-80))
}

const MOST = 600
const EMPTY_COMMIT = /\bgit commit .{0,80}--allow-empty\b/
const REDIRECT = />\s{0,3}["']?([\w./~-]{1,80})/
const TOOL =
  /(?:^|[^a-z])(?:todos?|plan|notes?|memo|memory|memories|scratch_?pad|think|thoughts?|(?:sequential_?)?thinking)(?:$|[^a-z])|[Tt]odos?(?:$|[A-Z])|Plan$/
const FILE =
  /(?:^|[/\\])(?:notes?|to-?do|plan|progress|scratch|scratchpad|memo|memory|thoughts?|journal|checklist|status|summary|next_?steps|approach|outline|recap|worklog|strategy)[-_.]?\w{0,24}\.(?:md|txt|org)$/i

import type { Random } from '../../random.js'
import type { Agent } from '../agents.js'
import { chooseVersion, clineWording } from '../tables/wordings.js'

/** Every answer is headed by the call it belongs to. */
export function cline(random: Random): Agent {
  const says = chooseVersion(random, clineWording)
  const head = (tool: string, subject: string, text: string) =>
    `[${tool} for '${subject}'] Result:\n${text}`
  return {
    name: 'cline',
    flagsErrors: false,
    read: (path) => ({ name: 'read_file', args: { path } }),
    search: (pattern, folder) => ({ name: 'search_files', args: { path: folder, regex: pattern } }),
    list: (folder) => ({ name: 'list_files', args: { path: folder, recursive: false } }),
    edit: (path, before, after) => ({
      name: 'replace_in_file',
      args: {
        path,
        diff: `------- SEARCH\n${before}\n=======\n${after}\n+++++++ REPLACE`,
      },
    }),
    shell: (command) => ({ name: 'execute_command', args: { command, requires_approval: false } }),
    shown: (path, lines) => head('read_file', path, lines.join('\n')),
    edited: (path, text) => head('replace_in_file', path, says.edited({ path, text })),
    editFailed: (path, text = '') => head('replace_in_file', path, says.editFailed({ path, text })),
    noMatches: (pattern) => head('search_files', pattern, says.noMatches({})),
    noFile: (path) => head('read_file', path, says.noFile({ path })),
    printed: (_random, command, text, exitCode) =>
      head(
        'execute_command',
        command,
        exitCode === 0
          ? `${says.silent({})}${text && `\nOutput:\n${text}`}`
          : `Command failed with exit code ${exitCode}.\nOutput:\n${text}`,
      ),
    noTool: (name) => says.noTool({ name }),
  }
}

import type { Random } from '../../random.js'
import type { Agent } from '../agents.js'
import {
  chooseVersion,
  geminiCliWording,
  qwenCodeWording,
  type Version,
} from '../tables/wordings.js'

export const geminiCli = (random: Random): Agent =>
  create('gemini-cli', chooseVersion(random, geminiCliWording))

/** A fork: the same tools under some other names, other words. */
export function qwenCode(random: Random): Agent {
  const agent = create('qwen-code', chooseVersion(random, qwenCodeWording))
  return {
    ...agent,
    search: (pattern, folder) => ({ name: 'grep_search', args: { pattern, path: folder } }),
    edit: (...args) => ({ ...agent.edit(...args), name: 'edit' }),
  }
}

function create(name: string, says: Version): Agent {
  const place = (path: string) => `/workspace/${path}`
  return {
    name,
    flagsErrors: false,
    read: (path, from, count) => ({
      name: 'read_file',
      args:
        from === 1
          ? { absolute_path: place(path) }
          : { absolute_path: place(path), offset: from - 1, limit: count },
    }),
    search: (pattern, folder) => ({ name: 'search_file_content', args: { pattern, path: folder } }),
    list: (folder) => ({ name: 'list_directory', args: { path: place(folder) } }),
    edit: (path, before, after) => ({
      name: 'replace',
      args: { file_path: place(path), old_string: before, new_string: after },
    }),
    shell: (command, reason) => ({
      name: 'run_shell_command',
      args: { command, description: reason },
    }),
    shown: (_path, lines) => lines.join('\n'),
    edited: (path, text) => says.edited({ path: place(path), text }),
    editFailed: (path) => says.editFailed({ path: place(path) }),
    noMatches: (text) => says.noMatches({ text }),
    noFile: (path) => says.noFile({ path: place(path) }),
    printed: (random, command, text, exitCode) =>
      [
        `Command: ${command}`,
        'Directory: (root)',
        `Output: ${text || says.silent({})}`,
        'Error: (none)',
        `Exit Code: ${exitCode}`,
        'Signal: (none)',
        'Background PIDs: (none)',
        `Process Group PGID: ${random.int(1000, 99999)}`,
      ].join('\n'),
    noTool: (tool) => says.noTool({ name: tool }),
  }
}

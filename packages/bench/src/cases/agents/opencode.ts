import type { Random } from '../../random.js'
import type { Agent } from '../agents.js'
import { chooseVersion, openCodeWording } from '../tables/wordings.js'

export function openCode(random: Random): Agent {
  const says = chooseVersion(random, openCodeWording)
  const place = (path: string) => `/srv/${path}`
  return {
    name: 'opencode',
    flagsErrors: true,
    read: (path, from, count) => ({
      name: 'read',
      args: { filePath: place(path), offset: from - 1, limit: count },
    }),
    search: (pattern, folder) => ({ name: 'grep', args: { pattern, path: place(folder) } }),
    list: (folder) => ({ name: 'list', args: { path: place(folder) } }),
    edit: (path, before, after) => ({
      name: 'edit',
      args: { filePath: place(path), oldString: before, newString: after },
    }),
    shell: (command, reason) => ({
      name: 'bash',
      args: { command, description: reason, timeout: 60000 },
    }),
    shown: (_path, lines, from, total) =>
      `<file>\n${lines
        .map((line, index) => `${String(from + index).padStart(5, '0')}| ${line}`)
        .join(
          '\n',
        )}\n\n(${from + lines.length <= total ? 'File has more lines' : 'End of file'})\n</file>`,
    edited: () => says.edited({}),
    editFailed: (path) => says.editFailed({ path: place(path) }),
    noMatches: () => says.noMatches({}),
    noFile: (path) => says.noFile({ path: place(path) }),
    printed: (_random, _command, text, exitCode) => text || (exitCode === 0 ? says.silent({}) : ''),
    noTool: (name) => says.noTool({ name }),
  }
}

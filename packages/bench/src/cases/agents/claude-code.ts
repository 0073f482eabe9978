import type { Random } from '../../random.js'
import type { Agent } from '../agents.js'
import { chooseVersion, claudeCodeWording } from '../tables/wordings.js'

const root = '/home/dev'

export function claudeCode(random: Random): Agent {
  const says = chooseVersion(random, claudeCodeWording)
  const place = (path: string) => `${root}/${path}`
  return {
    name: 'claude-code',
    flagsErrors: true,
    read: (path, from, count) => ({
      name: 'Read',
      args:
        from === 1
          ? { file_path: place(path) }
          : { file_path: place(path), offset: from, limit: count },
    }),
    search: (pattern, folder) => ({
      name: 'Grep',
      args: { pattern, path: folder, output_mode: 'content' },
    }),
    list: (folder) => ({ name: 'Glob', args: { pattern: `${folder}/**/*` } }),
    edit: (path, before, after) => ({
      name: 'Edit',
      args: { file_path: place(path), old_string: before, new_string: after },
    }),
    shell: (command, reason) => ({ name: 'Bash', args: { command, description: reason } }),
    shown: (_path, lines, from) =>
      lines.map((line, index) => `${String(from + index).padStart(6)}→${line}`).join('\n'),
    edited: (path, text) => says.edited({ path: place(path), text }),
    editFailed: (path, text = '') => says.editFailed({ path: place(path), text }),
    noMatches: () => says.noMatches({}),
    noFile: () => says.noFile({ root }),
    printed: (_random, _command, text, exitCode) =>
      exitCode === 0 ? text || says.silent({}) : `Exit code ${exitCode}\n${text}`,
    noTool: (name) => says.noTool({ name }),
  }
}

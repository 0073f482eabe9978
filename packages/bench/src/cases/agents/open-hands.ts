import type { Random } from '../../random.js'
import type { Agent } from '../agents.js'
import { chooseVersion, openHandsWording } from '../tables/wordings.js'

export function openHands(random: Random): Agent {
  const says = chooseVersion(random, openHandsWording)
  const place = (path: string) => `/workspace/${path}`
  return {
    name: 'open-hands',
    flagsErrors: false,
    read: (path, from, count) => ({
      name: 'str_replace_editor',
      args: { command: 'view', path: place(path), view_range: [from, from + count - 1] },
    }),
    search: (pattern, folder) => ({
      name: 'execute_bash',
      args: { command: `grep -rn "${pattern}" /workspace/${folder}` },
    }),
    list: (folder) => ({
      name: 'str_replace_editor',
      args: { command: 'view', path: place(folder) },
    }),
    edit: (path, before, after) => ({
      name: 'str_replace_editor',
      args: { command: 'str_replace', path: place(path), old_str: before, new_str: after },
    }),
    shell: (command) => ({ name: 'execute_bash', args: { command } }),
    shown: (path, lines, from) =>
      `Here's the result of running \`cat -n\` on ${place(path)}:\n${lines
        .map((line, index) => `${String(from + index).padStart(6)}\t${line}`)
        .join('\n')}\n`,
    edited: (path, text) => says.edited({ path: place(path), text }),
    editFailed: (path, text = '') => says.editFailed({ path: place(path), text }),
    noMatches: () => wrap('', 1),
    noFile: (path) => says.noFile({ path: place(path) }),
    printed: (_random, _command, text, exitCode) => wrap(text, exitCode),
    noTool: (name) => says.noTool({ name }),
  }
}

const wrap = (text: string, exitCode: number) =>
  `${text && `${text}\n`}[The command completed with exit code ${exitCode}.]\n[Current working directory: /workspace]\n[Python interpreter: /usr/bin/python3]`

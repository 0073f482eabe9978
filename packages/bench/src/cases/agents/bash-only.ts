import type { Random } from '../../random.js'
import type { Agent } from '../agents.js'
import { chooseVersion, shellWording } from '../tables/wordings.js'

const bash = (command: string) => ({ name: 'bash', args: { command } })

/** An agent with a shell and nothing else: the name never changes, the command is everything. */
export function bashOnly(random: Random): Agent {
  const says = chooseVersion(random, shellWording)
  return {
    name: 'bash-only',
    flagsErrors: false,
    read: (path, from, count) => bash(`cat -n ${path} | sed -n '${from},${from + count - 1}p'`),
    search: (pattern, folder) => bash(`grep -rn '${pattern}' ${folder}`),
    list: (folder) => bash(`ls ${folder}`),
    edit: (path, before, after) => bash(`sed -i 's|${oneLine(before)}|${oneLine(after)}|' ${path}`),
    shell: bash,
    shown: (_path, lines, from) =>
      wrap(
        lines.map((line, index) => `${String(from + index).padStart(6)}  ${line}`).join('\n'),
        0,
      ),
    edited: () => wrap('', 0),
    editFailed: (path) => wrap(says.editFailed({ path }), 2),
    noMatches: () => wrap('', 1),
    noFile: (path) => wrap(says.noFile({ path }), 1),
    printed: (_random, _command, text, exitCode) => wrap(text, exitCode),
    noTool: (name) => wrap(says.noTool({ name }), 127),
  }
}

function wrap(text: string, code: number): string {
  return `<returncode>${code}</returncode>\n<output>\n${text}\n</output>`
}

function oneLine(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('|', '\\|')
}

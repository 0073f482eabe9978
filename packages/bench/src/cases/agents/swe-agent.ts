import type { Random } from '../../random.js'
import type { Agent } from '../agents.js'
import { chooseVersion, sweAgentWording } from '../tables/wordings.js'

const root = '/testbed'

const state = (path: string) =>
  `\n(Open file: ${root}/${path})\n(Current directory: ${root})\nbash-$`

const command = (text: string) => ({ name: text.split(' ')[0] as string, args: { command: text } })

export function sweAgent(random: Random): Agent {
  const says = chooseVersion(random, sweAgentWording)
  return {
    name: 'swe-agent',
    flagsErrors: false,
    read: (path, from) => command(from === 1 ? `open ${path}` : `open ${path} ${from}`),
    search: (pattern, folder) => command(`search_dir "${pattern}" ${folder}`),
    list: (folder) => ({ name: 'bash', args: { command: `ls -F ${folder}` } }),
    edit: (_path, before, after) =>
      command(`edit ${line(before)}:${line(before) + 1}\n${after}\nend_of_edit`),
    shell: (text) => ({ name: 'bash', args: { command: text } }),
    shown: (path, lines, from, total) =>
      [
        `[File: ${root}/${path} (${total} lines total)]`,
        ...(from > 1 ? [`(${from - 1} more lines above)`] : []),
        ...lines.map((text, index) => `${from + index}:${text}`),
        ...(from + lines.length <= total
          ? [`(${total - from - lines.length + 1} more lines below)`]
          : []),
      ].join('\n') + state(path),
    edited: (path, text) => says.edited({ path: `${root}/${path}`, text }) + state(path),
    editFailed: (path, text = '') => says.editFailed({ path, text }) + state(path),
    noMatches: (text) => `${says.noMatches({ text, root })}\n(Current directory: ${root})`,
    noFile: (path) => says.noFile({ path }),
    printed: (_random, _command, text, exitCode) => text || (exitCode === 0 ? says.silent({}) : ''),
    noTool: (name) => says.noTool({ name }),
  }
}

/** This editor takes line numbers, so the text to replace only decides which. */
function line(before: string): number {
  let sum = 7
  for (const character of before) sum = (sum * 31 + character.charCodeAt(0)) % 389
  return sum + 1
}

import type { Agent } from '../agents.js'

const state = (path: string) =>
  `\n(Open file: /testbed/${path})\n(Current directory: /testbed)\nbash-$`

const command = (text: string) => ({ name: text.split(' ')[0] as string, args: { command: text } })

export const sweAgent: Agent = {
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
      `[File: /testbed/${path} (${total} lines total)]`,
      ...(from > 1 ? [`(${from - 1} more lines above)`] : []),
      ...lines.map((text, index) => `${from + index}:${text}`),
      ...(from + lines.length <= total
        ? [`(${total - from - lines.length + 1} more lines below)`]
        : []),
    ].join('\n') + state(path),
  edited: (path, after) =>
    `[File: /testbed/${path}]\n${after}\nFile updated. Please review the changes and make sure they are correct.${state(path)}`,
  editFailed: (path) =>
    `Your proposed edit has introduced new syntax error(s). Please read this error message carefully and then retry editing the file.\n\nERRORS:\n- E999 IndentationError: unexpected indent\n${state(path)}`,
  noMatches: (pattern) =>
    `No matches found for "${pattern}" in /testbed\n(Current directory: /testbed)`,
  noFile: (path) => `File ${path} not found`,
  printed: (_random, _command, text) => text,
  noTool: (name) => `/bin/bash: line 1: ${name}: command not found`,
}

/** This editor takes line numbers, so the text to replace only decides which. */
function line(before: string): number {
  let sum = 7
  for (const character of before) sum = (sum * 31 + character.charCodeAt(0)) % 389
  return sum + 1
}

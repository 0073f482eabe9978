import type { Agent } from '../agents.js'

export const openHands: Agent = {
  name: 'open-hands',
  flagsErrors: false,
  read: (path, from, count) => ({
    name: 'str_replace_editor',
    args: { command: 'view', path: `/workspace/${path}`, view_range: [from, from + count - 1] },
  }),
  search: (pattern, folder) => ({
    name: 'execute_bash',
    args: { command: `grep -rn "${pattern}" /workspace/${folder}` },
  }),
  list: (folder) => ({
    name: 'str_replace_editor',
    args: { command: 'view', path: `/workspace/${folder}` },
  }),
  edit: (path, before, after) => ({
    name: 'str_replace_editor',
    args: { command: 'str_replace', path: `/workspace/${path}`, old_str: before, new_str: after },
  }),
  shell: (command) => ({ name: 'execute_bash', args: { command } }),
  shown: (path, lines, from) =>
    `Here's the result of running \`cat -n\` on /workspace/${path}:\n${lines
      .map((line, index) => `${String(from + index).padStart(6)}\t${line}`)
      .join('\n')}\n`,
  edited: (path, after) =>
    `The file /workspace/${path} has been edited. Here's the result of running \`cat -n\` on a snippet of /workspace/${path}:\n${after}\nReview the changes and make sure they are as expected. Edit the file again if necessary.`,
  editFailed: (path) =>
    `ERROR:\nNo replacement was performed, old_str did not appear verbatim in /workspace/${path}.`,
  noMatches: () =>
    '[The command completed with exit code 1.]\n[Current working directory: /workspace]\n[Python interpreter: /usr/bin/python3]',
  noFile: (path) =>
    `ERROR:\nInvalid \`path\` parameter: /workspace/${path}. The path /workspace/${path} does not exist. Please provide a valid path.`,
  printed: (_random, _command, text, exitCode) =>
    `${text}\n[The command completed with exit code ${exitCode}.]\n[Current working directory: /workspace]\n[Python interpreter: /usr/bin/python3]`,
  noTool: (name) =>
    `Tool '${name}' not found. Available: ['execute_bash', 'str_replace_editor', 'finish']`,
}

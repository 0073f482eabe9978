import type { Agent } from '../agents.js'

export const claudeCode: Agent = {
  name: 'claude-code',
  flagsErrors: true,
  read: (path, from, count) => ({
    name: 'Read',
    args:
      from === 1
        ? { file_path: `/home/dev/${path}` }
        : { file_path: `/home/dev/${path}`, offset: from, limit: count },
  }),
  search: (pattern, folder) => ({
    name: 'Grep',
    args: { pattern, path: folder, output_mode: 'content' },
  }),
  list: (folder) => ({ name: 'Glob', args: { pattern: `${folder}/**/*` } }),
  edit: (path, before, after) => ({
    name: 'Edit',
    args: { file_path: `/home/dev/${path}`, old_string: before, new_string: after },
  }),
  shell: (command, reason) => ({ name: 'Bash', args: { command, description: reason } }),
  shown: (_path, lines, from) =>
    lines.map((line, index) => `${String(from + index).padStart(6)}→${line}`).join('\n'),
  edited: (path, after) =>
    `The file /home/dev/${path} has been updated. Here's the result of running \`cat -n\` on a snippet:\n${after}`,
  editFailed: () => 'String to replace not found in file.',
  noMatches: () => 'No matches found',
  noFile: () => 'File does not exist.',
  printed: (_random, _command, text, exitCode) =>
    exitCode === 0 ? text : `Exit code ${exitCode}\n${text}`,
  noTool: (name) => `<tool_use_error>Error: No such tool available: ${name}</tool_use_error>`,
}

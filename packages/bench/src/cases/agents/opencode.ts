import type { Agent } from '../agents.js'

export const openCode: Agent = {
  name: 'opencode',
  flagsErrors: true,
  read: (path, from, count) => ({
    name: 'read',
    args: { filePath: `/srv/${path}`, offset: from - 1, limit: count },
  }),
  search: (pattern, folder) => ({ name: 'grep', args: { pattern, path: `/srv/${folder}` } }),
  list: (folder) => ({ name: 'list', args: { path: `/srv/${folder}` } }),
  edit: (path, before, after) => ({
    name: 'edit',
    args: { filePath: `/srv/${path}`, oldString: before, newString: after },
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
  edited: () => '',
  editFailed: () => 'Error: oldString not found in content',
  noMatches: () => 'No files found',
  noFile: (path) => `Error: File not found: /srv/${path}`,
  printed: (_random, _command, text) => text,
  noTool: (name) => `Model tried to call unavailable tool '${name}'.`,
}

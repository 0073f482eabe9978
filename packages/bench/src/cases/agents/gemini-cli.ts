import type { Agent } from '../agents.js'

export const geminiCli: Agent = {
  name: 'gemini-cli',
  flagsErrors: false,
  read: (path, from, count) => ({
    name: 'read_file',
    args:
      from === 1
        ? { absolute_path: `/workspace/${path}` }
        : { absolute_path: `/workspace/${path}`, offset: from - 1, limit: count },
  }),
  search: (pattern, folder) => ({ name: 'search_file_content', args: { pattern, path: folder } }),
  list: (folder) => ({ name: 'list_directory', args: { path: `/workspace/${folder}` } }),
  edit: (path, before, after) => ({
    name: 'replace',
    args: { file_path: `/workspace/${path}`, old_string: before, new_string: after },
  }),
  shell: (command, reason) => ({
    name: 'run_shell_command',
    args: { command, description: reason },
  }),
  shown: (_path, lines) => lines.join('\n'),
  edited: (path) => `Successfully modified file: /workspace/${path} (1 replacements).`,
  editFailed: (path) =>
    `Failed to edit, 0 occurrences found for old_string in /workspace/${path}. No edits made.`,
  noMatches: (pattern) => `No matches found for pattern "${pattern}" in the workspace directory.`,
  noFile: (path) => `File not found: /workspace/${path}`,
  printed: (random, command, text, exitCode) =>
    [
      `Command: ${command}`,
      'Directory: (root)',
      `Output: ${text || '(empty)'}`,
      'Error: (none)',
      `Exit Code: ${exitCode}`,
      'Signal: (none)',
      'Background PIDs: (none)',
      `Process Group PGID: ${random.int(1000, 99999)}`,
    ].join('\n'),
  noTool: (name) => `Tool "${name}" not found in registry.`,
}

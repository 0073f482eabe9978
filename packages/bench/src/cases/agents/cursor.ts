import type { Random } from '../../random.js'
import type { Agent } from '../agents.js'
import { chooseVersion, cursorWording } from '../tables/wordings.js'

const reuse =
  'The previous shell command ended, so on the next invocation of this tool, you will be reusing the shell.'

export function cursor(random: Random): Agent {
  const says = chooseVersion(random, cursorWording)
  return {
    name: 'cursor',
    flagsErrors: false,
    read: (path, from, count) => ({
      name: 'read_file',
      args: {
        target_file: path,
        start_line_one_indexed: from,
        end_line_one_indexed_inclusive: from + count - 1,
      },
    }),
    search: (pattern, folder) => ({
      name: 'grep_search',
      args: { query: pattern, include_pattern: `${folder}/**` },
    }),
    list: (folder) => ({ name: 'list_dir', args: { relative_workspace_path: folder } }),
    edit: (path, before, after) => ({
      name: 'search_replace',
      args: { file_path: path, old_string: before, new_string: after },
    }),
    shell: (command, explanation) => ({
      name: 'run_terminal_cmd',
      args: { command, is_background: false, explanation },
    }),
    shown: (path, lines, from) =>
      `Contents of ${path}, from line ${from}-${from + lines.length - 1}:\n\n\`\`\`\n${lines.join('\n')}\n\`\`\``,
    edited: (path, text) => says.edited({ path, text }),
    editFailed: (path) => says.editFailed({ path }),
    noMatches: () => says.noMatches({}),
    noFile: (path) => says.noFile({ path }),
    printed: (_random, _command, text, exitCode) =>
      `Exit code: ${exitCode}\n\nCommand output:\n\n\`\`\`\n${text}\n\`\`\`\n\nCommand completed.\n\n${reuse}`,
    noTool: (name) => says.noTool({ name }),
  }
}

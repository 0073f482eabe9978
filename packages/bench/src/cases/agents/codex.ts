import type { Agent } from '../agents.js'

const shell = (command: string) => ({
  name: 'shell',
  args: { command: ['bash', '-lc', command], workdir: '/repo', timeout_ms: 120000 },
})

export const codex: Agent = {
  name: 'codex',
  flagsErrors: false,
  read: (path, from, count) => shell(`sed -n '${from},${from + count - 1}p' ${path}`),
  search: (pattern, folder) => shell(`rg -n "${pattern}" ${folder}`),
  list: (folder) => shell(`ls -la ${folder}`),
  edit: (path, before, after) => ({
    name: 'apply_patch',
    args: {
      input: [
        '*** Begin Patch',
        `*** Update File: ${path}`,
        '@@',
        ...before.split('\n').map((line) => `-${line}`),
        ...after.split('\n').map((line) => `+${line}`),
        '*** End Patch',
      ].join('\n'),
    },
  }),
  shell,
  shown: (_path, lines) => wrap(lines.join('\n'), 0, 0.1),
  edited: (path) => `Success. Updated the following files:\nM ${path}\n`,
  editFailed: (path) => `apply_patch verification failed: Failed to find expected lines in ${path}`,
  noMatches: () => wrap('', 1, 0.1),
  noFile: (path) => wrap(`sed: can't read ${path}: No such file or directory\n`, 2, 0.1),
  printed: (random, _command, text, exitCode) => wrap(text, exitCode, random.int(1, 400) / 10),
  noTool: (name) => `unsupported call: ${name}`,
}

function wrap(output: string, exitCode: number, seconds: number): string {
  return JSON.stringify({ output, metadata: { exit_code: exitCode, duration_seconds: seconds } })
}

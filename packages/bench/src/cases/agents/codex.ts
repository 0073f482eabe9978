import type { Random } from '../../random.js'
import type { Agent } from '../agents.js'
import { chooseVersion, codexWording } from '../tables/wordings.js'

const shell = (command: string) => ({
  name: 'shell',
  args: { command: ['bash', '-lc', command], workdir: '/repo', timeout_ms: 120000 },
})

/** The patch format of Codex, whichever tool runs its commands. */
export const applyPatch: Agent['edit'] = (path, before, after) => ({
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
})

/** Codex when its commands were answered with an envelope. */
export function codex(random: Random): Agent {
  const says = chooseVersion(random, codexWording)
  return {
    name: 'codex',
    flagsErrors: false,
    read: (path, from, count) => shell(`sed -n '${from},${from + count - 1}p' ${path}`),
    search: (pattern, folder) => shell(`rg -n "${pattern}" ${folder}`),
    list: (folder) => shell(`ls -la ${folder}`),
    edit: applyPatch,
    shell,
    shown: (_path, lines) => wrap(lines.join('\n'), 0, 0.1),
    edited: (path) => says.edited({ path }),
    editFailed: (path, text = '') => says.editFailed({ path, text }),
    noMatches: () => wrap('', 1, 0.1),
    noFile: (path) => wrap(says.noFile({ path }), 2, 0.1),
    printed: (random, _command, text, exitCode) => wrap(text, exitCode, random.int(1, 400) / 10),
    noTool: (name) => says.noTool({ name }),
  }
}

function wrap(output: string, exitCode: number, seconds: number): string {
  return JSON.stringify({ output, metadata: { exit_code: exitCode, duration_seconds: seconds } })
}

import type { Random } from '../../random.js'
import type { Agent } from '../agents.js'
import { chooseVersion, codexWording } from '../tables/wordings.js'
import { applyPatch } from './codex.js'

const exec = (cmd: string) => ({
  name: 'exec_command',
  args: { cmd, workdir: '/repo', yield_time_ms: 10000 },
})

/** Codex of today: each answer has a number, a time and a count of its own. */
export function codexExec(random: Random): Agent {
  const says = chooseVersion(random, codexWording)
  const wrap = (text: string, exitCode: number) =>
    [
      `Chunk ID: ${random.hex(6)}`,
      `Wall time: ${random.int(0, 40)}.${String(random.int(1, 9999)).padStart(4, '0')} seconds`,
      `Process exited with code ${exitCode}`,
      `Original token count: ${Math.ceil(text.length / 4)}`,
      'Output:',
      text,
    ].join('\n')
  return {
    name: 'codex-exec',
    flagsErrors: false,
    read: (path, from, count) => exec(`sed -n '${from},${from + count - 1}p' ${path}`),
    search: (pattern, folder) => exec(`rg -n "${pattern}" ${folder}`),
    list: (folder) => exec(`ls -la ${folder}`),
    edit: applyPatch,
    shell: exec,
    shown: (_path, lines) => wrap(lines.join('\n'), 0),
    edited: (path) => says.edited({ path }),
    editFailed: (path, text = '') => says.editFailed({ path, text }),
    noMatches: () => wrap('', 1),
    noFile: (path) => wrap(says.noFile({ path }), 2),
    printed: (_random, _command, text, exitCode) => wrap(text, exitCode),
    noTool: (name) => says.noTool({ name }),
  }
}

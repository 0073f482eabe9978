import { realpath } from 'node:fs/promises'
import { z } from 'zod'
import { defineTool, type Tool } from '../tool.js'
import { PathError, placeWithin } from './folder.js'
import { runProgram } from './run-program.js'
import { splitCommand } from './split-command.js'
import { toVisibleLine } from './to-visible.js'

// as long as a test suite of a small project takes
const LIMIT_MS = 120_000

/**
 * Runs one program in the folder, after a person agreed to the line.
 *
 * There is no shell, and arguments that name places outside the folder are refused. That keeps honest mistakes inside;
 * it is no sandbox. The program itself can do whatever the person can: an interpreter runs the code in its arguments,
 * a script of the project may call anything, the network is open, the environment is inherited, and a program that
 * starts a session of its own outlives the time limit. Who needs more than the person's eye runs all of it in a container.
 */
export const runCommandTool = (folder: string, limitMs = LIMIT_MS): Tool =>
  defineTool({
    name: 'run_command',
    description:
      'Runs one program in the project folder, such as `npm test`. No shell: no pipes, redirects, variables or wildcards.',
    parameters: z.object({
      command: z.string().min(1).describe('the program and its arguments, quoted where needed'),
    }),
    // ours comes first, since it tells what the program wrote so far
    timeoutMs: limitMs + 10_000,
    confirm({ command }) {
      // what will be refused need not be asked
      if (!isOne(command)) return
      return `Run this in ${toVisibleLine(folder)}?\n${toVisibleLine(command)}`
    },
    async execute({ command }, { signal }) {
      const [program = '', ...args] = splitCommand(command)
      if (/[/\\]/.test(program)) await refuseOutside(folder, program)
      for (const arg of args) await refuseOutside(folder, arg)
      const cwd = await realpath(folder)
      const { code, output, stopped } = await runProgram(program, args, { cwd, limitMs, signal })
      const said = output.trimEnd() || '(no output)'
      if (stopped) throw new Error(`stopped after ${limitMs / 1000} s\n${said}`)
      if (code !== 0) throw new Error(`exit code ${code}\n${said}`)
      return `exit code 0\n${said}`
    },
  })

function isOne(command: string): boolean {
  try {
    splitCommand(command)
    return true
  } catch {
    return false
  }
}

/** Throws for an argument that names a place outside, also behind a flag as in `--out=/tmp` and `-C..`. */
async function refuseOutside(folder: string, arg: string): Promise<void> {
  const behindFlag = /^-[^-]/.test(arg) ? [arg.slice(2)] : []
  for (const part of [arg, ...behindFlag, ...arg.split(/[=,]/)]) {
    const place = part.replace(/^@/, '')
    const isHome = /^~(?:[a-z_][\w-]*)?(?:\/|$)/i.test(place)
    if (isHome || /^file:/i.test(place)) throw new PathError('outside the folder', arg)
    await placeWithin(folder, place).catch((error) => {
      // an argument need not be a path; it must only not be one that leads away
      if (error instanceof PathError && LEAVES.has(error.reason)) {
        throw new PathError(error.reason, arg)
      }
    })
  }
}

const LEAVES = new Set(['outside the folder', 'a link to nowhere'])

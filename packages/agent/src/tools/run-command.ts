import { lstat, realpath } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { defineTool, type Tool } from '../tool.js'
import { scopesOf } from './command-scopes.js'
import { PathError, placeWithin } from './folder.js'
import { runProgram } from './run-program.js'
import { splitCommand } from './split-command.js'
import { toVisibleLine } from './to-visible.js'

// as long as a test suite of a small project takes
const LIMIT_MS = 120_000

/**
 * Runs one program in the folder, after a person agreed to the line.
 *
 * There is no shell, and arguments in which a place outside the folder can be seen are refused. That keeps honest mistakes
 * inside; it is not a sandbox. The program itself can do whatever the person can: an interpreter runs the code in its arguments,
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
    scopes: ({ command }) => scopesOf(command),
    async execute({ command }, { signal }) {
      const [program = '', ...args] = splitCommand(command)
      if (/[/\\]/.test(program)) await refuseOutside(folder, program)
      for (const [index, arg] of args.entries()) {
        await refuseOutside(folder, arg, CODE_FLAG.test(args[index - 1] ?? ''))
      }
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

/** Throws for an argument that names a place outside, as far as that can be seen. */
async function refuseOutside(folder: string, arg: string, isCode = false): Promise<void> {
  const places = [
    arg,
    ...arg.split(/[=,]/),
    ...(await behindFlags(folder, arg)),
    ...(isCode ? await pathsIn(arg) : []),
  ]
  for (const named of places) {
    const place = named.replace(/^@/, '')
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

// no program has so many flags of one letter that are written together
const MAX_FLAGS = 16

/** What may be a place behind one flag or several, as in `-C..` and `-cf../x`. */
async function behindFlags(folder: string, arg: string): Promise<string[]> {
  const letters = /^-(\w+)/.exec(arg)?.[1]?.slice(0, MAX_FLAGS) ?? ''
  const [first, ...others] = Array.from(letters, (_, index) => arg.slice(index + 2))
  if (first === undefined) return []
  // `-vt/tmp` is two flags and a place, `-Isrc/lib` one of each: what is there decides
  const isWithin = await isThere(join(folder, topOf(first)))
  const places = [first]
  for (const tail of others) {
    if (!isAbsolute(tail) || (!isWithin && (await isThere(`/${topOf(tail)}`)))) places.push(tail)
  }
  return places
}

/** What may be a place in a line of code; a slash alone is none there. */
async function pathsIn(code: string): Promise<string[]> {
  const places: string[] = []
  for (const word of code.split(/[\s'"`;|&<>()=,:]+/)) {
    const top = topOf(word)
    if (!isAbsolute(word) || (top !== '' && (await isThere(`/${top}`)))) places.push(word)
  }
  return places
}

/** The first name in a path. */
const topOf = (path: string) => path.split('/').find((name) => name !== '') ?? ''

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** A flag behind which a shell or an interpreter takes a line of code. */
const CODE_FLAG = /^(?:-\w*[ce]|--eval|--command)$/

const LEAVES = new Set(['outside the folder', 'a link to nowhere'])

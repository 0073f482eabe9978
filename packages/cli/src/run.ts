import { readFileSync } from 'node:fs'
import { EXIT, type ExitCode, UsageError } from './exit-code.js'
import { type Host, toOutput } from './host.js'

/**
 * The command: reads the arguments, does what they say and gives the exit code.
 *
 * @example process.exitCode = await run(process)
 */
export async function run(host: Host): Promise<ExitCode> {
  const out = toOutput(host.stdout, host.env)
  const err = toOutput(host.stderr, host.env)
  const code = await runCommand(host).catch((error: unknown) => tellError(host, error))
  await written(host.stdout)
  if (out.problem === undefined) return code
  err.line(`unloop: cannot write the output: ${out.problem}`)
  return EXIT.misuse
}

async function runCommand(host: Host): Promise<ExitCode> {
  const args = host.argv.slice(2)
  // the one question scripts ask; it needs none of what follows
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    toOutput(host.stdout, host.env).line(version())
    return EXIT.quiet
  }
  const { parse } = await import('./parse.js')
  return parse(host, args, version())
}

/** Tells what went wrong, in words; gives the exit code for it. */
export function tellError(host: Host, error: unknown): ExitCode {
  const err = toOutput(host.stderr, host.env)
  if (error instanceof UsageError) {
    err.line(`unloop: ${error.message}`)
    return EXIT.misuse
  }
  const { code, syscall, path } = (error ?? {}) as NodeJS.ErrnoException
  if (code !== undefined && syscall !== undefined && path !== undefined) {
    err.line(`unloop: ${path} cannot be used: ${(error as Error).message}`)
    return EXIT.misuse
  }
  err.line(`unloop: internal error: ${error instanceof Error ? error.message : error}`)
  err.line('Please report it, with the command you ran. UNLOOP_DEBUG=1 adds a stack trace.')
  if (host.env.UNLOOP_DEBUG === '1' && error instanceof Error) err.line(error.stack)
  return EXIT.ourError
}

/** Waits until what was written has left us, or cannot. */
const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) return setImmediate(resolve)
    stream.once('error', () => resolve())
    stream.once('close', () => resolve())
    stream.write('', () => resolve())
  })

const version = (): string =>
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

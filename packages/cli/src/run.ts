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
  const args = host.argv.slice(2)
  try {
    // the one question scripts ask; it needs none of what follows
    if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
      out.line(version())
      return EXIT.quiet
    }
    const { parse } = await import('./parse.js')
    return await parse(host, args, version())
  } catch (error) {
    if (error instanceof UsageError) {
      err.line(`unloop: ${error.message}`)
      return EXIT.misuse
    }
    err.line(`unloop: an error of ours: ${error instanceof Error ? error.message : error}`)
    err.line('Please report it with the command you gave; UNLOOP_DEBUG=1 adds where it happened.')
    if (host.env.UNLOOP_DEBUG === '1' && error instanceof Error) err.line(error.stack)
    return EXIT.ourError
  }
}

const version = (): string =>
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

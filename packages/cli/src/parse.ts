import { Command, CommanderError } from 'commander'
import { type CliCommand, commands } from './commands.js'
import { EXIT, type ExitCode } from './exit-code.js'
import { type Host, toOutput } from './host.js'

/** Runs the subcommand that the arguments name; no other is loaded. */
export async function parse(
  host: Host,
  args: readonly string[],
  version: string,
): Promise<ExitCode> {
  let code: ExitCode = EXIT.quiet
  const program = createProgram(host).version(version)
  const asked = args.filter((arg) => !arg.startsWith('-'))
  for (const { name, description, load } of commands) {
    const command = program.command(name).description(description)
    if (!asked.slice(0, 2).includes(name)) continue
    const loaded = await load()
    loaded.configure(command).action(async () => {
      code = await loaded.run(host, command.args, command.opts())
    })
  }
  try {
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? EXIT.quiet : EXIT.misuse
  }
  return code
}

/** Every subcommand with its options, for the completion scripts. */
export async function loadAll(host: Host): Promise<Command> {
  const program = createProgram(host)
  const loaded: CliCommand[] = await Promise.all(commands.map(({ load }) => load()))
  for (const [index, { name, description }] of commands.entries()) {
    loaded[index]?.configure(program.command(name).description(description))
  }
  return program
}

function createProgram(host: Host): Command {
  const out = toOutput(host.stdout, host.env)
  const err = toOutput(host.stderr, host.env)
  return new Command('unloop')
    .description('A circuit breaker for AI agents.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      getOutHasColors: () => out.isColoured,
      getErrHasColors: () => err.isColoured,
    })
    .addHelpText('after', HELP)
}

const HELP = `
Exit codes: 0 quiet, 1 something was found, 2 misuse, 3 a headless run was stopped by a loop,
4 the model failed, 70 internal error.

  unloop init                      guard the coding agents on this machine
  unloop chat                      talk to the embedded model; needs no key and no network
  unloop chat -p "/stuck failing"  watch it get stuck, headless
  unloop scan                      find stuck runs in recorded sessions
  unloop check run.events.jsonl    check one run, from its events`

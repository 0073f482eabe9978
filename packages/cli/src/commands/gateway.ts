import { ConfigError, type Gateway, readConfig, runGateway, toConfig } from '@unloop/gateway'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { onSignal } from '../chat/on-signal.js'
import type { CliCommand } from '../commands.js'
import { EXIT, UsageError } from '../exit-code.js'
import { type Host, toOutput } from '../host.js'

interface Options {
  host?: string
  port?: number
  upstream?: Record<string, { url: string }>
  config?: string
  store?: string
  onLoop?: string
  adminPort?: number
}

/** `unloop gateway`: a proxy between agents and their providers that guards every conversation. */
export const gateway: CliCommand = {
  configure: (command: Command) =>
    command
      .argument('[action]', 'check: read a configuration file, say what is wrong with it, and exit')
      .argument('[file]', 'the file to check')
      .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
      .option('--port <number>', 'port to listen on; 0 takes a free one (default: 8787)', toPort)
      .option('--upstream <name=url>', 'a provider; may be repeated', toUpstream)
      .option('--config <file>', 'configuration, YAML or JSON; options on the command line win')
      .option('--store <address>', 'memory, or redis://… to share sessions between instances')
      .addOption(
        new Option('--on-loop <action>', 'what a loop leads to').choices([
          'respond',
          'error',
          'nudge',
          'observe',
          'off',
        ]),
      )
      .option('--admin-port <number>', 'serve the live page and /metrics on their own port', toPort)
      .addHelpText('after', HELP),

  async run(host, [action, file], options: Options) {
    if (action === 'check') return check(host, file)
    if (action !== undefined)
      throw new UsageError(
        `unknown action ${action}; it is unloop gateway, or unloop gateway check FILE`,
      )
    const out = toOutput(host.stdout, host.env)
    const config = await load(host, options)
    const gateway = await runGateway(config, (line) => out.write(line)).catch((error) => {
      throw error.syscall === 'listen' || error.syscall === 'getaddrinfo'
        ? new UsageError(toListenProblem(error, config.admin.port))
        : error
    })
    if (out.isTerminal) greet(host, gateway)
    await new Promise<void>((resolve) => onSignal(host, () => resolve()))
    await gateway.close()
    return EXIT.quiet
  },
}

/** Why the gateway cannot listen, and what to do about it. */
function toListenProblem(
  { code, message, port }: NodeJS.ErrnoException & { port?: number },
  adminPort: number | undefined,
): string {
  if (code !== 'EADDRINUSE')
    return `the gateway cannot listen there: ${message}; see --host and --port`
  const option = port === adminPort ? '--admin-port' : '--port'
  return `port ${port} is in use; choose another with ${option}`
}

/** The first line of the log for a person, with the token. */
function greet(host: Host, { url, pageUrl }: Gateway): void {
  const err = toOutput(host.stderr, host.env)
  err.line(`Agents connect to ${url}, for example with ANTHROPIC_BASE_URL=${url}`)
  err.line(`The live page is ${pageUrl}`)
  err.line('Ctrl+C lets running answers end, then stops.')
}

async function check(host: Host, file: string | undefined): Promise<number> {
  if (file === undefined) throw new UsageError('name the file to check: unloop gateway check FILE')
  const { upstreams, store } = await read(file, {})
  const names = upstreams.map(({ name, url }) => `${name} (${url.host})`).join(', ')
  toOutput(host.stdout, host.env).line(
    `${file} is valid: ${names}; sessions in ${store ? 'Redis' : 'memory'}`,
  )
  return EXIT.quiet
}

// shorter ones can be guessed; the schema says the same of the file
const MIN_TOKEN = 16

async function load(host: Host, options: Options) {
  const { host: address, port, upstream, config: file, store, onLoop, adminPort } = options
  const token = host.env.UNLOOP_GATEWAY_TOKEN
  if (token && token.length < MIN_TOKEN)
    throw new UsageError(`UNLOOP_GATEWAY_TOKEN must have at least ${MIN_TOKEN} characters`)
  const added = {
    ...((address !== undefined || port !== undefined) && {
      listen: {
        ...(address !== undefined && { host: address }),
        ...(port !== undefined && { port }),
      },
    }),
    ...((token || adminPort !== undefined) && {
      admin: { ...(token && { token }), ...(adminPort !== undefined && { port: adminPort }) },
    }),
    ...(upstream && { upstreams: upstream }),
    ...(store !== undefined && { store }),
    ...(onLoop !== undefined && { onLoop }),
  }
  return file === undefined ? configOf(() => toConfig(added)) : read(file, added)
}

const read = async (file: string, added: Record<string, unknown>) => {
  try {
    return await readConfig(file, added)
  } catch (error) {
    throw toUsageError(error)
  }
}

function configOf<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw toUsageError(error)
  }
}

const toUsageError = (error: unknown) =>
  error instanceof ConfigError ? new UsageError(error.message) : error

function toPort(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new InvalidArgumentError('It must be a number from 0 to 65535.')
}

function toUpstream(text: string, known: Record<string, { url: string }> = {}) {
  const [, name, url] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (name === undefined || url === undefined)
    throw new InvalidArgumentError('It must be NAME=URL, such as openai=https://api.openai.com.')
  return { ...known, [name]: { url } }
}

const HELP = `
Agents change nothing but their base URL:

  ANTHROPIC_BASE_URL=http://127.0.0.1:8787 claude
  OPENAI_BASE_URL=http://127.0.0.1:8787/v1 qwen
  GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:8787 gemini

Without options it serves the three public providers on this machine. Keys are passed on, never kept.
The output says where the live page is. UNLOOP_GATEWAY_TOKEN sets its token.
Exit codes: 0 stopped by a signal, 2 wrong options or configuration.`

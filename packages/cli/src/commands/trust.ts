import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { plural } from 'unloop/words'
import type { CliCommand } from '../commands.js'
import { type ConfigFile, findConfig } from '../config/find.js'
import { EXIT, type ExitCode, UsageError } from '../exit-code.js'
import { type Host, toOutput } from '../host.js'
import { createPaint } from '../paint.js'
import { surroundingAgent } from '../surrounding-agent.js'
import { inspect } from '../trust/inspect.js'
import type { Inspected } from '../trust/parts.js'
import { agree, type Trust, trustOf, withdraw } from '../trust/trust.js'
import { readAgreements } from '../trust/trust-file.js'
import { trustCommand } from '../trust/words.js'

interface Options {
  yes?: boolean
  remove?: boolean
  list?: boolean
  json?: boolean
}

/** `unloop trust`: lets the configuration of a folder take effect, after a look at it. */
export const trust: CliCommand = {
  configure: (command: Command) =>
    command
      .argument('[folder]', 'folder with the configuration, or a folder below it (default: here)')
      .option('--yes', 'trust it without asking')
      .option('--remove', 'stop trusting it')
      .option('--list', 'list what you have trusted')
      .option('--json', 'print JSON, and ask nothing')
      .addHelpText('after', HELP),

  async run(host, [folder = '.'], options: Options) {
    const chosen = (['yes', 'remove', 'list'] as const).filter((name) => options[name])
    if (chosen.length > 1) {
      throw new UsageError(`--${chosen[0]} and --${chosen[1]} cannot be combined`)
    }
    if (options.list) return list(host, options)
    const here = resolve(host.cwd(), folder)
    if (options.remove) return remove(host, here, options)
    return offer(host, here, options)
  },
}

const HELP = `
A configuration found in a folder may be code, may name a model, a judge or an address, which
decides where your keys are sent, or may make the guard more lenient. None of this takes effect
until you trust it, in a terminal that is not inside an agent. If it changes, you are asked again.
Settings that make the guard stricter, files passed with --config, and the configuration in your
home folder need no trust. Code may import other files, which are trusted with it.
Exit codes: 0 trusted, or nothing needs trust; 1 not trusted; 2 misuse.`

async function offer(host: Host, here: string, { yes, json }: Options): Promise<ExitCode> {
  const out = toOutput(host.stdout, host.env)
  if (!existsSync(here)) throw new UsageError(`no such folder: ${here}`)
  const file = findConfig(host, undefined, here)
  if (!file) {
    if (json) out.json({ trust: 'none' })
    else out.line(`No configuration in ${here} or above.`)
    return EXIT.quiet
  }
  const inspected = await inspect(file)
  let trust = trustOf(host, inspected)
  const isOpen = trust === 'untrusted' || trust === 'changed'
  if (!json) show(host, inspected, trust)
  const agent = isOpen && (yes || !json) ? surroundingAgent(host) : undefined
  if (agent !== undefined) {
    const command = trustCommand(inspected)
    throw new UsageError(
      `only a person can trust a configuration, and this runs inside ${agent}. Open a terminal of your own and run: ${command}`,
    )
  }
  if (isOpen && (yes || (!json && (await ask(host, inspected))))) {
    agree(host, inspected)
    trust = 'trusted'
    if (!json) out.line('Trusted. You will be asked again if this changes.')
  }
  if (json) out.json(toRecord(inspected, trust))
  return trust === 'untrusted' || trust === 'changed' ? EXIT.found : EXIT.quiet
}

function remove(host: Host, here: string, { json }: Options): ExitCode {
  const out = toOutput(host.stdout, host.env)
  const file = existsSync(here) ? findConfig(host, undefined, here) : undefined
  // a file that is gone may have been trusted
  const isHere = (place: string) => dirname(place) === here || place === file?.place
  const places = [...readAgreements(host).keys()].filter(isHere)
  const removed = places.filter((place) => withdraw(host, place))
  if (json) out.json({ removed })
  else if (removed.length === 0) out.line(`Nothing in ${here} was trusted.`)
  for (const place of json ? [] : removed) out.line(`No longer trusted: ${place}`)
  return EXIT.quiet
}

async function list(host: Host, { json }: Options): Promise<ExitCode> {
  const out = toOutput(host.stdout, host.env)
  const agreements = [...readAgreements(host)]
  if (agreements.length === 0 && !json) out.line('You have not trusted anything yet.')
  for (const [path, { hash, at }] of agreements) {
    const state = await stateOf(host, path, hash)
    if (json) out.json({ path, trust: state, trustedAt: at })
    else out.line(`${at.slice(0, 10)}  ${path}${state === 'trusted' ? '' : `  (${state})`}`)
  }
  return EXIT.quiet
}

async function stateOf(host: Host, path: string, hash: string): Promise<Trust | 'gone'> {
  try {
    const file = findConfig(host, path)
    const isSame = file?.place === path && (await inspect(file)).hash === hash
    return isSame ? 'trusted' : 'changed'
  } catch {
    return 'gone'
  }
}

function show(host: Host, { file, parts }: Inspected, trust: Trust): void {
  const out = toOutput(host.stdout, host.env)
  const paint = createPaint(out.isColoured)
  out.write(`${paint('bold', file.path)}\n`)
  out.line(STATES[trust])
  if (trust === 'harmless' || trust === 'own') return
  out.line()
  out.line(trust === 'trusted' ? 'It may' : 'It would')
  for (const { does } of parts) out.line(`  - ${does}`)
  if (file.isCode && trust !== 'trusted') showCode(host, file)
  out.line()
}

const STATES: Record<Trust, string> = {
  own: 'It is in your home folder, so it is yours and needs no trust.',
  harmless: 'Nothing in it needs trust.',
  trusted: 'You trust it.',
  untrusted: 'You have not trusted it yet.',
  changed: 'It has changed since you trusted it.',
}

// more does not fit on a screen, and would move out of sight what matters
const SHOWN_LINES = 30

function showCode(host: Host, { content }: ConfigFile): void {
  const out = toOutput(host.stdout, host.env)
  const lines = content.toString('utf8').trimEnd().split('\n')
  out.line()
  for (const line of lines.slice(0, SHOWN_LINES)) out.line(`  | ${line}`)
  const more = lines.length - SHOWN_LINES
  if (more > 0) out.line(`  | … ${plural(more, 'more line')}: read the file before trusting it`)
}

/** Asks the person, if one is there. Nothing but yes means yes. */
async function ask(host: Host, inspected: Inspected): Promise<boolean> {
  const err = toOutput(host.stderr, host.env)
  if (!host.stdin.isTTY || !host.stdout.isTTY) {
    err.line(`There is no terminal to ask in. To trust it: ${trustCommand(inspected)} --yes`)
    return false
  }
  const lines = createInterface({ input: host.stdin, output: host.stdout })
  const answer = await new Promise<string>((resolve) => {
    lines.once('close', () => resolve('\n'))
    lines.question('Do you trust it? Type yes or no: ', resolve)
  })
  lines.close()
  // without an answer the cursor stands behind the question
  if (answer === '\n') toOutput(host.stdout, host.env).line()
  const isAgreed = /^(?:y|yes)$/i.test(answer.trim())
  if (!isAgreed) toOutput(host.stdout, host.env).line('Not trusted.')
  return isAgreed
}

const toRecord = ({ file, parts }: Inspected, trust: Trust) => ({ path: file.path, trust, parts })

import { type Agent, type ClientEvent, ModelError } from '@unloop/agent'
import { describeState } from 'unloop/words'
import { loadConfig } from '../config/load.js'
import { EXIT, type ExitCode, UsageError } from '../exit-code.js'
import { type Host, type Output, toOutput } from '../host.js'
import { withFiles } from './attach/with-files.js'
import { createBreath } from './breath.js'
import { exitCodeOf } from './exit-code-of.js'
import { onSignal } from './on-signal.js'
import { isEmbedded, modelOf, openAgent } from './open-agent.js'
import { type ChatOptions, partsUsed } from './options.js'
import { createPrinter } from './print-event.js'
import { createLazyLog, findSession, newSession, sessionPath } from './sessions.js'
import { problemWithStuck } from './stuck.js'
import { openWatchers, together } from './watch/watcher.js'

/** Answers one prompt without asking any questions. */
export async function runHeadless(host: Host, options: ChatOptions): Promise<ExitCode> {
  const out = toOutput(host.stdout, host.env)
  const err = toOutput(host.stderr, host.env)
  const { config } = await loadConfig(host, options, partsUsed(options))
  const saved = options.resume === undefined ? undefined : findSession(host, options.resume)
  const spec = modelOf(options, config, saved)
  const { prompt, notes } = await readPrompt(host, options)
  const problem = problemWithStuck(prompt, {
    isEmbedded: isEmbedded(spec),
    hasJudge: config.judge !== undefined,
    advice: 'omit --model, or use --model embedded',
  })
  if (problem !== undefined) throw new UsageError(problem)

  const watcher = together(await openWatchers(host, options))
  const session = saved ?? newSession(host, spec)
  const { id } = session.header
  const unsaved = (message: string) => err.line(`unloop: continuing, but ${message}`)
  const log = options.save ? createLazyLog(sessionPath(host, id), session, unsaved) : undefined
  let agent: Agent
  try {
    const approve = options.yes ? async () => true : undefined
    agent = await openAgent({
      host,
      options,
      config,
      attended: false,
      approve,
      saved,
      log,
      watcher,
    })
  } catch (error) {
    if (error instanceof ModelError) return failedBefore(error, options, out, err)
    throw error
  }
  for (const note of notes) err.line(note)
  log?.open()
  if (log) err.line(`saved as ${id}; continue with unloop chat --resume ${id}`)
  try {
    return await answer(host, agent, prompt, options.json ? toJson(out, err) : toText(out, err))
  } finally {
    log?.release()
  }
}

type Print = (event: ClientEvent) => void

async function answer(host: Host, agent: Agent, prompt: string, print: Print): Promise<ExitCode> {
  const controller = new AbortController()
  let signalled: ExitCode | undefined
  const ignoreSignals = onSignal(host, (code) => {
    signalled ??= code
    controller.abort()
  })
  try {
    const breathe = createBreath()
    let code: ExitCode = EXIT.ourError
    for await (const event of agent.sendMessageStream(prompt, controller.signal)) {
      print(event)
      code = exitCodeOf(event) ?? code
      if (toOutput(host.stdout, host.env).isClosed) controller.abort()
      await breathe()
    }
    tellObserved(agent, toOutput(host.stderr, host.env))
    return signalled ?? code
  } finally {
    ignoreSignals()
  }
}

/** In observe mode nothing but the guard's own list tells of a loop. */
function tellObserved({ guard, guardMode }: Agent, err: Output): void {
  if (guardMode !== 'observe') return
  const loops = new Map(guard.findings.map((finding) => [finding.identity, finding]))
  for (const finding of loops.values()) {
    err.line(`observed, ${describeState(finding)}: ${finding.detail}`)
  }
}

/** Every event as a line; what failed is told to people as well. */
function toJson(out: Output, err: Output): Print {
  const print = createPrinter(out, err)
  return (event) => {
    out.json(event)
    if (event.type === 'error' || event.type === 'fault') print(event)
  }
}

/** Text for people, and at the end what stopped it as one line of JSON. */
function toText(out: Output, err: Output): Print {
  const print = createPrinter(out, err)
  return (event) => {
    print(event)
    if (event.type === 'loop_detected' || event.type === 'turn-limit') {
      out.json(event)
    }
  }
}

function failedBefore(
  { kind, message, advice }: ModelError,
  { json }: ChatOptions,
  out: Output,
  err: Output,
): ExitCode {
  const event = { type: 'error', kind, message, advice } as const
  if (json) out.json(event)
  err.line(`unloop: ${message}`)
  if (advice) err.line(advice)
  return exitCodeOf(event) ?? EXIT.modelFailed
}

/** The prompt of the options with the files that it names, and what is piped in added to it. */
async function readPrompt(
  host: Host,
  options: ChatOptions,
): Promise<{ prompt: string; notes: string[] }> {
  const piped = host.stdin.isTTY ? '' : await readPiped(host)
  const given = [options.prompt, options.request].filter((part) => part?.trim()).join('\n\n')
  const { request, notes } = await withFiles(given, host.cwd())
  const prompt = [request, piped].filter((part) => part.trim()).join('\n\n')
  if (prompt) return { prompt, notes }
  throw new UsageError(
    'no prompt; add one, as in unloop chat "…", or pipe it into unloop chat. In a terminal, plain unloop chat opens a chat',
  )
}

// a program that starts us and leaves its pipe open would wait for us, and we for it
const PATIENCE_MS = 2000

async function readPiped(host: Host): Promise<string> {
  const err = toOutput(host.stderr, host.env)
  const timer = setTimeout(() => {
    err.line('waiting for stdin to end; if there is no input, add < /dev/null')
  }, PATIENCE_MS)
  const chunks: Buffer[] = []
  for await (const chunk of host.stdin) chunks.push(Buffer.from(chunk))
  clearTimeout(timer)
  return Buffer.concat(chunks).toString('utf8').trimEnd()
}

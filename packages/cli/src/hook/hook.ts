import { rmSync } from 'node:fs'
import type { GuardMode } from '@unloop/agent'
import type { CodingAgent, Decision, HookAnswer, HookEvent } from '../coding-agents/coding-agent.js'
import { codingAgentNamed } from '../coding-agents/index.js'
import type { Host } from '../host.js'
import { isCalm, letPass, takePassed } from './calm.js'
import { folderOf, readInfo, type SessionInfo, writeInfo } from './folders.js'
import { add, createNonce, hasLines, type Reading, save } from './journal.js'
import { log } from './log.js'
import { openSession } from './open-session.js'
import { type HookSettings, readSettings, toGuardOptions } from './options.js'
import type { SessionLine } from './session.js'
import { bounded, shrink, shrinkCall } from './shrink.js'
import { isTampering } from './tampering.js'
import { GO, type Voice } from './words.js'

/** What a hook uses of a process. */
export type HookHost = Pick<Host, 'env' | 'platform' | 'cwd'>

/** One event of an agent in, what to tell the agent out. Never throws: the agent continues whatever happens here. */
export function hook(host: HookHost, name: string | undefined, input: string): HookAnswer {
  try {
    const agent = codingAgentNamed(name)
    if (!agent) {
      log(host, 'hook', `there is no agent named ${JSON.stringify(name)}; its events are ignored`)
      return {}
    }
    const told = readEvent(host, agent, input)
    return told ? agent.answer(told, decide(host, agent, told)) : {}
  } catch (error) {
    log(host, name ?? 'hook', `internal error: ${(error as Error)?.stack ?? error}`)
    return {}
  }
}

function readEvent(host: HookHost, agent: CodingAgent, input: string): HookEvent | undefined {
  let payload: unknown
  try {
    payload = JSON.parse(input)
  } catch (error) {
    // without what stands there, which may be a secret
    const reason = (error as Error).message.replace(/, (?:\.{3})?".*/s, '')
    log(host, agent.name, `the event is not JSON: ${reason}`)
    return
  }
  if (typeof payload !== 'object' || payload === null) {
    log(host, agent.name, 'the event is not an object')
    return
  }
  const told = agent.read(payload as Record<string, unknown>)
  if (!told) log(host, agent.name, `nothing to read in this event: ${Object.keys(payload)}`)
  return told
}

function decide(host: HookHost, agent: CodingAgent, told: HookEvent): Decision {
  const folder = folderOf(host, told.session)
  const known = readInfo(folder)
  const tell = (message: string) => log(host, agent.name, message)
  const place = known?.folder ?? told.folder
  // what an agent writes while it works takes effect with the person's next words
  const isPrompt = told.event.type === 'prompt'
  const at = Date.now()
  const settings =
    known?.settings && !isPrompt
      ? known.settings
      : readSettings(host, place, tell, isPrompt ? undefined : at - LONGEST_PROMPT_MS)
  const { mode = 'enforce' } = settings.config
  if (mode === 'off' && !known && !isPrompt) return GO
  const notice = isPrompt ? noticeOf(known, settings) : undefined
  if (notice !== undefined) tell(notice)
  const remember = (since: SessionInfo['since']) => {
    if (known?.settings && !isPrompt && since === known.since) return
    const told = isPrompt ? notesOf(settings) : known?.told
    const { since: _, ...rest } = { ...start, ...known }
    writeInfo(folder, {
      ...rest,
      settings,
      ...(told !== undefined && { told }),
      ...(since && { since }),
    })
  }
  const start = { id: told.session, agent: agent.name, folder: place, startedAt: at }
  if (mode === 'off') {
    remember(undefined)
    return notice === undefined ? GO : { type: 'go', notice }
  }
  const source: Source = { host, agent, place, mode }
  let since = isPrompt ? undefined : known ? known.since : 'unknown'
  if (known?.settings && !isPrompt && !hasLines(folder)) {
    tell(`somebody removed what the guard knew of session ${told.session}`)
    since = 'lost'
  }
  const passed = takePassed(folder)
  for (const input of passed.inputs) {
    const call = readEvent(host, agent, input)
    if (call?.event.type !== 'tool-call') continue
    addOrStartOver(folder, lineOf(source, call, passed.at), tell)
  }
  const line = lineOf(source, told, at)
  if (since === 'lost' && mode === 'enforce') line.isTampering = 'lost'
  const reading = addOrStartOver(folder, line, tell)
  remember(since)
  const voice = voiceOf(host, agent, told.session)
  const session = openSession(toGuardOptions(settings), voice, reading, tell)
  for (const each of reading.lines) session.take(each)
  if (isDue(reading)) save(folder, reading, session.save())
  const isRoundOver = told.event.type === 'turn-start' && agent.marksRounds
  if (isRoundOver && !since && isCalm(session, settings.config)) letPass(folder)
  const decision = session.decisionOn(line.nonce)
  return notice === undefined || decision.type !== 'go' ? decision : { ...decision, notice }
}

// an agent that works on one prompt for half a day is rare
const LONGEST_PROMPT_MS = 12 * 60 * 60_000

interface Source {
  host: HookHost
  agent: CodingAgent
  place: string | undefined
  mode: GuardMode
}

function lineOf({ host, agent, place, mode }: Source, told: HookEvent, at: number): SessionLine {
  return {
    nonce: createNonce(),
    at,
    source: sourceOf(agent, told),
    event: shrink(told.event),
    ...(agent.marksRounds && { isInMarkedRound: true as const }),
    ...(told.event.type === 'tool-result' &&
      told.event.id === undefined && {
        args: bounded(told.args),
      }),
    ...(told.round && { round: told.round.map(shrinkCall) }),
    ...(told.event.type === 'tool-call' &&
      mode === 'enforce' &&
      isTampering(host, told.folder ?? place, told.event) && { isTampering: true as const }),
  }
}

/** What the person should know of the settings of their prompt, once. */
function noticeOf(known: SessionInfo | undefined, settings: HookSettings): string | undefined {
  const { config } = settings
  const parts: string[] = []
  if (known?.settings && JSON.stringify(known.settings.config) !== JSON.stringify(config)) {
    const { mode = 'enforce' } = config
    parts.push(`the configuration has changed; from now on, ${MODES[mode]}.`)
  }
  const notes = notesOf(settings)
  if (notes !== undefined && notes !== known?.told) parts.push(notes)
  return parts.length === 0 ? undefined : `unloop: ${parts.join(' ')}`
}

const notesOf = ({ ignored, limits }: HookSettings) =>
  [ignored, limits].filter((note) => note !== undefined).join('\n') || undefined

const MODES: Record<GuardMode, string> = {
  enforce: 'it applies',
  observe: 'loops are only recorded (mode "observe")',
  off: 'nothing is guarded (mode "off")',
}

/** Adds the line; a journal that cannot be used any more, as after somebody wrote into its folder, starts over. */
function addOrStartOver(folder: string, line: SessionLine, tell: (message: string) => void) {
  try {
    return add<SessionLine>(folder, line)
  } catch (error) {
    tell(`the session starts over: ${(error as Error).message}`)
    rmSync(folder, { recursive: true, force: true })
    return add<SessionLine>(folder, line)
  }
}

/** Whoever tells the same in the same place twice means it; the last message may be told by two hooks of one agent. */
const sourceOf = ({ name }: CodingAgent, { hook, event: { type } }: HookEvent) =>
  type === 'text' || type === 'reasoning' ? `${name} ${hook}` : name

function voiceOf({ env }: HookHost, agent: CodingAgent, session: string): Voice {
  const command = env.UNLOOP_LAUNCHER ? 'npx @unloop/cli' : 'unloop'
  return {
    isAttended: agent.isAttended?.(env) === true,
    ...(agent.cannotStop && { unstoppable: agent.title }),
    continueCommand: `${command} session ${quote(session)} --continue`,
  }
}

/** An id as a shell reads it. */
const quote = (id: string) => (/^[\w-]+$/.test(id) ? id : `'${id.replaceAll("'", "'\\''")}'`)

// what a hook reads again each time must not take long
const MAX_LINES = 24
const MAX_BYTES = 128_000

const isDue = ({ lines, end }: Reading<SessionLine>) => lines.length >= MAX_LINES || end > MAX_BYTES

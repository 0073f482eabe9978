import { spawn } from 'node:child_process'
import { plural } from 'unloop/words'
import { EXIT, type ExitCode } from '../exit-code.js'
import { homeOf } from '../home-of.js'
import { type Host, toOutput } from '../host.js'
import { createPaint } from '../paint.js'
import { inOneLine, printable } from '../printable.js'
import { ADVICE } from '../troubles.js'
import { STATES } from '../words.js'
import { showSpent } from './amounts.js'
import { quote } from './evidence.js'
import { type GuardSource, loadGuardOptions } from './guard-source.js'
import { notify } from './notify.js'
import { withPath } from './problem.js'
import { type Cleaner, createCleaner } from './redact.js'
import { showPlace } from './unit.js'
import { type Alarm, watchLoops } from './watch-loops.js'

export interface WatchCommandOptions {
  source: GuardSource
  agents?: readonly string[]
  project?: string
  /** one JSON object a line */
  json: boolean
  showRaw: boolean
  notify: boolean
  /** a command that is run for each loop that is certain, with the finding on its standard input */
  exec?: string
}

/** `unloop scan --watch`: tells of loops as they happen, until it is interrupted. */
export async function runWatchCommand(
  host: Host,
  paths: readonly string[],
  options: WatchCommandOptions,
): Promise<ExitCode> {
  const out = toOutput(host.stdout, host.env)
  const err = toOutput(host.stderr, host.env)
  const guard = await loadGuardOptions(options.source)
  const clean = createCleaner(homeOf(host), options.showRaw)
  const abort = new AbortController()
  const stop = () => abort.abort()
  host.on('SIGINT', stop)
  host.on('SIGTERM', stop)
  const known = new Set<string>()
  let told = 0
  let stuck = 0
  const commands: Promise<void>[] = []
  let followed = 0
  const faults = new Set<string>()

  function onAlarm(alarm: Alarm) {
    const { item } = alarm
    // the reader of our output is gone, so the rest is not needed
    if (out.isClosed) return stop()
    // without a path only places of these agents are watched
    const { program = item.run.format } = item.run
    if (paths.length > 0 && options.agents && !options.agents.includes(program)) return
    if (
      options.project &&
      !(item.run.project ?? '').toLowerCase().includes(options.project.toLowerCase())
    )
      return
    const names = namesOf(alarm)
    const isKnown = names.some((name) => known.has(name))
    for (const name of names) known.add(name)
    if (isKnown) return
    told++
    const record = toRecord(alarm, clean)
    if (options.json) out.json(record)
    else out.write(toLines(record, out.isColoured).join(''))
    // a loop that is only likely is not worth an interruption
    if (record.certainty === 'likely') return
    stuck++
    if (options.notify) notify(host, `${record.agent} is ${STATES.certain}`, record.detail)
    if (options.exec !== undefined) commands.push(run(host, options.exec, record))
  }

  try {
    await watchLoops(host, paths, {
      guard,
      ...(options.agents && { agents: options.agents }),
      signal: abort.signal,
      // not before: what is written until then was there already
      onReady: () => err.line('Watching the agents on this machine. Press Ctrl+C to stop.'),
      onAlarm,
      onKnown(alarm) {
        // a session may be continued in a new file that begins with a copy
        const places = [alarm.path, alarm.item.run.session ?? alarm.path]
        for (const name of namesOf(alarm, places)) known.add(name)
      },
      onProblem: ({ path, message }) => err.line(`unloop: ${withPath(path, message)}`),
      onFault(path, { message }) {
        if (faults.has(message)) return
        faults.add(message)
        err.line(`unloop: ${withPath(path, clean.text(message))}`)
        err.line(ADVICE)
      },
      onFollow(path) {
        followed++
        err.line(`Following ${clean.text(path)}`)
      },
    })
  } finally {
    host.off('SIGINT', stop)
    host.off('SIGTERM', stop)
  }
  await Promise.all(commands)
  err.line(`${plural(followed, 'transcript')} followed, ${plural(told, 'loop')} reported.`)
  return stuck > 0 ? EXIT.found : EXIT.quiet
}

/**
 * The names of what is told: once for each request when it is likely, once when it is certain, and
 * once when a guard would have ended it. A session is the same in whatever file, and a file when it is renamed or
 * rewritten.
 */
function namesOf(
  { finding, loop, item, path, inode, prompt }: Alarm,
  places: readonly unknown[] = [path, inode ?? path, item.run.session ?? path],
): string[] {
  const isFinal = finding.action === 'stop' || finding.action === 'ask'
  const { session } = item.run
  const rest = [session, finding.agent, prompt, loop.began.at, finding.identity]
  const step = isFinal ? 'final' : finding.certainty
  return places.map((place) => [place, ...rest, step].join(' '))
}

const toRecord = ({ finding, loop, item, path, unit }: Alarm, clean: Cleaner) => ({
  schemaVersion: 1,
  agent: item.run.program ?? item.run.format,
  project: clean.text(item.run.project ?? ''),
  session: item.run.session,
  path,
  unit,
  line: item.line,
  ...(item.file !== undefined && { file: item.file }),
  certainty: finding.certainty,
  detector: finding.detector,
  detail: clean.sample(finding.detail),
  advice: finding.advice,
  sample: clean.sample(finding.sample),
  count: finding.count,
  action: finding.action,
  wasted: loop.wasted,
  evidence: loop.evidence.map((one) => ({ ...one, text: quote(one.text, clean.text) })),
})

type AlarmRecord = ReturnType<typeof toRecord>

/** What an agent named, so that it begins no line of its own. */
const plain = (text: string) => inOneLine(printable(text))

function toLines(record: AlarmRecord, isColoured: boolean): string[] {
  const { agent, project, certainty, detector, detail, wasted, action } = record
  const paint = createPaint(isColoured)
  const isFinal = action === 'stop' || action === 'ask'
  return [
    `${new Date().toTimeString().slice(0, 8)}  ${paint(isFinal ? 'red' : certainty === 'certain' ? 'yellow' : 'dim', `${agent} ${isFinal ? 'is still' : 'is'} ${STATES[certainty]}`)}${project ? ` in ${plain(project)}` : ''}`,
    `  ${detector}: ${plain(detail)}; so far ${showSpent(wasted)}`,
    `  ${paint('dim', plain(showPlace(record, { event: 0, ...record })))}`,
  ].map((text) => `${text}\n`)
}

/** Runs the person's command; a failure is reported, and watching continues. */
function run(host: Host, command: string, record: AlarmRecord): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(command, {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: host.env,
    })
    const failed = (why: string) => {
      toOutput(host.stderr, host.env).line(`unloop: --exec: ${command}: ${why}`)
      resolve()
    }
    child.on('error', (error) => failed(error.message))
    child.on('exit', (code, signal) =>
      code === 0 ? resolve() : failed(`ended with ${signal ?? code}`),
    )
    // a command need not read it
    child.stdin.on('error', () => {})
    child.stdin.end(`${JSON.stringify(record)}\n`)
  })
}

import { homedir } from 'node:os'
import { redact } from 'unloop/redact'
import * as vscode from 'vscode'
import { describeCost, isLikely } from '../chat/loop-words.js'
import type { Found } from '../found.js'
import { readSettings } from '../settings.js'
import { say } from './say.js'
import { settingOf } from './settings-source.js'

/** The loops of other agents, as their transcripts tell. */
export interface Watch extends vscode.Disposable {
  /** the last one first */
  readonly found: readonly Found[]
  /** what failed in the guards of the watched, if something did */
  readonly fault: string | undefined
  /** Starts, stops or restarts, as the settings say now. */
  update(): void
  clear(): void
}

export interface WatchParts {
  log: vscode.LogOutputChannel
  onChange(): void
  show(found: Found): Promise<void>
}

// more than anyone reads in the tree
const MAX_FOUND = 200

/** A watch that is off until the person turns it on, and in workspaces that are not trusted. */
export function createWatch({ log, onChange, show }: WatchParts): Watch {
  let found: Found[] = []
  let fault: string | undefined
  let running: AbortController | undefined

  async function start({ signal }: AbortController) {
    const { watchLoops, checkGuard } = await import('../watcher.js')
    const { settings } = readSettings(settingOf, checkGuard)
    const folders = openFolders()
    if (signal.aborted || settings.guardMode === 'off') return
    log.info(`watching transcripts of ${folders.join(', ')}`)
    await watchLoops({
      folders,
      env: process.env,
      home: homedir(),
      guard: settings.guard,
      signal,
      onFound: tell,
      onFollow: (path) => log.info(`watching ${path}`),
      onLeave: (path) => log.info(`no longer watching ${path}`),
      onFault(text) {
        fault = text
        log.error(`part of the guard failed: ${text}`)
        onChange()
      },
      onProblem: (message) => log.warn(`watching: ${message}`),
    })
  }

  function tell(next: Found, isNew: boolean) {
    found = [next, ...found.filter((old) => !isSame(old, next))].slice(0, MAX_FOUND)
    onChange()
    const { finding, place } = next
    if (!isNew || place.type !== 'transcript') return
    const evidence = `in ${place.path}:${place.line}: ${finding.detector} (${finding.kind}): ${redact(finding.detail)}; seen: ${redact(finding.sample)}`
    // what is only likely is listed, without an interruption
    if (isLikely(finding)) return log.info(`struggling ${evidence}`)
    log.warn(`loop ${evidence}`)
    warn(next, place.program, show).catch((error) => say('error', String(error)))
  }

  return {
    get found() {
      return found
    },
    get fault() {
      return fault
    },
    update() {
      running?.abort()
      fault = undefined
      running = undefined
      const isOn = settingOf('watch.enabled') === true
      if (!isOn || !vscode.workspace.isTrusted || openFolders().length === 0) return
      running = new AbortController()
      start(running).catch((error) => log.error(`watching ended: ${error}`))
    },
    clear() {
      found = []
      onChange()
    },
    dispose: () => running?.abort(),
  }
}

async function warn(found: Found, program: string, show: WatchParts['show']): Promise<void> {
  const { t } = vscode.l10n
  const { finding } = found
  const open = t('Show transcript')
  const text = t('{0} is stuck: {1}.', program, redact(finding.detail))
  const seen = finding.sample ? t('Seen: {0}.', redact(finding.sample)) : ''
  const cost = t('Cost so far: {0}.', describeCost(finding, t))
  const message = [text, seen, cost].filter(Boolean).join(' ')
  if ((await say('warning', message, open)) === open) await show(found)
}

const isSame = (a: Found, b: Found) =>
  a.finding.identity === b.finding.identity &&
  a.place.type === 'transcript' &&
  b.place.type === 'transcript' &&
  a.place.path === b.place.path

const openFolders = () =>
  (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath)

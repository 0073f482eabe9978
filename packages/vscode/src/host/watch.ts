import { homedir } from 'node:os'
import { basename } from 'node:path'
import { redact } from 'unloop/redact'
import * as vscode from 'vscode'
import type { Found, WatchedLoop } from '../found.js'
import { hookNameOf } from '../hooked-agents.js'
import { readSettings } from '../settings.js'
import {
  createWatchList,
  describeWatched,
  type WatchList,
  type WatchListParts,
} from '../watch-list.js'
import { openFolders } from './folders.js'
import { say } from './say.js'
import { settingOf } from './settings-source.js'

/** The loops of other agents, as their transcripts tell. */
export interface Watch extends vscode.Disposable {
  readonly list: WatchList
  /** what failed in the guards of the watched, if something did */
  readonly fault: string | undefined
  /** What is watched, or why nothing is although the person wants it; empty if it is off. */
  describe(): string
  /** Why nothing is watched although the person wants it, and the command that helps. */
  obstacle(): Obstacle | undefined
  /** Starts, stops or restarts, as the settings say now. */
  update(): void
}

export interface Obstacle {
  text: string
  button: string
  command: string
}

export interface WatchParts extends WatchListParts {
  log: vscode.LogOutputChannel
  /** Does what a button of a message says. */
  act(command: string, found: Found): Thenable<unknown>
}

// the settings that a guard is made of
const RULES = ['preset', 'detectors', 'tools']

/** A watch that is off until the person turns it on, and in workspaces that are not trusted. */
export function createWatch({ log, act, ...parts }: WatchParts): Watch {
  const list = createWatchList(parts)
  let fault: string | undefined
  let running: AbortController | undefined
  let made: string | undefined

  async function start({ signal }: AbortController) {
    const { watchLoops, checkGuard } = await import('../watcher.js')
    const { settings } = readSettings(settingOf, checkGuard)
    const folders = openFolders().map(({ path }) => path)
    if (signal.aborted) return
    const ended = watchLoops({
      folders,
      env: process.env,
      home: homedir(),
      guard: settings.guard,
      signal,
      onFound: tell,
      onFollow: (path) => log.info(`watching ${path}`),
      onLeave: (path) => log.info(`no longer watching ${path}`),
      onChange(watched) {
        if (!signal.aborted) list.watch(watched)
      },
      onFault(text) {
        fault = text
        log.error(`part of the guard failed: ${text}`)
        parts.onChange()
      },
      onProblem: (message) => log.warn(`watching: ${message}`),
    })
    // what is written from now on is news
    log.info(`watching transcripts of ${folders.join(', ')}`)
    await ended
  }

  function tell(found: Found, isDue: boolean) {
    const { finding, place } = found
    if (place.type !== 'transcript') return
    const loop = { ...found, place }
    const isUrgent = list.add(loop, isDue)
    if (!isDue) return
    const evidence = `in ${place.path}:${place.line}: ${finding.detector} (${finding.kind}): ${redact(finding.detail)}; seen: ${redact(finding.sample)}`
    // what is only likely is listed, without an interruption
    log[isUrgent ? 'warn' : 'info'](`${isUrgent ? 'loop' : 'struggling or muted'} ${evidence}`)
    if (isUrgent) warn(loop, act).catch((error) => say('error', String(error)))
  }

  function obstacle(): Obstacle | undefined {
    const { t } = vscode.l10n
    if (settingOf('watch.enabled') !== true) return
    if (openFolders().length === 0) {
      return {
        text: t('Not watching: no folder is open. Open the folder that your agents work in.'),
        ...{ button: t('Open folder…'), command: 'workbench.action.files.openFolder' },
      }
    }
    if (!vscode.workspace.isTrusted) {
      return {
        text: t('Not watching: this workspace is not trusted.'),
        ...{ button: t('Manage trust'), command: 'workbench.trust.manage' },
      }
    }
    if (settingOf('guardMode') !== 'off') return
    return {
      text: t('Not watching: the setting unloop.guardMode is "off".'),
      ...{ button: t('Open settings'), command: 'unloop.openSettings' },
    }
  }

  return {
    list,
    get fault() {
      return fault
    },
    obstacle,
    describe() {
      if (settingOf('watch.enabled') !== true) return ''
      return obstacle()?.text ?? describeWatched(list.watched, vscode.l10n.t)
    },
    update() {
      const isOn = settingOf('watch.enabled') === true && !obstacle()
      const wanted = isOn ? JSON.stringify([openFolders(), ...RULES.map(settingOf)]) : ''
      // one that runs as it should goes on with what it knows
      if (wanted === made) return
      made = wanted
      running?.abort()
      fault = undefined
      running = undefined
      list.watch([])
      if (!isOn) return
      running = new AbortController()
      start(running).catch((error) => log.error(`watching ended: ${error}`))
    },
    dispose: () => running?.abort(),
  }
}

/** Interrupts the person. The text has no counts: the editor replaces a message by one that says the same. */
async function warn(loop: WatchedLoop, act: WatchParts['act']): Promise<void> {
  const { t } = vscode.l10n
  const { finding, place } = loop
  const what = redact(finding.sample || finding.kind)
  const text = t('{0} is stuck in {1}. It repeats: {2}', place.title, basename(place.project), what)
  const buttons: Record<string, string> = {
    [t('Show transcript')]: 'unloop.showFound',
    [t('Read advice')]: 'unloop.readAdvice',
    ...(hookNameOf(place.program) && { [t('Install hook…')]: 'unloop.installHook' }),
    [t('Mute')]: 'unloop.muteLoop',
  }
  const command = buttons[(await say('warning', text, ...Object.keys(buttons))) ?? '']
  if (command) await act(command, loop)
}

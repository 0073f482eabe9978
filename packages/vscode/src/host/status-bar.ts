import * as vscode from 'vscode'
import type { Status } from '../protocol.js'
import { toSentence } from '../sentences.js'
import { createStatusItem } from './say.js'

/** How the watched agents stand. */
export interface Watched {
  /** what they are stuck in, and where they struggle */
  loops: number
  struggles: number
  fault: string | undefined
  /** what is watched, or why nothing is */
  watching: string
}

/** The item in the status bar: whether the guard is on, how many agents were stuck, and whether there is something to decide. */
export function createStatusBar(): vscode.Disposable & {
  show(status: Status, watched: Watched): void
} {
  const item = createStatusItem('unloop.status', 'unloop', 'unloop.openChat')
  return {
    show(status, watched) {
      const loops = status.loops + watched.loops
      const text = `unloop${loops > 0 ? ` ${loops}` : ''}`
      const hasFault = (status.fault ?? watched.fault) !== undefined
      item.show(
        iconOf(status, hasFault),
        text,
        tooltipOf(status, watched),
        colorOf(status, hasFault),
      )
    },
    dispose: () => item.dispose(),
  }
}

function colorOf({ isStopped }: Status, hasFault: boolean): vscode.ThemeColor | undefined {
  if (isStopped) return new vscode.ThemeColor('statusBarItem.errorBackground')
  return hasFault ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined
}

function iconOf({ isStopped, isBusy, guardMode }: Status, hasFault: boolean): string {
  if (isStopped) return 'error'
  if (hasFault) return 'warning'
  if (isBusy) return 'sync~spin'
  return { enforce: 'shield', observe: 'eye', off: 'circle-slash' }[guardMode] ?? 'shield'
}

function tooltipOf(status: Status, watched: Watched): string[] {
  const { isStopped, guardMode, model, loops, struggles, sign } = status
  const { t } = vscode.l10n
  const mode = {
    enforce: t('The guard is on.'),
    observe: t('The guard only lists loops.'),
    off: t('The guard is off.'),
  }[guardMode]
  return [
    ...(isStopped ? [t('The agent is stuck and is waiting for your decision.')] : []),
    mode,
    t('Model: {0}', model),
    t('In this chat: {0} stuck, {1} struggling', loops, struggles),
    ...(watched.watching === '' ? [] : [toSentence(watched.watching)]),
    ...(watched.loops + watched.struggles > 0
      ? [t('Watched agents: {0} stuck, {1} struggling', watched.loops, watched.struggles)]
      : []),
    ...(status.questions > 0 ? [t('A tool needs your permission.')] : []),
    ...[...new Set([status.fault, watched.fault])].flatMap((fault) =>
      fault === undefined
        ? []
        : [t('Part of the guard failed: {0} The rest continues.', toSentence(fault))],
    ),
    ...(sign ? [t('Close: {0}, {1} of {2}', sign.detector, sign.count, sign.limit)] : []),
  ]
}

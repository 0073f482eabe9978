import * as vscode from 'vscode'
import type { Status } from '../protocol.js'
import { createStatusItem } from './say.js'

/** How the watched agents stand. */
export interface Watched {
  loops: number
  fault: string | undefined
}

/** The item in the status bar: whether the guard is on, what it found, and whether somebody has to decide. */
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
  return { on: 'shield', observe: 'eye', off: 'circle-slash' }[guardMode] ?? 'shield'
}

function tooltipOf(status: Status, watched: Watched): string[] {
  const { isStopped, guardMode, model, loops, sign } = status
  const { t } = vscode.l10n
  const mode = {
    on: t('The guard is on.'),
    observe: t('The guard observes and does nothing.'),
    off: t('The guard is off.'),
  }[guardMode]
  return [
    ...(isStopped ? [t('The agent is stuck and waits for your decision.')] : []),
    mode,
    t('Model: {0}', model),
    t('Loops in this chat: {0}', loops),
    ...(watched.loops > 0 ? [t('Loops of watched agents: {0}', watched.loops)] : []),
    ...[...new Set([status.fault, watched.fault])].flatMap((fault) =>
      fault === undefined ? [] : [t('Part of the guard failed: {0}. The rest goes on.', fault)],
    ),
    ...(sign ? [t('Near: {0}, {1} of {2}', sign.detector, sign.count, sign.limit)] : []),
  ]
}

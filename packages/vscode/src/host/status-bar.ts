import * as vscode from 'vscode'
import type { Status } from '../protocol.js'
import { createStatusItem } from './say.js'

/** The item in the status bar: whether the guard is on, what it found, and whether somebody has to decide. */
export function createStatusBar(): vscode.Disposable & {
  show(status: Status, watched: number): void
} {
  const item = createStatusItem('unloop.status', 'unloop', 'unloop.openChat')
  return {
    show(status, watched) {
      const loops = status.loops + watched
      const text = `unloop${loops > 0 ? ` ${loops}` : ''}`
      const color = status.isStopped
        ? new vscode.ThemeColor('statusBarItem.errorBackground')
        : undefined
      item.show(iconOf(status), text, tooltipOf(status, watched), color)
    },
    dispose: () => item.dispose(),
  }
}

function iconOf({ isStopped, isBusy, guardMode }: Status): string {
  if (isStopped) return 'error'
  if (isBusy) return 'sync~spin'
  return { on: 'shield', observe: 'eye', off: 'circle-slash' }[guardMode] ?? 'shield'
}

function tooltipOf(status: Status, watched: number): string[] {
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
    ...(watched > 0 ? [t('Loops of watched agents: {0}', watched)] : []),
    ...(sign ? [t('Near: {0}, {1} of {2}', sign.detector, sign.count, sign.limit)] : []),
  ]
}

import * as vscode from 'vscode'
import type { Status } from '../protocol.js'

/** The item in the status bar: whether the guard is on, what it found, and whether somebody has to decide. */
export function createStatusBar(): vscode.Disposable & {
  show(status: Status, watched: number): void
} {
  const item = vscode.window.createStatusBarItem('unloop.status', vscode.StatusBarAlignment.Right)
  item.name = 'unloop'
  item.command = 'unloop.openChat'
  return {
    show(status, watched) {
      const loops = status.loops + watched
      item.text = `${iconOf(status)} unloop${loops > 0 ? ` ${loops}` : ''}`
      item.tooltip = tooltipOf(status, watched)
      item.backgroundColor = status.isStopped
        ? new vscode.ThemeColor('statusBarItem.errorBackground')
        : undefined
      item.accessibilityInformation = { label: item.tooltip }
      item.show()
    },
    dispose: () => item.dispose(),
  }
}

function iconOf({ isStopped, isBusy, guardMode }: Status): string {
  if (isStopped) return '$(error)'
  if (isBusy) return '$(sync~spin)'
  return { on: '$(shield)', observe: '$(eye)', off: '$(circle-slash)' }[guardMode] ?? '$(shield)'
}

function tooltipOf({ isStopped, guardMode, model, loops, sign }: Status, watched: number): string {
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
  ].join('\n')
}

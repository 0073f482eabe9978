import * as vscode from 'vscode'
import {
  describeCost,
  describeCounts,
  describeOutcome,
  describeState,
  isLikely,
} from '../chat/loop-words.js'
import type { Found } from '../found.js'
import { treeItem } from './say.js'

type Node =
  | { type: 'group'; label: string; found: Found[] }
  | { type: 'found'; found: Found }
  | { type: 'fact'; name: string; value: string }

export const LOOPS_VIEW = 'unloop.loops'

/** The view "Loops": what was found, where, the certain ones first, each with its evidence below it. */
export function createLoopsTree(
  list: () => Found[],
): vscode.TreeDataProvider<Node> & { refresh(): void } {
  const changed = new vscode.EventEmitter<undefined>()
  return {
    onDidChangeTreeData: changed.event,
    refresh: () => changed.fire(undefined),
    getChildren(node) {
      if (!node) return groupsOf(list())
      if (node.type === 'group') return node.found.map((found) => ({ type: 'found', found }))
      return node.type === 'found' ? factsOf(node.found) : []
    },
    getTreeItem: toTreeItem,
  }
}

function groupsOf(all: Found[]): Node[] {
  const groups = new Map<string, Found[]>()
  for (const found of all) {
    const { place } = found
    const label =
      place.type === 'chat'
        ? vscode.l10n.t('This chat')
        : `${place.program} ${place.session.slice(0, 8)}`
    groups.set(label, [...(groups.get(label) ?? []), found])
  }
  const byCertainty = (a: Found, b: Found) =>
    Number(isLikely(a.finding)) - Number(isLikely(b.finding))
  return [...groups].map(([label, found]) => ({
    type: 'group',
    label,
    found: found.sort(byCertainty),
  }))
}

function factsOf({ finding, place, item }: Found): Node[] {
  const { t } = vscode.l10n
  const fact = (name: string, value: string): Node => ({ type: 'fact', name, value })
  const { count, detector, kind, sample } = finding
  return [
    ...(sample ? [fact(t('Seen'), sample)] : []),
    fact(t('Times'), String(count)),
    fact(t('Cost'), describeCost(finding, t)),
    fact(t('Rule'), kind === detector ? detector : `${detector} (${kind})`),
    ...(item ? [fact(t('Then'), describeOutcome(item, t))] : []),
    ...(place.type === 'transcript' ? [fact(t('Transcript'), `${place.path}:${place.line}`)] : []),
  ]
}

function toTreeItem(node: Node): vscode.TreeItem {
  if (node.type === 'group') {
    const { label, found } = node
    const findings = found.map(({ finding }) => finding)
    const description = describeCounts(findings, vscode.l10n.t)
    return treeItem({ label, description }, vscode.TreeItemCollapsibleState.Expanded)
  }
  if (node.type === 'fact') {
    const { name, value } = node
    const description = value.replace(/\s+/g, ' ')
    return treeItem({ label: name, description, tooltip: [value], spoken: `${name}: ${value}` })
  }
  const { finding, at, place } = node.found
  const { detail, detector, sample } = finding
  const state = describeState(finding, vscode.l10n.t)
  const item = treeItem(
    {
      label: detail,
      description: `${state}, ${detector} ${new Date(at).toLocaleTimeString()}`,
      tooltip: [detail, sample],
      spoken: `${detail}, ${state}, ${detector}`,
    },
    vscode.TreeItemCollapsibleState.Collapsed,
  )
  item.iconPath = iconOf(node.found)
  item.contextValue = place.type
  item.command = {
    command: 'unloop.showFound',
    title: vscode.l10n.t('Show'),
    arguments: [node.found],
  }
  return item
}

function iconOf({ finding }: Found): vscode.ThemeIcon {
  if (isLikely(finding)) return new vscode.ThemeIcon('info')
  const isFinal = finding.action === 'ask' || finding.action === 'stop'
  return isFinal
    ? new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'))
    : new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
}

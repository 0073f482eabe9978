import { basename } from 'node:path'
import type { Watched } from '@unloop/transcripts'
import { redact } from 'unloop/redact'
import { describeCost, describeState, factsOf, showMs } from 'unloop/words'
import * as vscode from 'vscode'
import { describeCounts, isLikely, loopFacts } from '../chat/loop-words.js'
import { type Found, keyOf, sessionKeyOf } from '../found.js'
import { hookNameOf } from '../hooked-agents.js'
import { never } from '../never.js'
import { treeItem } from './say.js'

/** A row of the view "Loops". */
export type LoopNode =
  | { type: 'watching'; label: string; watched: readonly Watched[] }
  | { type: 'session'; watched: Watched }
  | { type: 'group'; label: string; all: Found[]; found: Found }
  | { type: 'found'; found: Found }
  | { type: 'fact'; name: string; value: string; of: string }

export const LOOPS_VIEW = 'unloop.loops'

export interface TreeParts {
  found(): Found[]
  isMuted(found: Found): boolean
  /** The window is given the rows of these. */
  onShow(found: readonly Found[]): void
  /** what is watched; nothing if watching is off */
  watched(): { label: string; watched: readonly Watched[] } | undefined
}

/** The view "Loops": what is watched, and what was found, the certain ones first, each with its evidence below it. */
export function createLoopsTree(
  parts: TreeParts,
): vscode.TreeDataProvider<LoopNode> & { refresh(): void } {
  const changed = new vscode.EventEmitter<undefined>()
  return {
    onDidChangeTreeData: changed.event,
    refresh: () => changed.fire(undefined),
    getChildren(node) {
      if (!node) return rootsOf(parts)
      switch (node.type) {
        case 'watching':
          return node.watched.map((watched) => ({ type: 'session', watched }))
        case 'group':
          return node.all.map((found) => ({ type: 'found', found }))
        case 'found':
          return toFacts(node.found)
        default:
          return []
      }
    },
    getTreeItem: (node) => toTreeItem(node, parts),
  }
}

function rootsOf(parts: TreeParts): LoopNode[] {
  const watching = parts.watched()
  const groups = groupsOf(parts.found())
  return watching ? [...groups, { type: 'watching', ...watching }] : groups
}

function groupsOf(all: Found[]): LoopNode[] {
  const groups = new Map<string, Found[]>()
  for (const found of all) {
    const key = sessionKeyOf(found)
    groups.set(key, [...(groups.get(key) ?? []), found])
  }
  const byCertainty = (a: Found, b: Found) =>
    Number(isLikely(a.finding)) - Number(isLikely(b.finding))
  return [...groups.values()].map((members) => {
    const [found] = members as [Found]
    return { type: 'group', label: labelOf(found), found, all: members.sort(byCertainty) }
  })
}

const labelOf = ({ place }: Found): string =>
  place.type === 'chat'
    ? vscode.l10n.t('This chat')
    : `${place.title} ${place.session.slice(0, 8)}`.trim()

function toFacts(found: Found): LoopNode[] {
  const { finding, place, item } = found
  const { t } = vscode.l10n
  // nothing was done about what is only watched
  const { action: _, ...watched } = finding
  const facts = item ? loopFacts(item, t) : factsOf(watched, { clean: redact, t })
  return [
    // what it is stands above
    ...facts.filter(({ name }) => name !== 'what'),
    ...(place.type === 'transcript'
      ? [{ label: t('Transcript'), value: `${place.path}:${place.line}` }]
      : []),
  ].map(({ label, value }) => ({ type: 'fact', name: label, value, of: rowOf(found) }))
}

/** What a row of a loop is known by while its count grows; in the chat a loop may be told several times. */
const rowOf = (found: Found): string =>
  found.place.type === 'chat' ? `chat ${found.place.index}` : keyOf(found)

/** The row of a node, under an id of its own: the editor keeps what is unfolded and selected by it. */
function toTreeItem(node: LoopNode, parts: TreeParts): vscode.TreeItem {
  const item = rowFor(node, parts)
  item.id = idOf(node)
  return item
}

function idOf(node: LoopNode): string {
  switch (node.type) {
    case 'watching':
      return node.type
    case 'session':
      return JSON.stringify([node.type, node.watched.path, node.watched.session])
    case 'group':
      return `${node.type} ${sessionKeyOf(node.found)}`
    case 'found':
      return `${node.type} ${rowOf(node.found)}`
    case 'fact':
      return `${node.type} ${node.of} ${node.name}`
    default:
      return never(node)
  }
}

function rowFor(node: LoopNode, { isMuted, onShow }: TreeParts): vscode.TreeItem {
  const { t } = vscode.l10n
  switch (node.type) {
    case 'watching': {
      const item = treeItem({ label: node.label }, openedIf(node.watched.length > 0))
      item.iconPath = new vscode.ThemeIcon('eye')
      return item
    }
    case 'session': {
      const { title, project = '', lastAt, events, path } = node.watched
      const age = t('{0} ago', showMs(Math.max(0, Date.now() - lastAt)))
      const description = `${basename(project)}, ${age}, ${describeCost({ events, characters: 0 }, { t })}`
      return treeItem({
        label: title,
        description,
        tooltip: [path],
        spoken: `${title}, ${description}`,
      })
    }
    case 'group': {
      onShow(node.all)
      const findings = node.all.map(({ finding }) => finding)
      const description = describeCounts(findings, t)
      const item = treeItem(
        { label: node.label, description },
        vscode.TreeItemCollapsibleState.Expanded,
      )
      item.contextValue = contextOf('group', node.found, node.all.every(isMuted))
      return item
    }
    case 'fact': {
      const { name, value } = node
      const description = value.replace(/\s+/g, ' ')
      return treeItem({ label: name, description, tooltip: [value], spoken: `${name}: ${value}` })
    }
    case 'found':
      return foundItem(node, isMuted(node.found))
  }
}

function foundItem(node: Extract<LoopNode, { type: 'found' }>, isMuted: boolean): vscode.TreeItem {
  const { t } = vscode.l10n
  const { finding, at } = node.found
  const { detector } = finding
  const [detail, sample] = [redact(finding.detail), redact(finding.sample)]
  const state = isMuted ? t('muted') : describeState(finding, t)
  const item = treeItem(
    {
      label: detail,
      description: `${state}, ${detector} ${new Date(at).toLocaleTimeString()}`,
      tooltip: [detail, sample],
      spoken: `${detail}, ${state}, ${detector}`,
    },
    vscode.TreeItemCollapsibleState.Collapsed,
  )
  item.iconPath = isMuted ? new vscode.ThemeIcon('bell-slash') : iconOf(node.found)
  item.contextValue = contextOf('loop', node.found, isMuted)
  item.command = { command: 'unloop.showFound', title: t('Show'), arguments: [node] }
  return item
}

/** What the menus ask for: what the row is, whether it can be muted, and whether its agent has hooks. */
function contextOf(row: 'group' | 'loop', { place }: Found, isMuted: boolean): string {
  if (place.type === 'chat') return `chat ${row}`
  const hook = hookNameOf(place.program) ? ' hook' : ''
  return `watched ${row} ${isMuted ? 'muted' : 'heard'}${hook}`
}

const openedIf = (isOpened: boolean) =>
  isOpened ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None

function iconOf({ finding }: Found): vscode.ThemeIcon {
  if (isLikely(finding)) return new vscode.ThemeIcon('info')
  const isFinal = finding.action === 'ask' || finding.action === 'stop'
  return isFinal
    ? new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'))
    : new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
}

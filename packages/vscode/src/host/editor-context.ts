import * as vscode from 'vscode'
import type { ContextPart } from '../chat/item.js'
import { toShownPath } from '../folders.js'
import { openFolders } from './folders.js'
import { settingOf } from './settings-source.js'

// about 2,000 tokens; the agent can read the file for more
const MAX_SELECTION = 8000

/** What the active editor shows, for the next message. */
export function editorContext(): ContextPart[] {
  const editor = vscode.window.activeTextEditor
  const isOn = settingOf('context.enabled') === true
  if (!editor || !isOn || !isDocument(editor.document)) return []
  const { document, selection } = editor
  const path = toShownPath(openFolders(), document.uri.fsPath) ?? document.fileName
  const language = document.languageId
  const common = { path, language }
  const line = selection.active.line + 1
  const file: ContextPart = {
    ...common,
    kind: 'file',
    id: `file ${path}`,
    label: path,
    lines: [line, line],
  }
  if (selection.isEmpty) return [file]
  const lines: [number, number] = [selection.start.line + 1, selection.end.line + 1]
  const text = document.getText(selection).slice(0, MAX_SELECTION)
  const label = `${path}:${lines[0] === lines[1] ? lines[0] : lines.join('–')}`
  return [file, { ...common, kind: 'selection', id: `selection ${label}`, label, lines, text }]
}

/** A text of the workspace, and not a log, a transcript or a setting that happens to be looked at. */
const isDocument = ({ uri, isUntitled }: vscode.TextDocument) =>
  isUntitled || vscode.workspace.getWorkspaceFolder(uri) !== undefined

import * as vscode from 'vscode'
import { findWorkspaceFile } from '../workspace-file.js'
import { openFolders } from './folders.js'
import { say } from './say.js'

// an answer that names more is not read word by word
const MAX_PATHS = 500

/** Which of these are files of the workspace. */
export async function existingFiles(paths: readonly string[]): Promise<string[]> {
  const folders = openFolders()
  const found = await Promise.all(
    paths.slice(0, MAX_PATHS).map(async (path) => (await findWorkspaceFile(folders, path)) && path),
  )
  return found.filter((path) => path !== undefined)
}

/** Opens a file of the workspace at its line; asks again whether it is one. */
export async function openFile(word: string): Promise<void> {
  const file = await findWorkspaceFile(openFolders(), word)
  if (!file) return
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file.path))
  const position = new vscode.Position(Math.min(file.line, document.lineCount) - 1, 0)
  const selection = new vscode.Range(position, position)
  await vscode.window.showTextDocument(document, { selection, preview: true })
}

/** Puts a text to the cursor of the editor that was used last. */
export async function insertText(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0]
  if (!editor) {
    await say('info', vscode.l10n.t('Open a file first: the code goes to its cursor.'))
    return
  }
  await editor.edit((builder) => {
    for (const selection of editor.selections) builder.replace(selection, text)
  })
  await vscode.window.showTextDocument(editor.document, editor.viewColumn)
}

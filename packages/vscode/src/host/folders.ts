import * as vscode from 'vscode'
import { type Folder, nameFolders } from '../folders.js'

/** The folders that are open on this machine, each with a name of its own. */
export const openFolders = (): Folder[] =>
  nameFolders(
    (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri, name }) => ({ name, path: uri.fsPath })),
  )

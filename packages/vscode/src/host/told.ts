import * as vscode from 'vscode'

/** Resolves when the window shows what it was told so far; never, if the window is gone. */
export async function told(): Promise<void> {
  // items of the status bar are sent by a timer
  await new Promise((resolve) => setTimeout(resolve))
  // the editor answers in the order in which it was told; a window that is being closed refuses
  await vscode.commands
    .executeCommand('setContext', 'unloop.isTold', true)
    .then(undefined, () => {})
}

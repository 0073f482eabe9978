import * as vscode from 'vscode'
import { toPlain, toPlainLines } from '../plain-text.js'

// All the text that the editor shows for us, outside the chat, goes through this file. Much of it comes from models,
// transcripts and servers, and VS Code would find links to commands in it. `conformance.test.ts` allows no other way.

const SHOW = {
  info: vscode.window.showInformationMessage,
  warning: vscode.window.showWarningMessage,
  error: vscode.window.showErrorMessage,
}

/** Shows a message; resolves to the button that was pressed. */
export const say = async (
  kind: keyof typeof SHOW,
  text: string,
  ...buttons: string[]
): Promise<string | undefined> => SHOW[kind](toPlain(text), ...buttons)

/** Lets the person pick one of these. */
export async function pick<T extends { label: string; description?: string; detail?: string }>(
  choices: readonly T[] | Promise<readonly T[]>,
  { title, placeHolder = '' }: { title: string; placeHolder?: string },
): Promise<T | undefined> {
  const toItem = (choice: T) => ({
    label: toPlain(choice.label),
    description: toPlain(choice.description ?? ''),
    ...(choice.detail !== undefined && { detail: toPlain(choice.detail) }),
    choice,
  })
  const items = Promise.resolve(choices).then((all) => all.map(toItem))
  const texts = { title: toPlain(title), placeHolder: toPlain(placeHolder) }
  return (await vscode.window.showQuickPick(items, texts))?.choice
}

/** Asks for a line of text. */
export const ask = async (
  title: string,
  prompt: string,
  options: { password?: boolean } = {},
): Promise<string | undefined> =>
  vscode.window.showInputBox({
    ...{ ...options, ignoreFocusOut: true },
    ...{ title: toPlain(title), prompt: toPlain(prompt) },
  })

/** What a row of a tree says. */
export interface RowText {
  label: string
  description?: string
  tooltip?: readonly string[]
  /** for a screen reader, where it should be told more than the label */
  spoken?: string
}

/** A row of a tree. */
export function treeItem(
  { label, description = '', tooltip = [], spoken = label }: RowText,
  state = vscode.TreeItemCollapsibleState.None,
): vscode.TreeItem {
  const item = new vscode.TreeItem(toPlain(label), state)
  item.description = toPlain(description)
  item.tooltip = toPlainLines(tooltip)
  item.accessibilityInformation = { label: toPlain(spoken) }
  return item
}

/** The item in the status bar; its icon is the only markup. */
export function createStatusItem(id: string, name: string, command: string) {
  const item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Right)
  Object.assign(item, { name, command })
  return {
    show(icon: string, text: string, tooltip: readonly string[], color?: vscode.ThemeColor) {
      item.text = `$(${icon}) ${toPlain(text)}`
      item.tooltip = toPlainLines(tooltip)
      item.backgroundColor = color
      item.accessibilityInformation = { label: item.tooltip }
      item.show()
    },
    dispose: () => item.dispose(),
  }
}

/** Shows a terminal with a command in it that the person has yet to run. */
export function prepareCommand(name: string, command: string): void {
  const terminal = vscode.window.createTerminal(toPlain(name))
  terminal.show()
  terminal.sendText(command, false)
}

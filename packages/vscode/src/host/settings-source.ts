import * as vscode from 'vscode'
import { settingValue } from '../setting-value.js'

/** One of our settings, by its name without `unloop.`; those of an untrusted folder are not read. */
export const settingOf = (name: string): unknown =>
  settingValue(name, vscode.workspace.getConfiguration('unloop'), vscode.workspace.isTrusted)

/** Changes a setting where it counts: in the workspace if that has it and is trusted, else for the person. */
export function changeSetting(name: string, value: unknown): Thenable<void> {
  const settings = vscode.workspace.getConfiguration('unloop')
  const { Global, Workspace } = vscode.ConfigurationTarget
  const isSetHere = settings.inspect(name)?.workspaceValue !== undefined
  return settings.update(name, value, isSetHere && vscode.workspace.isTrusted ? Workspace : Global)
}

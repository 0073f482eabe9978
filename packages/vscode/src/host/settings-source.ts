import * as vscode from 'vscode'
import { settingValue } from '../setting-value.js'

/** A setting of ours, by its name without `unloop.`; of a folder that is not trusted nothing is read. */
export const settingOf = (name: string): unknown =>
  settingValue(name, vscode.workspace.getConfiguration('unloop'), vscode.workspace.isTrusted)

/** Changes a setting of the person. */
export const setForPerson = (name: string, value: unknown): Thenable<void> =>
  vscode.workspace.getConfiguration('unloop').update(name, value, vscode.ConfigurationTarget.Global)

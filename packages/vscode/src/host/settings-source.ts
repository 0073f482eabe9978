import * as vscode from 'vscode'
import { settingValue } from '../setting-value.js'

/** One of our settings, by its name without `unloop.`; those of an untrusted folder are not read. */
export const settingOf = (name: string): unknown =>
  settingValue(name, vscode.workspace.getConfiguration('unloop'), vscode.workspace.isTrusted)

/** Changes a setting of the person. */
export const setForPerson = (name: string, value: unknown): Thenable<void> =>
  vscode.workspace.getConfiguration('unloop').update(name, value, vscode.ConfigurationTarget.Global)

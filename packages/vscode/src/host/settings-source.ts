import * as vscode from 'vscode'
import { settingValue } from '../setting-value.js'

/** One of our settings, by its name without `unloop.`; those of an untrusted folder are not read. */
export const settingOf = (name: string): unknown =>
  settingValue(name, vscode.workspace.getConfiguration('unloop'), vscode.workspace.isTrusted)

export interface SettingsWriter {
  /** Changes a setting where it counts: in the workspace if that has it and is trusted, else for the person. */
  change(name: string, value: unknown): Promise<void>
  /** Resolves when all changes so far are made, or have failed. */
  written(): Promise<void>
}

/** A writer that knows what is still being written: over a slow connection that takes a while. */
export function createSettingsWriter(): SettingsWriter {
  let writing: Promise<unknown> = Promise.resolve()
  return {
    change(name, value) {
      const changed = changeSetting(name, value)
      writing = Promise.allSettled([writing, changed])
      return changed
    },
    written: async () => void (await writing),
  }
}

async function changeSetting(name: string, value: unknown): Promise<void> {
  const settings = vscode.workspace.getConfiguration('unloop')
  const { Global, Workspace } = vscode.ConfigurationTarget
  const isSetHere = settings.inspect(name)?.workspaceValue !== undefined
  await settings.update(name, value, isSetHere && vscode.workspace.isTrusted ? Workspace : Global)
}

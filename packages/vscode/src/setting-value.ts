/** What the editor knows of a setting; `WorkspaceConfiguration` of VS Code is one. */
export interface SettingSource {
  get(name: string): unknown
  inspect(name: string): { globalValue?: unknown; defaultValue?: unknown } | undefined
}

/** Decide where keys go, so a folder has no say in them, trusted or not. */
const OF_THE_PERSON: readonly string[] = ['baseUrl']

/** A setting as it counts here: in a folder that is not trusted, only what the person has set for all of them. */
export function settingValue(name: string, source: SettingSource, isTrusted: boolean): unknown {
  if (isTrusted && !OF_THE_PERSON.includes(name)) return source.get(name)
  const { globalValue, defaultValue } = source.inspect(name) ?? {}
  return globalValue ?? defaultValue
}

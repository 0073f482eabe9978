import { readFileSync } from 'node:fs'

/** What a tool for files, or a patch, makes of a file: its text after that; nothing if that cannot be known. */
export type Edit = (before: string) => string | undefined

/** Whether an edit takes our hook out of the settings of an agent, or switches hooks off there. Other settings are free to change. */
export function takesHookOut(path: string, edit: Edit): boolean {
  if (!SETTINGS.test(path)) return false
  const before = textOf(path)
  const after = edit(before)
  if (after === undefined || after === before) return false
  if (/\.toml$/.test(path)) return HOOKS_OFF.test(after) && !HOOKS_OFF.test(before)
  const old = read(before)
  const now = read(after)
  if (!now) return (old?.events.length ?? 0) > 0
  if (now.isOff && !old?.isOff) return true
  return old?.events.some((event) => !now.events.includes(event)) ?? false
}

const SETTINGS =
  /[/\\]\.?(?:claude|codex|gemini|qwen|cursor|copilot|github)[/\\](?:(?:settings(?:\.local)?|hooks|hooks[/\\]unloop)\.json|config\.toml)$/
const HOOKS_OFF = /^\s{0,20}(?:codex_|features\.)?hooks\s{0,20}=\s{0,20}false/m
const HOOK = /unloop(?:\.cmd)?(?:\\?["'])? hook \w|hook\.cjs["']? hook \w/

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

interface Settings {
  hooks?: Record<string, unknown>
  disableAllHooks?: unknown
  hooksConfig?: { enabled?: unknown }
  tools?: { enableHooks?: unknown }
}

/** The events of which our hook is told, and whether hooks are off; nothing if the agent could not read it. */
function read(text: string): { events: string[]; isOff: boolean } | undefined {
  if (text.trim() === '') return { events: [], isOff: false }
  let settings: Settings
  try {
    settings = JSON.parse(text)
  } catch {
    // with comments, as some agents allow them
    const isCommented = /\/[/*]/.test(text.replaceAll('://', ''))
    return isCommented ? { events: HOOK.test(text) ? ['?'] : [], isOff: OFF.test(text) } : undefined
  }
  const { hooks, disableAllHooks, hooksConfig, tools } = settings ?? {}
  const events = Object.entries(hooks ?? {})
    .filter(([, list]) => Array.isArray(list) && commandsIn(list).some((one) => HOOK.test(one)))
    .map(([event]) => event)
  const isOff =
    disableAllHooks === true || hooksConfig?.enabled === false || tools?.enableHooks === false
  return { events, isOff }
}

const OFF = /"disableAllHooks"\s{0,9}:\s{0,9}true|"(?:enabled|enableHooks)"\s{0,9}:\s{0,9}false/

const commandsIn = (list: readonly unknown[]): string[] =>
  list.flatMap((entry) => {
    if (typeof entry !== 'object' || entry === null) return []
    const { hooks, command, bash } = entry as Record<string, unknown>
    if (Array.isArray(hooks)) return commandsIn(hooks)
    return [command, bash].filter((one) => typeof one === 'string')
  })
